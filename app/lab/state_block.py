"""The state of one head as a block of cells, the darker the larger its numbers."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import theme

_SIDE_PX = 112


class StateBlock(QWidget):
    """`rows` by `columns` cells in a square; the size never changes, whatever is fed."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._cells = b""
        self._rows = self._columns = 0
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFixedSize(_SIDE_PX, _SIDE_PX)

    def sizeHint(self) -> QSize:
        return QSize(_SIDE_PX, _SIDE_PX)

    def show_cells(self, cells: bytes, rows: int, columns: int) -> None:
        """A byte for each cell, row by row; empty for no state."""
        self._cells, self._rows, self._columns = cells, rows, columns
        self.update()

    def image(self) -> QImage:
        """One pixel a cell, from the theme's empty colour to its fullest."""
        look = theme.current()
        low, high = look.colour("state_free"), look.colour("state_live")
        image = QImage(self._columns, self._rows, QImage.Format.Format_Indexed8)
        image.setColorTable([_mixed(low, high, level / 255).rgb() for level in range(256)])
        for row in range(self._rows):
            for column in range(self._columns):
                image.setPixel(column, row, self._cells[row * self._columns + column])
        return image

    def paintEvent(self, event: QPaintEvent) -> None:
        look, painter = theme.current(), QPainter(self)
        area = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        if self._cells:
            painter.drawImage(area, self.image())
        painter.setPen(QPen(look.colour("border"), 1))
        painter.drawRect(area)
        painter.end()


def _mixed(low: QColor, high: QColor, share: float) -> QColor:
    reds, greens, blues = (
        (low.redF(), high.redF()),
        (low.greenF(), high.greenF()),
        (low.blueF(), high.blueF()),
    )
    return QColor.fromRgbF(*(a + (b - a) * share for a, b in (reds, greens, blues)))
