"""The view "Memory": an icicle, each box as wide as the bytes of its subtree."""

from __future__ import annotations

from PySide6.QtGui import QPainter

from app import theme
from app.cache.arrangement import Arrangement
from app.cache.folding import Folding
from app.cache.icicle import Icicle
from app.cache.icicle_arrangement import IcicleArrangement
from app.cache.icicle_painter import IciclePainter
from app.cache.table import TableReader
from app.cache.tree_view import Frame
from app.words.tr import tr


class IcicleView:
    """See TreeView."""

    name, title, key = "memory", tr("Memory"), "3"
    tip = tr("Each box is as wide as the bytes of all that hangs on it, KV and states")

    def __init__(self, folding: Folding, reader: TableReader) -> None:
        self._folding = folding
        self._made = IcicleArrangement(folding, reader)
        self.arrangement: Arrangement = self._made

    def bar_px(self, lane_px: float) -> float:
        return lane_px - 1

    def paint_head(self, painter: QPainter, frame: Frame) -> None:
        if self._made.icicle is not None:
            self._painter(painter, frame, self._made.icicle).axis(theme.mono_font(10))

    def paint(self, painter: QPainter, frame: Frame) -> None:
        if self._made.icicle is not None:
            self._painter(painter, frame, self._made.icicle).boxes(theme.ui_font(11))

    def _painter(self, painter: QPainter, frame: Frame, icicle: Icicle) -> IciclePainter:
        return IciclePainter(painter, frame, icicle, self._folding.chats)
