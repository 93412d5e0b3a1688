"""The timeline panel: the tracks of the tape, and figures of an interval or markers."""

from __future__ import annotations

import time
from dataclasses import replace

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.core.words.joining import titled
from app.core.words.tr import tr
from app.debugger.logic.chosen import Chosen
from app.debugger.logic.entry_place import last_sight
from app.debugger.logic.source import Source
from app.debugger.panel import DebugPanel
from app.debugger.seeker import seeker_of
from app.debugger.state import DebugState
from app.debugger.timeline.logic.cards import CardLine, marker_lines, stat_lines, stats_of
from app.debugger.timeline.logic.columns import Columns, Series
from app.debugger.timeline.logic.concerned import event_at, missed_of
from app.debugger.timeline.logic.counter_tracks import counted, with_counters
from app.debugger.timeline.logic.events import OF_STATES
from app.debugger.timeline.logic.viewport import Alignment, Stack, stack_of
from app.debugger.timeline.view import TimelineView
from app.debugger.why.inquiry import Inquiry
from app.ui import theme
from app.ui.widgets import CheckBox, CopyButton, DropDown, IconButton, label
from engine.journal.saving import origin_of

# Time budget on the GUI thread per step of reading a long tape.
_STEP_S = 0.012
# While a long tape is read, the tracks are redrawn this often.
_SHOWN_S = 0.25
# Shorter reads are not announced.
_SAID_S = 0.3
_ALIGNMENTS: dict[str, Alignment] = {
    tr("Aligned at the start"): "start",
    tr("Aligned by request"): "request",
    tr("Aligned by time of day"): "wall",
}
_EMPTY = tr("Nothing has happened yet. Send a message, and its request appears here.")
WIDTH_PX = 252


class FiguresBox(QWidget):
    """The figures; hidden while there is neither an interval nor both markers.

    Attributes:
        close_button, copy: above the figures.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedWidth(WIDTH_PX)
        self.setAccessibleName(tr("Figures of the selection"))
        self._blocks: list[tuple[str, list[CardLine]]] = []
        self._grid = QGridLayout()
        self._grid.setContentsMargins(12, 0, 8, 8)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(1)
        self._grid.setColumnStretch(0, 1)
        self.copy = CopyButton(self.text, tr("Copy the figures"))
        self.close_button = IconButton("close", tr("Clear the selection (Esc)"), size=14)
        head = QHBoxLayout()
        head.setContentsMargins(12, 2, 4, 0)
        head.addWidget(label(tr("SELECTION"), "section"), 1)
        head.addWidget(self.copy)
        head.addWidget(self.close_button)
        inner = QWidget()
        inner.setObjectName("column")
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(self._grid)
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(inner)
        # It takes the focus to scroll by keyboard, so it needs a name.
        area.setAccessibleName(self.accessibleName())
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(2)
        whole.addLayout(head)
        whole.addWidget(area, 1)
        self.hide()

    def show_blocks(self, blocks: list[tuple[str, list[CardLine]]]) -> None:
        """Show headings with their figures; an empty list hides the box."""
        self.setVisible(bool(blocks))
        if blocks == self._blocks:
            return
        self._blocks = blocks
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        row = 0
        for heading, lines in blocks:
            self._grid.addWidget(label(heading, "dim"), row, 0, 1, 2)
            for name, figure in lines:
                row += 1
                self._grid.addWidget(_name(name), row, 0)
                self._grid.addWidget(_figure(figure), row, 1, Qt.AlignmentFlag.AlignRight)
            row += 1

    def text(self) -> str:
        """All figures as tab-separated lines."""
        lines = [f"{name.strip()}\t{figure}" for _, block in self._blocks for name, figure in block]
        return "\n".join(lines)


def _name(text: str) -> QLabel:
    made = label(text, "faint", wrap=True)
    made.setToolTip(text.strip())
    return made


def _figure(text: str) -> QLabel:
    made = label(text, selectable=True)
    made.setFont(theme.mono_font(11))
    return made


class TimelinePanel(DebugPanel):
    """The tracks of the source's tape, with the figures of what is marked.

    Attributes:
        view: the tracks.
        figures: next to them.
        pauses: the switch that shortens pauses.
        reading: the progress of computing the tracks, if it takes a while.
        alignment: by what two traces are aligned.
    """

    title = tr("Timeline")
    name = "timeline"

    def __init__(self, state: DebugState, inquiry: Inquiry, parent: QWidget | None = None) -> None:
        super().__init__(state, parent)
        self._inquiry = inquiry
        self._columns: Columns | None = None
        self.view = TimelineView()
        self.figures = FiguresBox()
        self.empty = label(_EMPTY, "dim")
        self.empty.setContentsMargins(14, 10, 14, 10)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.pauses = CheckBox(tr("Shorten pauses"))
        self.pauses.setToolTip(tr("Draw each pause between two requests as a quarter of a second"))
        self.pauses.setChecked(True)
        self.alignment = DropDown()
        self.alignment.addItems(list(_ALIGNMENTS))
        self.alignment.setAccessibleName(tr("How the two traces are aligned"))
        self.alignment.hide()
        self.reading = label("", "faint")
        self.reading.hide()
        self._other: Source | None = None
        # The selected node's number in host memory.
        self._host: int | None = None
        self._other_columns: Columns | None = None
        self._shown_at = self._said_at = self._late_at = 0.0
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
            ("fit", tr("Show everything (F)"), self.view.acts.fit),
            ("plus", tr("Zoom in (W)"), lambda: self.view.acts.zoom(1.6)),
            ("minus", tr("Zoom out (S)"), lambda: self.view.acts.zoom(1 / 1.6)),
        ):
            tools.addWidget(IconButton(name, text, act, size=14))
        tools.addSpacing(8)
        tools.addWidget(self.pauses)
        tools.addSpacing(12)
        tools.addWidget(self.alignment)
        tools.addStretch(1)
        tools.addWidget(self.reading)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.view, 1)
        row.addWidget(self.figures)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(tools)
        # Shown only while the tracks are hidden.
        column.addWidget(self.empty, 1000)
        column.addLayout(row, 1)

    def _connect(self) -> None:
        view, state = self.view, self.state
        view.chosen.connect(lambda what: state.choose(self._refined(what)))
        view.hovered.connect(lambda what: state.hover(self._refined(what)))
        view.scrubbed.connect(self._seek_time)
        view.opened.connect(self._open)
        view.marks_changed.connect(self._show_figures)
        self.figures.close_button.clicked.connect(view.acts.clear)
        self.pauses.toggled.connect(self._realign)
        self.alignment.currentIndexChanged.connect(self._realign)
        self._inquiry.changed.connect(self._show_choice)

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
        self._want_links()
        if not self._timer.isActive():
            self._read_on()

    def show_moment(self) -> None:
        moment = self.state.moment
        self.view.show_moment(moment.time, moment.follows)

    def show_chosen(self) -> None:
        chosen, source = self.state.chosen, self.state.source
        self._host = None
        if chosen.node is not None and source is not None:
            self._host = source.tape.numbers(self.state.moment.index, chosen.node).get("host")
        self._want_links()
        self._show_choice()
        series = self.series
        if series is not None and chosen.request is not None:
            if chosen.request < len(series.requests):
                self.view.scene.reveal(float(series.requests.began[chosen.request]))
        elif series is not None and chosen.entry is not None and source is not None:
            self.view.scene.reveal(source.tape.time(chosen.entry + 1))
        self.view.refresh()

    def _refined(self, what: Chosen) -> Chosen:
        """Narrow an event of a checkpoint to the checkpoint instead of its whole node."""
        snapshot, series = self.state.moment.snapshot, self.series
        if what.node is None or what.entry is None or snapshot is None or series is None:
            return what
        event = event_at(series.events, what.entry)
        if event is None or series.events.rows[int(series.events.row[event])].kind not in OF_STATES:
            return what
        ends = (one.end for one in snapshot.nodes if one.id == what.node and one.checkpoint)
        end = next(ends, None)
        return what if end is None else replace(what, span=(end, end))

    def show_hovered(self) -> None:
        self._show_choice()

    def _show_choice(self) -> None:
        chosen, hovered = self.state.chosen, self.state.hovered
        ran = self._numbers(chosen.ran), self._numbers(hovered.ran)
        ledger, series = self._inquiry.ledger, self.series
        links = [] if ledger is None or series is None else missed_of(ledger, series, chosen)
        self.view.show_choice(chosen, hovered, ran, self._host, links)

    def _want_links(self) -> None:
        """Follow the tape for which request missed what which eviction took."""
        chosen = self.state.chosen
        if self.on_screen and (chosen.entry is not None or chosen.request is not None):
            self._inquiry.want()

    def _numbers(self, ran: tuple[int, ...]) -> list[int]:
        """The tape's numbers of requests, given the engine's."""
        source = self.state.source
        if not ran or source is None:
            return []
        return [one.number for one in source.tape.requests if one.bare.request in ran]

    def restyle(self) -> None:
        self.view.update()

    def compare(self, other: Source | None) -> None:
        """Show a second trace below this one; None removes it."""
        self._other = other
        self._other_columns = None if other is None else Columns(other.tape)
        self.alignment.setVisible(other is not None)
        self.view.scene.stacks = []
        self.view.scene.whole = True
        self._shown_at = 0.0
        self._read_on()

    # ---- reading

    def _read_on(self) -> None:
        """Read a step of the tapes, show it, and continue in the next event loop iteration."""
        read = [one for one in (self._columns, self._other_columns) if one is not None]
        if not read:
            return
        for columns in read:
            columns.follow(_STEP_S / len(read))
        done = not any(columns.behind for columns in read)
        now = time.perf_counter()
        if done or now - self._shown_at > _SHOWN_S:
            self._shown_at = now
            self._show()
        if not done:
            self._timer.start(0)
        self._show_reading(done, sum(columns.behind for columns in read))

    def _show_reading(self, done: bool, behind: int) -> None:
        """Show that the tracks are incomplete, if that lasts longer than a moment."""
        if done:
            self._late_at = 0.0
            self.reading.hide()
            return
        now = time.perf_counter()
        self._late_at = self._late_at or now
        if now - self._late_at > _SAID_S and now - self._said_at > _SHOWN_S:
            self._said_at = now
            self.reading.setText(
                tr("Computing the tracks: {behind:,} entries to go").format(behind=behind)
            )
            self.reading.show()

    def _show(self) -> None:
        stacks = self._stacks()
        self.empty.setVisible(not stacks)
        self.view.setVisible(bool(stacks))
        if stacks:
            self.view.scene.show(stacks, self._origins())
        moment = self.state.moment
        self.view.show_moment(moment.time, moment.follows)
        self._show_choice()
        self.view.refresh()
        self._show_figures()

    def _stacks(self) -> list[Stack]:
        found = []
        pairs = ((self.state.source, self._columns), (self._other, self._other_columns))
        for letter, (source, columns) in zip("AB", pairs, strict=True):
            if source is None or columns is None:
                continue
            counters = source.counters
            tracks = () if counters is None else counted(counters)
            if columns.read or tracks:
                name = "" if self._other is None else f"{letter}  {source.name}"
                series = with_counters(columns.series(), tracks)
                found.append(stack_of(series, name=name, title=source.title, counters=tracks))
        return found

    def _origins(self) -> tuple[float | None, ...]:
        """When each tape's clock read 0, in seconds since 1970; None if unknown."""
        tapes = [None if s is None else s.tape for s in (self.state.source, self._other)]
        return tuple(
            None if tape is None or tape.header is None else tape.header.started - origin_of(tape)
            for tape in tapes
        )

    def _realign(self) -> None:
        scene = self.view.scene
        scene.short_pauses = self.pauses.isChecked()
        scene.alignment = _ALIGNMENTS[self.alignment.currentText()]
        scene.align()
        scene.fit()
        self.view.refresh()

    def _open(self, moment: float) -> None:
        """Go to a time; for an eviction, to just before it, with its node selected."""
        source, entry = self.state.source, self.state.chosen.entry
        if source is not None and entry is not None and source.tape.time(entry + 1) == moment:
            found = last_sight(source.tape, entry)
            if found is not None:
                self.state.seek(found[0])
                self.state.choose(Chosen(found[1], entry=entry))
                return
        self._seek_time(moment)

    def _seek_time(self, moment: float) -> None:
        source = self.state.source
        if source is not None:
            # A drag past the left end stops there.
            tape = source.tape
            seeker_of(self.state).seek(max(tape.index_at(moment), tape.first))

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
    name = stack.name
    if interval is not None:
        start, end = clock.time(interval).tolist()
        made.append(
            (
                titled(name, tr("Interval")) if name else tr("Interval"),
                stat_lines(stats_of(series, start, end)),
            )
        )
    a, b = markers
    if a is not None and b is not None:
        times = clock.time([a, b]).tolist()
        heading = tr("Markers A and B")
        made.append((titled(name, heading) if name else heading, marker_lines(series, *times)))
    return made
