"""The view "Topology": a tidy tree, in which a node's colour says what it holds."""

from __future__ import annotations

from PySide6.QtGui import QPainter

from app import theme
from app.cache.arrangement import Arrangement
from app.cache.folding import Folding
from app.cache.geometry import lane_bar_px
from app.cache.table import TableReader
from app.cache.tag_painter import paint_names
from app.cache.topology_arrangement import TopologyArrangement
from app.cache.topology_painter import TopologyPainter
from app.cache.tree_view import Frame
from app.words.tr import tr


class TopologyView:
    """See TreeView."""

    name, title, key = "topology", tr("Topology"), "4"
    tip = tr("Who goes on from whom, whatever the positions: a tidy tree")

    def __init__(self, folding: Folding, reader: TableReader) -> None:
        self._folding = folding
        self.arrangement: Arrangement = TopologyArrangement(folding, reader)

    def bar_px(self, lane_px: float) -> float:
        return lane_bar_px(lane_px)

    def paint_head(self, painter: QPainter, frame: Frame) -> None:
        TopologyPainter(painter, frame).head(theme.ui_font(10))

    def paint(self, painter: QPainter, frame: Frame) -> None:
        TopologyPainter(painter, frame).tree(theme.ui_font(11))
        paint_names(painter, frame.look, frame.geometry, self._folding.chats, theme.ui_font(11))
