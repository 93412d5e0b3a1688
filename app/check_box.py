"""A box to tick, as the pages and windows of the program show it."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QCheckBox, QStyle, QStyleOptionButton

from app import theme
from app.icons import icon

_TICK_PX = 11


class CheckBox(QCheckBox):
    """Ticked, it has a tick: a colour alone would not tell everybody."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.isChecked():
            return
        # A style sheet can draw an image only from a file, in one colour for all themes.
        option = QStyleOptionButton()
        self.initStyleOption(option)
        box = self.style().subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, option, self)
        spot = QRect(0, 0, _TICK_PX, _TICK_PX)
        spot.moveCenter(box.center())
        painter = QPainter(self)
        icon("check", theme.current().colours["on_accent"], _TICK_PX).paint(painter, spot)
        painter.end()
