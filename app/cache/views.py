"""The views of the tree: messages and tokens as lanes on an axis, the topology, and memory."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPainterPath, QPen

from app import theme
from app.cache.arrangement import Arrangement
from app.cache.axis import CELLS, TOKENS, Axis
from app.cache.columns import one_of_each
from app.cache.folding import Folding
from app.cache.geometry import Geometry, lane_bar_px
from app.cache.icicle_view import IcicleView
from app.cache.lanes import GroupedLaneAssigner
from app.cache.layout import Layout, advance, lay_out
from app.cache.table import Floats, Ints, TableReader
from app.cache.topology_arrangement import TopologyArrangement
from app.cache.tree_painter import RULER_PX, TreePainter, paint_names, paint_outside, paint_stubs
from app.cache.tree_view import Frame, TreeView
from app.theme import Theme
from app.words import format as fmt
from app.words.tr import tr
from engine.snapshot import CacheSnapshot

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


_LEAST_PX = 15.0
_LEFT_PX = 6.0
_MOST_SHARE = 0.5


class LaneArrangement:
    """An Arrangement, with lanes that stay where they are while they are not empty.

    Attributes:
        axis: what x means.
        folding: what is folded.
    """

    def __init__(
        self, axis: Axis, folding: Folding | None = None, reader: TableReader | None = None
    ) -> None:
        """reader: shared by all arrangements that show the same snapshots."""
        self.axis = axis
        self.folding = Folding(on=False) if folding is None else folding
        self._reader = reader or TableReader()
        self._lanes = GroupedLaneAssigner()

    def lay_out(
        self, snapshot: CacheSnapshot, held: Iterable[tuple[int, float, float]] = ()
    ) -> Layout:
        table = self._reader.read(snapshot)
        return lay_out(snapshot, self._lanes, held, self.axis, self.folding, table)

    def advance(self, before: Layout, snapshot: CacheSnapshot) -> Layout | None:
        return advance(before, snapshot)

    def follow(self, was: int, now: int) -> None:
        self._lanes.follow(was, now)

    def forget(self) -> None:
        self._lanes.forget()


def headings(frame: Geometry) -> list[tuple[str, float]]:
    """The names on screen with their upper edges, pixels below the ruler; none over another.

    A group whose heading is further up has its name at the upper edge of the canvas.
    """
    view = frame.view
    made: list[tuple[str, float]] = []
    free = 0.0
    for group in frame.layout.groups:
        top, bottom = view.y(group.first), view.y(group.first + group.count)
        at = max(top, 0.0)
        if at > view.height:
            break
        if at >= free and bottom - at >= _LEAST_PX:
            made.append((group.title, at))
            free = at + _LEAST_PX
    return made


def paint_groups(painter: QPainter, look: Theme, frame: Geometry, font: QFont) -> None:
    """Over the tree, at its left edge."""
    view = frame.view
    line = look.colour("border")
    for group in frame.layout.groups:
        y = view.y(group.first)
        if group.first and 0 <= y <= view.height:
            painter.fillRect(QRectF(0, y, view.width, 1), line)
    bold = QFont(font)
    bold.setWeight(QFont.Weight.DemiBold)
    painter.setFont(bold)
    painter.setPen(look.colour("text"))
    metrics = QFontMetricsF(bold)
    for title, y in headings(frame):
        room = max(view.width * _MOST_SHARE, 1.0)
        words = metrics.elidedText(title, Qt.TextElideMode.ElideMiddle, room)
        area = QRectF(0, y + 1, metrics.horizontalAdvance(words) + 2 * _LEFT_PX, _LEAST_PX)
        # What is further up may stand below a name at the edge.
        painter.fillRect(area, look.colour("panel"))
        inside = area.adjusted(_LEFT_PX, 0, 0, 0)
        painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter, words)


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


def make_views(folding: Folding) -> tuple[TreeView, ...]:
    """New views for one canvas: they remember places. The first is the default."""
    reader = TableReader()
    words = tr("Each message has room for its first words")
    return (
        LaneView(CELLS, tr("Messages"), "1", words, folding, reader),
        LaneView(TOKENS, tr("Tokens"), "2", tr("All tokens are equally wide"), folding, reader),
        IcicleView(folding, reader),
        TopologyView(folding, reader),
    )
