"""A box for whole numbers, and the arrows of all such boxes."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QSpinBox, QStyle, QStyleOptionSpinBox, QWidget

from app import theme
from app.icons import icon

_ARROW_PX, _LEFT_PX = 10, 4


def paint_arrows(box: QAbstractSpinBox) -> None:
    """A style sheet leaves the arrows to the platform, whose frames would show."""
    option, control = QStyleOptionSpinBox(), QStyle.SubControl
    box.initStyleOption(option)
    colour = theme.current().colours["dim" if box.isEnabled() else "faint"]
    painter = QPainter(box)
    for part, name in ((control.SC_SpinBoxUp, "up"), (control.SC_SpinBoxDown, "down")):
        area = box.style().subControlRect(QStyle.ComplexControl.CC_SpinBox, option, part, box)
        spot = QRect(0, 0, _ARROW_PX, _ARROW_PX)
        spot.moveCenter(area.center())
        icon(name, colour, _ARROW_PX).paint(painter, spot)
    painter.end()


def indent(box: QAbstractSpinBox) -> None:
    """Let its text begin where that of other fields does."""
    box.lineEdit().setTextMargins(_LEFT_PX, 0, 0, 0)


class SpinBox(QSpinBox):
    """The wheel scrolls what is around it, and never changes a number in passing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        indent(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        paint_arrows(self)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()
