"""The view "Topology": a tidy tree, in which a node's colour says what it holds."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QFont, QPainter, QPainterPath, QPen

from app import theme
from app.cache.arrangement import Arrangement
from app.cache.columns import one_of_each
from app.cache.folding import Folding
from app.cache.geometry import lane_bar_px
from app.cache.table import Floats, Ints, TableReader
from app.cache.topology_arrangement import TopologyArrangement
from app.cache.tree_painter import RULER_PX, TreePainter, paint_names
from app.cache.tree_view import Frame
from app.words import format as fmt
from app.words.tr import tr

# With more edges than this they are straight, which draws in one go.
_MOST_CURVES = 150
_LEAST_ROOM_PX = 3.0


class TopologyPainter:
    """Paints one frame."""

    def __init__(self, painter: QPainter, frame: Frame) -> None:
        self._painter = painter
        self._frame = frame
        self._look = frame.look
        self._at = frame.geometry
        self._layout = frame.geometry.layout
        self._view = frame.geometry.view

    def head(self, font: QFont) -> None:
        """What the picture is of: it has no axis."""
        table = self._layout.table
        leaves = int((table.children.counts[1:] == 0).sum())
        text = tr("{nodes} · {leaves:,} ends").format(
            nodes=fmt.plural(len(self._frame.snapshot.nodes) - 1, "node"), leaves=leaves
        )
        self._painter.setFont(font)
        self._painter.setPen(self._look.colour("faint"))
        room = QRectF(14, 0, self._view.width - 14, RULER_PX - 4)
        self._painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)

    def tree(self, font: QFont) -> None:
        """Everything below the head."""
        self._edges()
        nodes = TreePainter(self._painter, self._look, self._at, self._frame.snapshot)
        nodes.nodes(font, plain=True)

    def _edges(self) -> None:
        rows, x, y, to_x, to_y = self._lines()
        painter = self._painter
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for mine, token, width in (
            (~self._layout.on_path[rows], "faint", 1.0),
            (self._layout.on_path[rows], "accent", 1.8),
        ):
            spots = zip(*(c[mine].tolist() for c in (x, y, to_x, to_y)), strict=True)
            painter.setPen(QPen(self._look.colour(token), width))
            if len(rows) > _MOST_CURVES:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
                painter.drawLines([QLineF(*spot) for ends in spots for spot in _steps(*ends)])
                continue
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            path = QPainterPath()
            for left, above, right, below in spots:
                path.moveTo(left, above)
                half = (left + right) / 2
                path.cubicTo(half, above, half, below, right, below)
            painter.drawPath(path)

    def _lines(self) -> tuple[Ints, Floats, Floats, Floats, Floats]:
        """Rows with an edge to their parent that is on screen, and its ends; each pixel once."""
        layout, view, scale = self._layout, self._view, self._layout.scale
        parent = layout.table.parent
        rows = np.flatnonzero(parent >= 0)
        if self._at.only is not None:
            rows = rows[self._at.only[rows]]
        above = parent[rows]
        x, to_x = view.xs(scale.right[above]), view.xs(scale.left[rows])
        middle = self._at.y(0) + self._at.bar_px / 2
        y = layout.lane[above] * view.lane_px + middle
        to_y = layout.lane[rows] * view.lane_px + middle
        low, high = np.minimum(y, to_y), np.maximum(y, to_y)
        seen = (to_x >= 0) & (x <= view.width) & (high >= 0) & (low <= view.height)
        rows, x, y, to_x, to_y = (column[seen] for column in (rows, x, y, to_x, to_y))
        key = np.round(to_x / 2).astype(np.int64) * 100_000 + np.round(to_y / 2).astype(np.int64)
        key = key * 2 + layout.on_path[rows]
        first = one_of_each(key)
        return rows[first], x[first], y[first], to_x[first], to_y[first]


def _steps(x: float, y: float, to_x: float, to_y: float) -> list[tuple[float, ...]]:
    """Across, down and across again."""
    if to_x - x < _LEAST_ROOM_PX:
        return [(to_x, y, to_x, to_y)]
    half = (x + to_x) / 2
    return [(x, y, half, y), (half, y, half, to_y), (half, to_y, to_x, to_y)]


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
