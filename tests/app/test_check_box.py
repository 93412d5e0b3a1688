"""A box to tick."""

from __future__ import annotations

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QStyle, QStyleOptionButton
from pytestqt.qtbot import QtBot

from app.ui import theme
from app.ui.widgets import CheckBox


def test_a_ticked_box_has_a_tick_in_both_themes(qtbot: QtBot, mode: theme.Mode) -> None:
    box = CheckBox("Shorten pauses")
    qtbot.addWidget(box)
    box.show()
    box.setChecked(True)
    option = QStyleOptionButton()
    box.initStyleOption(option)
    area = box.style().subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, option, box)
    image = box.grab(area.adjusted(3, 3, -3, -3)).toImage()
    accent = theme.current().colour("accent")
    inside = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
    assert inside.count(accent) > len(inside) / 4
    assert sum(_apart(colour, accent) > 150 for colour in inside) > 4


def _apart(one: QColor, other: QColor) -> int:
    pairs = zip(one.getRgb(), other.getRgb(), strict=True)  # type: ignore[call-overload]
    return sum(abs(a - b) for a, b in pairs)
