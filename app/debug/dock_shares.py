"""How the desk is divided: its panels keep their share when the window grows or shrinks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtWidgets import QDockWidget, QMainWindow


@dataclass(frozen=True, slots=True)
class Side:
    """Panels docked at one side.

    Attributes:
        share: of the desk's width or height, until the user drags the edge.
        least, most: pixels until then.
    """

    area: Qt.DockWidgetArea
    along: Qt.Orientation
    share: float
    least: int
    most: int

    def extent(self, size: QSize) -> int:
        return size.width() if self.along is Qt.Orientation.Horizontal else size.height()

    def room(self, size: QSize, own: float | None) -> int:
        """Pixels of a desk of that size; `own`: the share that the user gave it."""
        if own is not None:
            return round(own * self.extent(size))
        return min(max(round(self.share * self.extent(size)), self.least), self.most)


# Texts beside each other need a width, and a row of tracks or a table some lines.
SIDES = (
    Side(Qt.DockWidgetArea.RightDockWidgetArea, Qt.Orientation.Horizontal, 0.25, 300, 640),
    Side(Qt.DockWidgetArea.BottomDockWidgetArea, Qt.Orientation.Vertical, 0.46, 200, 720),
)


class DockShares(QObject):
    """Divides the desk anew at each of its sizes; where the user drags an edge, as they did."""

    def __init__(self, desk: QMainWindow, docks: Callable[[], list[QDockWidget]]) -> None:
        super().__init__(desk)
        self._desk, self._docks = desk, docks
        self._own: dict[Qt.DockWidgetArea, float] = {}
        self._learns = False
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._divide)
        desk.installEventFilter(self)

    def reset(self) -> None:
        """Divide it as at first."""
        self._own.clear()
        self._learns = False
        self._soon.start()

    def learn(self) -> None:
        """The panels stand as the user had them: keep those shares."""
        self._learns = True
        self._soon.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind in (QEvent.Type.Resize, QEvent.Type.Show):
            self._soon.start()
        elif kind is QEvent.Type.MouseButtonRelease:
            # What the desk itself hears are its edges.
            self.learn()
        return super().eventFilter(watched, event)

    def _divide(self) -> None:
        if not self._desk.isVisible():
            return
        size, learns, self._learns = self._desk.size(), self._learns, False
        for side in SIDES:
            docked = self._docked(side.area)
            if docked is None:
                continue
            now = side.extent(docked.size())
            wanted = side.room(size, self._own.get(side.area))
            if learns and now != wanted:
                self._own[side.area] = now / max(1, side.extent(size))
            elif not learns:
                self._desk.resizeDocks([docked], [wanted], side.along)

    def _docked(self, area: Qt.DockWidgetArea) -> QDockWidget | None:
        """One of the panels in front there."""
        return next(
            (
                dock
                for dock in self._docks()
                if self._desk.dockWidgetArea(dock) == area
                and not dock.isFloating()
                and dock.isVisible()
                and not dock.visibleRegion().isEmpty()
            ),
            None,
        )
