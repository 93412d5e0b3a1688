"""The tree as lanes on an axis of messages or of tokens: the views "Messages" and "Tokens"."""

from __future__ import annotations

from PySide6.QtGui import QPainter

from app import theme
from app.cache.arrangement import Arrangement
from app.cache.axis import Axis
from app.cache.folding import Folding
from app.cache.geometry import lane_bar_px
from app.cache.group_painter import paint_groups
from app.cache.lane_arrangement import LaneArrangement
from app.cache.table import TableReader
from app.cache.tag_painter import paint_names, paint_outside, paint_stubs
from app.cache.tree_painter import TreePainter
from app.cache.tree_view import Frame


class LaneView:
    """See TreeView."""

    def __init__(
        self, axis: Axis, title: str, key: str, tip: str, folding: Folding, reader: TableReader
    ) -> None:
        self.name, self.title, self.key, self.tip = axis.name, title, key, tip
        self.arrangement: Arrangement = LaneArrangement(axis, folding, reader)
        self._folding = folding

    def bar_px(self, lane_px: float) -> float:
        return lane_bar_px(lane_px)

    def paint_head(self, painter: QPainter, frame: Frame) -> None:
        axis = frame.geometry.layout.scale.axis
        if axis is not None and axis.uniform:
            tree = TreePainter(painter, frame.look, frame.geometry, frame.snapshot)
            tree.axis(theme.mono_font(10))

    def paint(self, painter: QPainter, frame: Frame) -> None:
        geometry, look = frame.geometry, frame.look
        TreePainter(painter, look, geometry, frame.snapshot).tree(theme.ui_font(11))
        paint_stubs(painter, look, geometry)
        chats, font = self._folding.chats, theme.ui_font(11)
        if geometry.layout.groups:
            paint_groups(painter, look, geometry, font)
        else:
            paint_names(painter, look, geometry, chats, font)
        paint_outside(painter, look, geometry, chats, font)
