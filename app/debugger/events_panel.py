"""The event log as a panel: notices and evictions of the running program."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.cache.event_lines import EventLines
from app.cache.event_view import LogView
from app.cache.event_window import left_out_words
from app.cache.logic.event_table import place_of
from app.core.session.event_log import EventLog, LoggedEviction
from app.core.words.tr import tr
from app.debugger.evictions_panel import NodeFilter, entry_of
from app.debugger.logic.chosen import NOTHING, Chosen
from app.debugger.logic.source import LiveSource
from app.debugger.panel import DebugPanel
from app.debugger.state import DebugState
from app.ui.table_rows import TableRow


class EventsPanel(DebugPanel):
    """The same lines as Cache > Event log; a file's evictions are in the Evictions panel.

    Attributes:
        lines: the table, its filter and its sums.
    """

    title = tr("Events")
    name = "events"

    def __init__(self, state: DebugState, parent: QWidget | None = None) -> None:
        super().__init__(state, parent)
        self.view = LogView()
        self.lines = EventLines(self.view, "event")
        self.only_node = NodeFilter(self.lines, state)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.addWidget(self.lines)
        self._followed: EventLog | None = None
        self.view.pointed.connect(self._point)
        self.view.chosen.connect(self._choose)
        self.view.opened.connect(self._choose)

    def show_source(self) -> None:
        self._show()

    def follow(self) -> None:
        self._show()

    def show_on_screen(self) -> None:
        self._show()

    @property
    def log(self) -> EventLog | None:
        """The log of the running program; None while a file is shown."""
        source = self.state.source
        return source.log if isinstance(source, LiveSource) else None

    def _show(self) -> None:
        if not self.on_screen:
            return
        log = self.log
        if log is not self._followed:
            self._followed = log
            self.view.forget()
            self.lines.note.setText(
                "" if log is not None else tr("The evictions of a file are in the Evictions panel.")
            )
        if log is not None:
            self.view.follow(log)
        self.lines.show_sums("" if log is None else left_out_words(log.left_out))

    def _point(self, row: TableRow | None) -> None:
        self.state.hover(NOTHING if row is None else self._subject(row))

    def _subject(self, row: TableRow) -> Chosen:
        """The node and the entry of an eviction; a notice has neither."""
        logged, source = row.subject, self.state.source
        if self.log is None or source is None or not isinstance(logged, LoggedEviction):
            return NOTHING
        place = place_of(logged, self.log, self.state.moment.snapshot)
        here = logged.model == self.log.models
        return Chosen(place.node, entry=entry_of(logged.evicted, source.tape) if here else None)

    def _choose(self, row: TableRow) -> None:
        if self.log is None or not isinstance(row.subject, LoggedEviction):
            self.lines.note.setText(tr("A notice belongs to no node."))
            return
        place = place_of(row.subject, self.log, self.state.moment.snapshot)
        self.state.choose_node(place.node)
        self.lines.note.setText(place.sentence)
