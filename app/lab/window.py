"""The window of the memory lab and its tabs, with the tab on prefill and decode."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMargins, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app.core.session.lab import LabAnswers
from app.core.session.ledger import Ran
from app.core.words import format as fmt
from app.core.words.joining import titled
from app.core.words.tr import tr
from app.lab.asking_tab import LabTab
from app.lab.logic.arithmetic import Pools
from app.lab.logic.phase_sentences import (
    KINDS,
    NOTHING_RAN,
    WHAT,
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
from app.lab.memories_tab import MemoriesTab
from app.lab.memory_tab import MemoryTab
from app.lab.recall_tab import RecallTab
from app.lab.turn_bars import TurnBars, part_colour
from app.ui import theme
from app.ui.chart import Chart
from app.ui.export.behind import Behind
from app.ui.export.picture import Picture, ask_file, ask_picture, save_picture, save_text
from app.ui.theme import Theme
from app.ui.widgets import add_middle, label, measured, rule
from engine.events import ModelInfo

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
_WANTED_PX, _LEAST_PX, _WIDEST_PX = (1060, 720), (560, 400), 1600
# The tabs' names in scripts, independent of the language.
_IDS = ("memory", "two memories", "prefill and decode", "recall")
TABS = (tr("Memory"), tr("Two memories"), tr("Prefill and decode"), tr("Recall"))


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


class PhasesTab(LabTab):
    """The session's requests, in total and one by one.

    Attributes:
        headline, detail, gap, time: sentences.
        bars, curves: the pictures.
        sums: the labels of each sum: positions, and the multiple of the cached ones.
        speeds: the labels of each phase: milliseconds per token and their basis, and its bar.
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
        content.setMinimumWidth(_CURVES_LEAST_PX)
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


class ExportButton(QPushButton):
    """Opens the export menu.

    Attributes:
        behind: writes the tables.
    """

    def __init__(
        self, front: Callable[[], tuple[str, LabTab]], told: Callable[[str], None]
    ) -> None:
        """`front`: name and tab in front; `told`: called with a sentence on the result."""
        super().__init__(tr("Export"))
        self.setProperty("kind", "small")
        self.setToolTip(tr("Save a picture of this tab, or its figures"))
        self._front, self._told = front, told
        self.behind = Behind(self, told)
        menu = QMenu(self)
        menu.addAction(tr("Picture…"), self._ask_picture)
        self._figures = menu.addAction(tr("Figures as CSV…"), self._ask_figures)
        menu.aboutToShow.connect(self._enable)
        self.setMenu(menu)

    def picture(self) -> Picture:
        """The tab in front as a picture."""
        name, tab = self._front()
        return Picture(
            tr("Memory lab: {name}").format(name=name),
            tab.pictured,
            None,
            tab.legend,
            tab.settings(),
        )

    def save_picture(self, path: Path) -> None:
        self._told(save_picture(self.picture(), path))

    def save_figures(self, path: Path) -> None:
        made = self._front()[1].as_table()
        if made is not None:
            save_text(self.behind, path, made, self._told)

    def _enable(self) -> None:
        self._figures.setEnabled(self._front()[1].as_table() is not None)

    def _ask_picture(self) -> None:
        name, _ = self._front()
        path = ask_picture(self, name, _file_name(name))
        if path is not None:
            self.save_picture(path)

    def _ask_figures(self) -> None:
        path = ask_file(self, f"{_file_name(self._front()[0])}.csv")
        if path is not None:
            self.save_figures(path)


def _file_name(name: str) -> str:
    return name.lower().replace(" ", "-")


class MemoryLab(QDialog):
    """Shows how a hybrid model remembers, with the figures of the open model.

    Attributes:
        tabs: one for each of TABS.
        export: saves the one in front.
        memory, memories, phases, recall: their contents; `parts`: all of these.

    Signals:
        wanted(object): a Question for the engine.
        stopped: cancel the pending question.
        turned: another tab was brought to the front.
        notice(str): a sentence for the status line.
    """

    wanted = Signal(object)
    stopped = Signal()
    turned = Signal()
    notice = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Memory lab"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.memory = MemoryTab()
        self.memories = MemoriesTab()
        self.phases = PhasesTab()
        self.recall = RecallTab()
        self.tabs = QTabWidget()
        self.tabs.setObjectName("lab")
        self.tabs.setAccessibleName(tr("Memory lab"))
        self.tabs.setDocumentMode(True)
        self.parts: tuple[LabTab, ...] = (self.memory, self.memories, self.phases, self.recall)
        for part, name in zip(self.parts, TABS, strict=True):
            self.tabs.addTab(_middle(part), name)
        self.export = ExportButton(self._front, self.notice.emit)
        corner = QWidget()
        row = QHBoxLayout(corner)
        row.setContentsMargins(0, 0, 12, 4)
        row.addWidget(self.export)
        self.tabs.setCornerWidget(corner)
        for asking in (self.memories, self.recall):
            asking.wanted.connect(self.wanted)
            asking.stopped.connect(self.stopped)
        self.tabs.currentChanged.connect(self.turned)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 4, 0, 0)
        outer.addWidget(self.tabs)
        self.setMinimumSize(*_LEAST_PX)
        self.resize(*_WANTED_PX)
        self.memory.slider.setFocus()

    def show_tab(self, name: str) -> bool:
        """Bring a tab to the front; False if no tab has that name."""
        if name.lower() not in _IDS:
            return False
        self.tabs.setCurrentIndex(_IDS.index(name.lower()))
        return True

    def _front(self) -> tuple[str, LabTab]:
        at = self.tabs.currentIndex()
        return TABS[at], self.parts[at]

    def show_model(self, model: ModelInfo | None) -> None:
        """Show a model's memory; None shows that there is no model."""
        self.memory.show_model(model)
        self.memories.show_shape(None if model is None else model.cache_shape)

    def show_conversation(self, tokens: int | None) -> None:
        """Show the length of the conversation on screen; None if unknown."""
        self.memory.show_conversation(tokens)

    def show_pools(self, pools: Pools | None) -> None:
        """Show what the cache holds for all conversations."""
        self.memory.show_pools(pools)

    def show_answers(self, lab: LabAnswers) -> None:
        """Show the state of the questions to the engine, and the answers."""
        self.memories.show_answers(lab)
        self.recall.show_answers(lab)

    def ask_again(self) -> bool:
        """Let the tab in front ask about the conversation again; False if it does not show it."""
        _, front = self._front()
        for asking in (self.memories, self.recall):
            if front is asking and not asking.source.own:
                asking.ask()
                return True
        return False

    def show_runs(self, runs: tuple[Ran, ...], finished: int) -> None:
        """Show the most recent requests since the model was opened; `finished`: of all."""
        self.phases.show_runs(runs, finished)

    def repaint_all(self) -> None:
        """Repaint after the theme changed."""
        for part in self.parts:
            part.repaint_all()


def _middle(part: LabTab) -> QWidget:
    """A page with a tab in its middle, no wider than is easy to read."""
    page = QWidget()
    part.setMaximumWidth(_WIDEST_PX)
    row = QHBoxLayout(page)
    row.setContentsMargins(0, 0, 0, 0)
    add_middle(row, part)
    return page
