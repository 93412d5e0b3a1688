"""The tab "Prefill and decode": positions that ran with the cache and without, and times."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial

from PySide6.QtCore import QMargins, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QButtonGroup,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.core.session.ledger import Ran
from app.core.words import format as fmt
from app.core.words.joining import in_turn, titled
from app.core.words.tr import tr
from app.lab.asking_tab import LabTab, glossed
from app.lab.logic.example import example
from app.lab.logic.phase_sentences import (
    CACHING,
    EXAMPLE_RUNS,
    KINDS,
    SHOWN,
    WHAT,
    Caching,
    Phase,
    Positions,
    decode,
    gap_line,
    headline,
    milliseconds,
    phase_text,
    prefill,
    run_line,
    running_totals,
    time_line,
    times,
    total,
)
from app.lab.logic.scale import LogAxis
from app.lab.logic.tables import phases_csv
from app.lab.turn_bars import TurnBars, part_colour
from app.ui import theme
from app.ui.chart import Chart
from app.ui.theme import Theme
from app.ui.widgets import label, measured, rule

# In less width every line of the sums would wrap.
_CURVES_LEAST_PX = 780
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_MARGINS = QMargins(54, 10, 10, 20)
_LINES = ("bare", "cold", "cached")
DASHES = {
    "cached": Qt.PenStyle.SolidLine,
    "cold": Qt.PenStyle.DashLine,
    "bare": Qt.PenStyle.DotLine,
}


class TotalCurves(Chart):
    """Three lines: with the cache, every prompt cold, no cache at all."""

    def __init__(self) -> None:
        super().__init__(_MARGINS)
        self._totals: tuple[Positions, ...] = ()
        self._axis = LogAxis(1, 10)
        self._lines = {key: self.line(partial(line_pen, key=key)) for key in _LINES}
        about = self.note((1, 0))
        about.setText(tr("requests, sums on a logarithmic axis"))
        about.setPos(1, 0)
        self.setAccessibleName(tr("Positions in sum"))
        self.setMinimumSize(260, 120)

    def show_totals(self, totals: tuple[Positions, ...]) -> None:
        """Show the running sums after each request."""
        self._totals = totals
        if totals:
            low = 10 ** (len(str(max(1, totals[0].cached))) - 1)
            self._axis = LogAxis(low, max(10 * low, 10 ** len(str(totals[-1].bare))))
        last = max(1, len(totals) - 1)
        # A single request is drawn as a level line.
        drawn = totals * 2 if len(totals) == 1 else totals
        for key, line in self._lines.items():
            sums = [self._axis.place(max(1, getattr(one, key))) for one in drawn]
            line.setData([at / last for at in range(len(drawn))], sums)
        tens = range(len(str(self._axis.low)) - 1, len(str(self._axis.high)))
        self.show_ticks(
            [(self._axis.place(10**ten), _power(10**ten) if totals else "") for ten in tens]
        )

    def show_kinds(self, shown: Collection[str]) -> None:
        """Hide the lines of other kinds."""
        for key, line in self._lines.items():
            line.setVisible(key in shown)

    def sizeHint(self) -> QSize:
        return QSize(360, 190)

    def point(self, index: int, value: int) -> QPointF:
        """The pixel of a sum; `index` counts requests from 0."""
        along = index / max(1, len(self._totals) - 1)
        return self.place(along, self._axis.place(max(1, value)))


def line_pen(look: Theme, key: str) -> QPen:
    colour = look.colour("accent") if key == "cached" else look.lane(3 if key == "bare" else 2)
    return QPen(colour, 2.5 if key == "cached" else 2.0, DASHES[key])


def _power(value: int) -> str:
    if value >= 10**9:
        return f"{value // 10**9}G"
    return f"{value // 10**6}M" if value >= 10**6 else fmt.thousands(value).replace(".0k", "k")


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


def _switch_button(name: str, tip: str) -> QToolButton:
    made = QToolButton()
    made.setText(name)
    made.setToolTip(tip)
    made.setAccessibleName(titled(name, tip))
    made.setCheckable(True)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return made


class PhasesTab(LabTab):
    """The session's requests, in total and one by one.

    Attributes:
        headline, detail, gap, time: sentences.
        bars, curves: the pictures; `caching` says what they compare, and `switch` chooses it.
        example: what is shown is the recorded chat: nothing has run yet, or it is asked for.
        sums: the labels of each sum: positions, and the multiple of the cached ones.
        speeds: the labels of each phase: milliseconds per token and their basis, and its bar.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runs: tuple[Ran, ...] = ()
        self._own: tuple[tuple[Ran, ...], int] = ((), 0)
        self._wants_example = False
        self.caching: Caching = "both"
        self.headline = label("", "", wrap=True, selectable=True)
        self.detail = label("", "dim", wrap=True, selectable=True)
        self.gap = glossed()
        self.time = label("", "dim", wrap=True)
        self.bars, self.curves = TurnBars(), TotalCurves()
        self.bars.picked.connect(self._show_chosen)
        self.switch = {key: _switch_button(name, tip) for key, (name, tip) in CACHING.items()}
        group = QButtonGroup(self)
        for key, button in self.switch.items():
            group.addButton(button)
            button.clicked.connect(partial(self.compare, key))
        self.sums: dict[str, tuple[QLabel, QLabel]] = {}
        self.speeds: dict[str, tuple[QLabel, QLabel, _Bar]] = {}
        self._build()
        self.show_runs((), 0)
        self.compare("both")

    @property
    def runs(self) -> tuple[Ran, ...]:
        """The requests on screen."""
        return self._runs

    @property
    def example(self) -> bool:
        return self._wants_example or not self._own[0]

    def show_runs(self, runs: tuple[Ran, ...], finished: int) -> None:
        """Show the requests since the model was opened; `finished` counts older ones, too."""
        self._own = (runs, finished)
        self._show()

    def show_example(self, on: bool) -> None:
        """Show the recorded chat even if something has run, or no longer."""
        self._wants_example = on
        self._show()

    def compare(self, caching: Caching) -> None:
        """Show what ran with the cache, what would have run without, or both."""
        self.caching = caching
        self.switch[caching].setChecked(True)
        self.bars.show_caching(caching)
        self.curves.show_kinds(SHOWN[caching])
        self.changed.emit()

    def go(self, position: int) -> None:
        self.bars.pick(position)

    def spot(self, name: str) -> tuple[QWidget, QRectF] | None:
        if name == "run" and self.bars.chosen is not None:
            return self.bars, self.bars.bar(self.bars.chosen)
        figure = self.sums[name][0] if name in self.sums else None
        return None if figure is None else (figure, QRectF(figure.rect()))

    def settings(self) -> tuple[str, ...]:
        requests = fmt.plural(len(self._runs), "request")
        if self.example:
            return (tr("{requests}, recorded with the bundled model").format(requests=requests),)
        return (tr("{requests} since the model was opened").format(requests=requests),)

    def as_table(self) -> Callable[[], str] | None:
        runs = self._runs
        return lambda: phases_csv(runs)

    def _show(self) -> None:
        runs, finished = self._own
        if self.example:
            runs = example().runs
            finished = len(runs)
        self._runs = runs
        words = headline(runs, finished)
        self.headline.setText(in_turn(EXAMPLE_RUNS, words) if self.example else words)
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
        self.changed.emit()

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
        content.setMinimumWidth(_CURVES_LEAST_PX)
        column = QVBoxLayout(content)
        column.setContentsMargins(6, 4, 10, 4)
        column.setSpacing(10)
        column.addLayout(self._head())
        column.addLayout(pictures, 1)
        column.addLayout(measured(self.detail))
        column.addWidget(rule())
        column.addLayout(lower)
        column.addLayout(measured(self.gap))
        self.fill(content)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(16, 10, 10, 10)
        outer.addWidget(self.body)

    def _head(self) -> QHBoxLayout:
        row = measured(self.headline)
        for button in self.switch.values():
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        return row

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
            words = glossed(titled(name, WHAT[key]))
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
