"""A list to choose from, as the pages and windows of the program show it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QWidget

from app import theme
from app.icons import icon

_ARROW_PX, _ARROW_ROOM_PX = 10, 24


class DropDown(QComboBox):
    """The wheel scrolls the page, and never changes a choice in passing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "list")

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        # A style sheet leaves the arrow to the platform.
        spot = QRect(0, 0, _ARROW_PX, _ARROW_PX)
        spot.moveCenter(QPoint(self.width() - _ARROW_ROOM_PX // 2, self.height() // 2))
        painter = QPainter(self)
        icon("down", theme.current().colours["dim"], _ARROW_PX).paint(painter, spot)
        painter.end()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()
