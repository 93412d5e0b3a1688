"""Cache > Event log: keeps its window up to date, and syncs its selection to the tree."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QRect, QSize, Qt, QTimer
from PySide6.QtWidgets import QWidget

from app.cache.event_window import EventWindow
from app.cache.logic.event_table import place_of
from app.cache.pane import CachePane
from app.core.bridge import Bridge
from app.core.session.changes import Change, Changed
from app.core.session.event_log import LoggedEviction
from app.core.words.tr import tr
from app.ui.table_rows import TableRow

# Lines are appended a few times a second.
_FOLLOW_MS = 250
# The window's frame, the title of the conversation, and the composer.
_AROUND_PX, _TOP_PX, _BOTTOM_PX = 8, 80, 160
_LEAST_WIDTH_PX, _LEAST_HEIGHT_PX = 640, 320
_TOLD_BY = (Changed.SNAPSHOT, Changed.NOTICE, Changed.ENGINE)


class EventsController(QObject):
    """Follows the session's log while its window is open.

    Attributes:
        window: None until it is opened for the first time.
    """

    def __init__(
        self, bridge: Bridge, pane: CachePane, show_pane: Callable[[], None], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.window: EventWindow | None = None
        self._bridge, self._pane, self._show_pane = bridge, pane, show_pane
        self._parent = parent
        self._seen = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_FOLLOW_MS)
        self._timer.timeout.connect(self._follow)
        bridge.changed.connect(self._changed)

    def open(self) -> None:
        """Show the window, or bring it to the front."""
        if self.window is None:
            made = self.window = EventWindow(self._parent)
            made.seen.connect(self._saw)
            made.view.chosen.connect(self._chosen)
            made.view.opened.connect(self._opened)
            made.setGeometry(self._beside_tree(made.size()))
        self._follow()
        self.window.show()
        self.window.activateWindow()

    def close(self) -> None:
        if self.window is not None:
            self.window.close()

    def _beside_tree(self, size: QSize) -> QRect:
        """A place over the messages that leaves the tree and the composer visible, if it can."""
        parent = self._parent.geometry()
        pane = self._pane.mapToGlobal(self._pane.rect().topLeft()).x()
        right = pane if self._pane.isVisible() else parent.right()
        room = QRect(parent.left(), parent.top(), right - parent.left(), parent.height())
        room.adjust(_AROUND_PX, _TOP_PX, -_AROUND_PX, -_BOTTOM_PX)
        least = QSize(_LEAST_WIDTH_PX, _LEAST_HEIGHT_PX)
        return QRect(room.topLeft(), size.boundedTo(room.size()).expandedTo(least))

    def _saw(self, on: bool) -> None:
        self._seen = on
        self._bridge.watch("events", on)
        if not on:
            self._timer.stop()

    def _changed(self, changes: frozenset[Change]) -> None:
        told = any(change.kind in _TOLD_BY for change in changes)
        if told and self._seen and not self._timer.isActive():
            self._timer.start()

    def _follow(self) -> None:
        if self.window is not None:
            session = self._bridge.session
            self.window.follow(session.log, session.cache.snapshot)

    def _chosen(self, row: TableRow) -> None:
        """Select the node of a line, or the nearest one that still exists."""
        if self.window is None:
            return
        if not isinstance(row.subject, LoggedEviction):
            self.window.note.setText(tr("A notice belongs to no node."))
            return
        session = self._bridge.session
        place = place_of(row.subject, session.log, session.cache.snapshot)
        sentence = place.sentence
        if not self._pane.isVisible():
            sentence += tr(" Press Enter to show the tree.")
        self._pane.canvas.reveal(place.node)
        self.window.note.setText(sentence)

    def _opened(self, row: TableRow) -> None:
        """Go to the tree."""
        self._show_pane()
        self._chosen(row)
        self._parent.activateWindow()
        self._pane.canvas.setFocus(Qt.FocusReason.OtherFocusReason)
