"""The timeline: what happened over time, beside the tree, at the bottom of the desk."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from app.debug.panel import DebugPanel
from app.debug.seeker import seeker_of
from app.debug.state import DebugState
from app.debug.timeline.columns import Columns, Series
from app.debug.timeline.figures_box import FiguresBox
from app.debug.timeline.interval import marker_lines, stat_lines, stats_of
from app.debug.timeline.stack import Stack, stack_of
from app.debug.timeline.view import TimelineView
from app.widgets import IconButton, label

# Of the window's thread, per step of reading a long tape.
_STEP_S = 0.010
_EMPTY = "Nothing has happened yet. Send a message, and its request appears here."


class TimelinePanel(DebugPanel):
    """The tracks of the source's tape, with the figures of what is selected.

    Attributes:
        view: the tracks.
        figures: beside them.
        pauses: the switch that shortens pauses.
    """

    title = "Timeline"
    name = "timeline"

    def __init__(self, state: DebugState, parent: QWidget | None = None) -> None:
        super().__init__(state, parent)
        self._columns: Columns | None = None
        self.view = TimelineView()
        self.figures = FiguresBox()
        self.empty = label(_EMPTY, "dim")
        self.empty.setContentsMargins(14, 10, 14, 10)
        self.pauses = QCheckBox("Shorten pauses")
        self.pauses.setToolTip("Draw each pause between two requests as a quarter of a second")
        self.pauses.setChecked(True)
        self._hint = label("", "faint")
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._read_on)
        self._build()
        self._connect()

    def _build(self) -> None:
        tools = QHBoxLayout()
        tools.setContentsMargins(8, 2, 8, 2)
        tools.setSpacing(4)
        for name, text, act in (
            ("fit", "Show everything (F)", self.view.acts.fit),
            ("plus", "Zoom in (W)", lambda: self.view.acts.zoom(1.6)),
            ("minus", "Zoom out (S)", lambda: self.view.acts.zoom(1 / 1.6)),
        ):
            tools.addWidget(IconButton(name, text, act, size=14))
        tools.addSpacing(8)
        tools.addWidget(self.pauses)
        tools.addSpacing(12)
        tools.addWidget(self._hint, 1)
        self.tools = tools
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.view, 1)
        row.addWidget(self.figures)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(tools)
        column.addWidget(self.empty)
        column.addLayout(row, 1)

    def _connect(self) -> None:
        view, state = self.view, self.state
        view.chosen.connect(state.choose)
        view.hovered.connect(state.hover)
        view.scrubbed.connect(self._seek_time)
        view.opened.connect(self._seek_time)
        view.marks_changed.connect(self._show_figures)
        self.figures.close_button.clicked.connect(view.acts.clear)
        self.pauses.toggled.connect(self._shorten)

    @property
    def series(self) -> Series | None:
        stacks = self.view.scene.stacks
        return stacks[0].series if stacks else None

    # ---- the state

    def show_source(self) -> None:
        source = self.state.source
        self._columns = None if source is None else Columns(source.tape)
        self.view.scene.stacks = []
        self.view.scene.whole = True
        self.view.acts.clear()
        self._read_on()

    def follow(self) -> None:
        if not self._timer.isActive():
            self._read_on()

    def show_moment(self) -> None:
        moment = self.state.moment
        self.view.show_moment(moment.time, moment.follows)

    def show_chosen(self) -> None:
        chosen = self.state.chosen
        self.view.show_choice(chosen, self.state.hovered)
        series = self.series
        if series is not None and chosen.request is not None:
            if chosen.request < len(series.requests):
                self.view.scene.reveal(float(series.requests.began[chosen.request]))
        elif series is not None and chosen.entry is not None and self.state.source is not None:
            self.view.scene.reveal(self.state.source.tape.time(chosen.entry + 1))
        self.view.refresh()

    def show_hovered(self) -> None:
        self.view.show_choice(self.state.chosen, self.state.hovered)

    def restyle(self) -> None:
        self.view.update()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._read_on()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    # ---- reading

    def _read_on(self) -> None:
        """Take over a little of the tape, show it, and go on in the next turn of the loop."""
        if self._columns is None or self.state.source is None:
            return
        done = self._columns.follow(_STEP_S)
        self._show(self._columns.series())
        if not done and self.isVisible():
            self._timer.start(0)

    def _show(self, series: Series) -> None:
        self.empty.setVisible(not series.entries)
        self.view.setVisible(bool(series.entries))
        if series.entries:
            self.view.scene.show(self._stacks(series), self._origins())
        moment = self.state.moment
        self.view.show_moment(moment.time, moment.follows)
        self.view.refresh()
        self._show_figures()

    def _stacks(self, series: Series) -> list[Stack]:
        source = self.state.source
        assert source is not None
        return [stack_of(series, title=source.title)]

    def _origins(self) -> tuple[float | None, ...]:
        return (None,)

    def _shorten(self, on: bool) -> None:
        scene = self.view.scene
        scene.short_pauses = on
        scene.align()
        scene.fit()
        self.view.refresh()

    def _seek_time(self, time: float) -> None:
        source = self.state.source
        if source is not None:
            seeker_of(self.state).seek(source.tape.index_at(time))

    # ---- figures

    def _show_figures(self) -> None:
        scene, blocks = self.view.scene, []
        if scene.stacks:
            for stack in scene.stacks:
                blocks += _blocks(stack, scene.interval, scene.markers)
        self.figures.show_blocks(blocks)


def _blocks(
    stack: Stack,
    interval: tuple[float, float] | None,
    markers: tuple[float | None, float | None],
) -> list[tuple[str, list[tuple[str, str]]]]:
    """The figures of one stack."""
    clock, series, made = stack.clock, stack.series, []
    name = f"{stack.name}: " if stack.name else ""
    if interval is not None:
        start, end = clock.time(interval).tolist()
        made.append((f"{name}Interval", stat_lines(stats_of(series, start, end))))
    a, b = markers
    if a is not None and b is not None:
        times = clock.time([a, b]).tolist()
        made.append((f"{name}Markers A and B", marker_lines(series, *times)))
    return made
