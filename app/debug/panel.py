"""A panel of the debugger, and the row that the pointer is on."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QTableView, QWidget

from app.debug.state import DebugState


class RowHover(QObject):
    """Follows the pointer over a table's rows; they may scroll under it while it rests.

    Signals:
        pointed(object): at the row of this QModelIndex, which is invalid beside all rows.
    """

    pointed = Signal(object)

    def __init__(self, table: QTableView) -> None:
        super().__init__(table)
        self._table = table
        self._at: QPoint | None = None
        self._row = QPersistentModelIndex()
        table.setMouseTracking(True)
        table.viewport().installEventFilter(self)
        table.verticalScrollBar().valueChanged.connect(self._look)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseMove and isinstance(event, QMouseEvent):
            self._at = event.position().toPoint()
            self._look()
        elif event.type() == QEvent.Type.Leave and self._at is not None:
            self._at, self._row = None, QPersistentModelIndex()
            self.pointed.emit(QModelIndex())
        return super().eventFilter(watched, event)

    def _look(self) -> None:
        if self._at is None:
            return
        index = self._table.indexAt(self._at).siblingAtColumn(0)
        if not index.isValid() or self._row != index:
            self._row = QPersistentModelIndex(index)
            self.pointed.emit(index)


class DebugPanel(QWidget):
    """Shows one aspect of the source and the moment on screen; Desk docks it.

    Subclasses override what concerns them; nothing is called while a panel was never on screen.

    Attributes:
        title: on its tab.
        name: under which its place is remembered.
        on_screen: its tab is in front; Qt counts a panel behind another tab as visible.
    """

    title = ""
    name = ""

    def __init__(self, state: DebugState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.state = state
        self.on_screen = False
        self.setObjectName(self.name)
        self.setAccessibleName(self.title)
        state.source_changed.connect(self.show_source)
        state.grown.connect(self.follow)
        state.moved.connect(self.show_moment)
        state.chosen_changed.connect(self.show_chosen)
        state.hovered_changed.connect(self.show_hovered)

    def set_on_screen(self, on: bool) -> None:
        """Its tab came to the front, or went behind."""
        if on != self.on_screen:
            self.on_screen = on
            self.show_on_screen()

    def show_on_screen(self) -> None:
        """It came on screen, or went: begin or end what costs time."""

    def show_source(self) -> None:
        """There is another source: forget what was shown."""

    def follow(self) -> None:
        """The tape has grown."""

    def show_moment(self) -> None:
        """Another moment, or another snapshot of the newest, is on screen."""

    def show_chosen(self) -> None:
        """Something else is selected."""

    def show_hovered(self) -> None:
        """Something else is under the pointer."""

    def restyle(self) -> None:
        """The theme changed."""
        self.update()
