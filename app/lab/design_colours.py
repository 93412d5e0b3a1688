"""The colour and the line of each design, the same in the plot and beside the figures."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPen

from app.lab.arithmetic import DesignKey
from app.theme import Theme

_LANES: dict[DesignKey, int] = {"every_head": 3, "grouped": 2}
# Told apart without colour, too.
_DASHES: dict[DesignKey, Qt.PenStyle] = {
    "every_head": Qt.PenStyle.DotLine,
    "grouped": Qt.PenStyle.DashLine,
    "hybrid": Qt.PenStyle.SolidLine,
}


def design_colour(look: Theme, key: DesignKey) -> QColor:
    return look.colour("accent") if key == "hybrid" else look.lane(_LANES[key])


def design_pen(look: Theme, key: DesignKey) -> QPen:
    pen = QPen(design_colour(look, key), 2.5 if key == "hybrid" else 2.0, _DASHES[key])
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return pen
