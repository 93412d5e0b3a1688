"""The tab "Prefill and decode": what ran with the cache, what would have without, and how fast."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app import theme
from app.lab.phase_sentences import (
    KINDS,
    NOTHING_RAN,
    WHAT,
    gap_line,
    headline,
    milliseconds,
    phase_text,
    run_line,
    time_line,
    times,
)
from app.lab.phases import Phase, decode, prefill, running_totals, total
from app.lab.tab import LabTab
from app.lab.tables import phases_csv
from app.lab.total_curves import TotalCurves, line_pen
from app.lab.turn_bars import TurnBars, part_colour
from app.session.ledger import Ran
from app.widgets import label, measured, rule
from app.words import format as fmt
from app.words.joining import titled
from app.words.tr import tr

# Less would break every line of the sums.
_LEAST_PX = 780
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class _Piece(QWidget):
    """A piece of a line, or of a bar's part."""

    def __init__(self, key: str, *, line: bool) -> None:
        super().__init__()
        self._key, self._line = key, line
        self.setFixedSize(26 if line else 12, 14)

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        painter = QPainter(self)
        if self._line:
            painter.setPen(line_pen(look, self._key))
            painter.drawLine(1, 7, self.width() - 1, 7)
        elif self._key == "cold":
            painter.setPen(look.colour("faint"))
            painter.drawRect(1, 2, 9, 9)
        else:
            painter.fillRect(1, 2, 10, 10, part_colour(look, self._key))
        painter.end()


class _Bar(QWidget):
    """One time as a share of the longer one."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.share = 0.0
        self.setFixedHeight(8)
        self.setAccessibleName(tr("{name}, to scale").format(name=name))

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        painter = QPainter(self)
        painter.fillRect(self.rect(), look.colour("track"))
        if self.share:
            wide = max(2.0, self.share * self.width())
            painter.fillRect(QRectF(0, 0, wide, self.height()), look.colour("accent"))
        painter.end()


class PhasesTab(LabTab):
    """The session's requests, in sum and one by one.

    Attributes:
        headline, detail, gap, time: sentences.
        bars, curves: the pictures.
        sums: the labels of each sum: positions, how many times the cache's.
        speeds: the labels of each phase: milliseconds a token, of what.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runs: tuple[Ran, ...] = ()
        self.headline = label(NOTHING_RAN, "", wrap=True, selectable=True)
        self.detail = label("", "dim", wrap=True, selectable=True)
        self.gap = label("", "dim", wrap=True)
        self.time = label("", "dim", wrap=True)
        self.bars, self.curves = TurnBars(), TotalCurves()
        self.bars.picked.connect(self._show_chosen)
        self.sums: dict[str, tuple[QLabel, QLabel]] = {}
        self.speeds: dict[str, tuple[QLabel, QLabel, _Bar]] = {}
        self._build()
        self.show_runs((), 0)

    def show_runs(self, runs: tuple[Ran, ...], finished: int) -> None:
        """Show the requests since the model was opened; `finished` counts older ones, too."""
        self._runs = runs
        self.headline.setText(headline(runs, finished))
        sums = total(runs)
        for key, (figure, ratio) in self.sums.items():
            value = getattr(sums, key)
            figure.setText(fmt.count(value))
            ratio.setText(times(value, sums.cached))
        self.curves.show_totals(running_totals(runs))
        self.curves.setAccessibleDescription(self.headline.text())
        phases = {tr("Prefill"): prefill(runs), tr("Decode"): decode(runs)}
        most = max((phase.token_ms or 0.0 for phase in phases.values()), default=0.0)
        for name, phase in phases.items():
            self._show_phase(name, phase, most)
        self.gap.setText(gap_line(runs))
        self.time.setText(time_line(runs))
        self.bars.show_runs(runs)

    def settings(self) -> tuple[str, ...]:
        return (
            tr("{requests} since the model was opened").format(
                requests=fmt.plural(len(self._runs), "request")
            ),
        )

    def as_table(self) -> Callable[[], str] | None:
        runs = self._runs
        return (lambda: phases_csv(runs)) if runs else None

    def _show_phase(self, name: str, phase: Phase, most: float) -> None:
        figure, of, bar = self.speeds[name]
        figure.setText(milliseconds(phase.token_ms))
        of.setText(phase_text(phase))
        bar.share = (phase.token_ms or 0.0) / most if most else 0.0
        bar.setAccessibleDescription(figure.text())
        bar.update()

    def _show_chosen(self) -> None:
        at = self.bars.chosen
        words = "" if at is None else run_line(self._runs[at], self._runs)
        self.detail.setText(words)
        self.bars.setAccessibleDescription(words)

    def _build(self) -> None:
        pictures = QGridLayout()
        pictures.setHorizontalSpacing(24)
        pictures.setVerticalSpacing(6)
        pictures.addWidget(label(tr("POSITIONS OF EACH REQUEST"), "section"), 0, 0)
        pictures.addWidget(label(tr("IN SUM"), "section"), 0, 1)
        pictures.addWidget(self.bars, 1, 0)
        pictures.addWidget(self.curves, 1, 1)
        pictures.addLayout(self._legend(), 2, 0)
        pictures.setRowStretch(1, 1)
        pictures.setColumnStretch(0, 5)
        pictures.setColumnStretch(1, 4)
        lower = QHBoxLayout()
        lower.setSpacing(24)
        lower.addLayout(self._sums(), 5)
        lower.addLayout(self._speeds(), 4)
        content = QWidget()
        content.setMinimumWidth(_LEAST_PX)
        column = QVBoxLayout(content)
        column.setContentsMargins(6, 4, 10, 4)
        column.setSpacing(10)
        column.addLayout(measured(self.headline))
        column.addLayout(pictures, 1)
        column.addLayout(measured(self.detail))
        column.addWidget(rule())
        column.addLayout(lower)
        column.addLayout(measured(self.gap))
        self.fill(content)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(16, 10, 10, 10)
        outer.addWidget(self.body)

    def _legend(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(6)
        for key, words in (
            ("replayed", tr("replayed")),
            ("computed", tr("new")),
            ("decoded", tr("decoded")),
            ("cold", tr("the same request cold")),
        ):
            row.addWidget(_Piece(key, line=False))
            row.addWidget(label(words, "faint"))
            row.addSpacing(8)
        row.addStretch(1)
        return row

    def _sums(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(4)
        grid.addWidget(label(tr("POSITIONS PROCESSED, EXACT"), "section"), 0, 0, 1, 4)
        for row, (key, name) in enumerate(KINDS.items(), 1):
            figure, ratio = label("", "title", selectable=True), label("", "figures")
            figure.setAccessibleName(tr("{name}, positions").format(name=name))
            self.sums[key] = (figure, ratio)
            words = label(titled(name, WHAT[key]), "dim", wrap=True)
            grid.addWidget(_Piece(key, line=True), row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(words, row, 1)
            grid.addWidget(ratio, row, 2, _RIGHT)
            grid.addWidget(figure, row, 3, _RIGHT)
        grid.setRowStretch(len(KINDS) + 1, 1)
        grid.setColumnStretch(1, 1)
        grid.setColumnMinimumWidth(2, 56)
        grid.setColumnMinimumWidth(3, 78)
        return grid

    def _speeds(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(4)
        grid.addWidget(label(tr("MEASURED TIME A TOKEN"), "section"), 0, 0, 1, 3)
        for at, name in enumerate((tr("Prefill"), tr("Decode"))):
            figure, of, bar = label("", "title", selectable=True), label("", "figures"), _Bar(name)
            self.speeds[name] = (figure, of, bar)
            figure.setAccessibleName(tr("{name}, time a token").format(name=name))
            row = 1 + 2 * at
            grid.addWidget(label(name, "dim"), row, 0)
            grid.addWidget(of, row, 1, _RIGHT)
            grid.addWidget(figure, row, 2, _RIGHT)
            grid.addWidget(bar, row + 1, 0, 1, 3)
            grid.setRowMinimumHeight(row + 1, 8)
        grid.addWidget(self.time, 5, 0, 1, 3)
        grid.setRowStretch(6, 1)
        grid.setColumnStretch(1, 1)
        return grid
