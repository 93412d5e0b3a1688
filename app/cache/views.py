"""The views of the tree: messages and tokens as lanes on an axis, the topology, and memory."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QBrush, QFont, QFontMetricsF, QPainter, QPainterPath, QPen

from app.cache.logic.arrangement import Arrangement
from app.cache.logic.axis import CELLS, TOKENS, Axis, byte_ticks, spread
from app.cache.logic.chats import Chats
from app.cache.logic.columns import one_of_each
from app.cache.logic.folding import Folding
from app.cache.logic.geometry import Geometry, lane_bar_px
from app.cache.logic.icicle import Boxes, Icicle, boxes, hang, own_bytes, standing
from app.cache.logic.lanes import GroupedLaneAssigner
from app.cache.logic.layout import Layout, advance, lay_out, moved_on, placed
from app.cache.logic.name_tags import name_where_it_begins
from app.cache.logic.stretches import build_stretches
from app.cache.logic.table import LIVE_ID, Floats, Ints, TableReader
from app.cache.logic.topology_arrangement import TopologyArrangement
from app.cache.tree_painter import RULER_PX, TreePainter, paint_names, paint_outside, paint_stubs
from app.cache.tree_view import Frame, TreeView
from app.core.words import format as fmt
from app.core.words.tr import tr
from app.ui import theme
from app.ui.theme import Theme
from engine.snapshot import CacheSnapshot

_LEAST_BOX_PX = 3.0
_OWN_PX = 5.0
_LEAST_OWN_LANE_PX = 14.0
_LEAST_LABEL_PX = 36.0
_LEAST_LABEL_LANE_PX = 15.0
_LEAST_TEXT_PX = 48.0
_MOST_LABELS = 150
# Zooming in stops when the smallest box is this wide, in pixels.
_CLOSEST_PX = 240.0


class IcicleArrangement:
    """An Arrangement.

    Attributes:
        icicle: of the last layout.
    """

    def __init__(self, folding: Folding, reader: TableReader | None = None) -> None:
        """reader: shared by all arrangements that show the same snapshots."""
        self._folding = folding
        self._reader = reader or TableReader()
        self.icicle: Icicle | None = None

    def lay_out(
        self, snapshot: CacheSnapshot, held: Iterable[tuple[int, float, float]] = ()
    ) -> Layout:
        whole = self._reader.read(snapshot)
        folded = self._folding.apply(whole)
        (kv, state), table = own_bytes(snapshot, whole), folded.table
        # A chip weighs what its nodes do; what hangs below a chain is not part of it.
        rank = folded.least(standing(whole))
        made = hang(table, folded.sums(kv), folded.sums(state), rank)
        weights = made.weights
        self.icicle = made
        left = made.left.astype(np.float64)
        right = (made.left + weights.whole).astype(np.float64)
        scale = spread(table, build_stretches(table, snapshot), left, right)
        bytes_seen = weights.whole[weights.whole > 0]
        closest = _CLOSEST_PX / float(bytes_seen.min(initial=2**62)) if len(bytes_seen) else 1.0
        return replace(placed(snapshot, folded, scale, made.depth, closest), pointed=False)

    def advance(self, before: Layout, snapshot: CacheSnapshot) -> Layout | None:
        return moved_on(before, snapshot)

    def follow(self, was: int, now: int) -> None:
        """Nothing to do: places depend on the tree alone."""

    def forget(self) -> None:
        """Nothing to do: no places are remembered."""


class IciclePainter:
    """Paints one frame."""

    def __init__(self, painter: QPainter, frame: Frame, icicle: Icicle, chats: Chats) -> None:
        self._painter = painter
        self._look = frame.look
        self._at = frame.geometry
        self._view = frame.geometry.view
        self._frame = frame
        self._icicle, self._chats = icicle, chats
        self._boxes = self._on_screen(
            boxes(icicle, self._view.left, self._view.px_per_unit, self._view.width, _LEAST_BOX_PX)
        )

    def axis(self, font: QFont) -> None:
        """The ruler in bytes, in the coordinates of the whole canvas."""
        painter, look, view = self._painter, self._look, self._view
        painter.setFont(font)
        colour = look.colour("track")
        painter.setPen(look.colour("faint"))
        align = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        for tick in byte_ticks(view, self._icicle.total):
            x = round(view.x(tick))
            painter.fillRect(x, RULER_PX - 4, 1, math.ceil(view.height) + 4, colour)
            text = fmt.byte_size(tick)
            room = QRectF(x - 2, 0, view.width - x + 2, RULER_PX - 4)
            if painter.fontMetrics().horizontalAdvance(text) <= room.width():
                painter.drawText(room, align, text)

    def boxes(self, font: QFont) -> None:
        """Everything below the ruler."""
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        self._planes()
        if self._view.lane_px >= _LEAST_OWN_LANE_PX:
            self._own()
        self._counted()
        if self._view.lane_px >= _LEAST_LABEL_LANE_PX:
            self._labels(font)

    def _on_screen(self, made: Boxes) -> Boxes:
        """The boxes of the frame's rows on levels that are on screen."""
        top, bottom = self._view.lane(0), self._view.lane(self._view.height)
        mine = np.zeros(len(self._icicle.table), dtype=np.bool_)
        mine[self._at.rows] = True
        seen = (made.level >= top) & (made.level <= bottom) & (mine[made.row] | made.counted)
        if self._frame.geometry.only is not None:
            seen &= self._frame.geometry.only[made.row] & ~made.counted
        return Boxes(
            made.row[seen],
            made.count[seen],
            made.left[seen],
            made.width[seen],
            made.level[seen],
            made.counted[seen],
        )

    def _planes(self) -> None:
        """Each box split into the share of its KV and, hatched, that of its states."""
        at, weights = self._boxes, self._icicle.weights
        plain = ~at.counted
        rows, left, width = at.row[plain], at.left[plain], at.width[plain]
        top = self._tops(at.level[plain])
        share = weights.kv_below[rows] / np.maximum(1, weights.whole[rows])
        split = left + width * share
        height = self._at.bar_px
        look, painter = self._look, self._painter
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.colour("kv_cached", 0.55))
        painter.drawRects(self._rects(left, split, top, height))
        states = self._rects(split, left + width, top, height, 0.0)
        painter.setBrush(look.colour("state_cached", 0.45))
        painter.drawRects(states)
        painter.setBrush(QBrush(look.colour("state_cached"), Qt.BrushStyle.BDiagPattern))
        painter.drawRects(states)
        running = self._icicle.table.ids[rows] == LIVE_ID
        if running.any():
            painter.setBrush(look.colour("accent", 0.35))
            painter.drawRects(
                self._rects(left[running], (left + width)[running], top[running], height)
            )

    def _own(self) -> None:
        """The bytes of the node itself: the part of the lower edge without children."""
        at, weights = self._boxes, self._icicle.weights
        plain = ~at.counted
        rows, right = at.row[plain], (at.left + at.width)[plain]
        scale = self._view.px_per_unit
        states = right - weights.state[rows] * scale
        begin = states - weights.kv[rows] * scale
        top = self._tops(at.level[plain]) + self._at.bar_px - _OWN_PX
        self._painter.setBrush(self._look.colour("kv_locked"))
        self._painter.drawRects(self._rects(begin, states, top, _OWN_PX, 0.0))
        self._painter.setBrush(self._look.colour("state_locked"))
        self._painter.drawRects(self._rects(states, right, top, _OWN_PX, 0.0))

    def _counted(self) -> None:
        """The boxes that stand for several nodes too small to draw."""
        at = self._boxes
        some = at.counted
        left, width = at.left[some], at.width[some]
        top = self._tops(at.level[some])
        self._painter.setBrush(QBrush(self._look.colour("faint"), Qt.BrushStyle.Dense5Pattern))
        self._painter.drawRects(self._rects(left, left + width, top, self._at.bar_px))

    def _labels(self, font: QFont) -> None:
        at, painter = self._boxes, self._painter
        wide = np.minimum(at.left + at.width, self._view.width) - np.maximum(at.left, 0.0)
        found = np.flatnonzero(wide >= _LEAST_LABEL_PX)
        if len(found) > _MOST_LABELS:
            found = found[np.argsort(-wide[found], kind="stable")[:_MOST_LABELS]]
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        painter.setPen(self._look.colour("text"))
        lift = 2.0 if self._view.lane_px >= _LEAST_OWN_LANE_PX else 0.0
        for box in found.tolist():
            left = max(0.0, float(at.left[box]))
            area = QRectF(
                left + 5,
                float(self._tops(at.level[box : box + 1])[0]) - lift,
                float(wide[box]) - 9,
                self._at.bar_px,
            )
            size, text = self._words(box)
            if metrics.horizontalAdvance(size) > area.width():
                continue
            if text and metrics.horizontalAdvance(size) + _LEAST_TEXT_PX < area.width():
                size = f"{size} · {text}"
            shown = metrics.elidedText(size, Qt.TextElideMode.ElideRight, area.width())
            painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, shown)

    def _words(self, box: int) -> tuple[str, str]:
        """The bytes, which the width shows, and what they belong to."""
        at, table = self._boxes, self._icicle.table
        row = int(at.row[box])
        if at.counted[box]:
            return f"+{int(at.count[box]):,}", ""
        size = fmt.byte_size(int(self._icicle.weights.whole[row]))
        if table.parent[row] < 0:
            return size, tr("all {nodes}").format(
                nodes=fmt.plural(len(self._frame.snapshot.nodes) - 1, "node")
            )
        if table.ids[row] == LIVE_ID:
            return size, tr("running request")
        chip = self._at.layout.folded.chips.get(row)
        if chip is not None:
            return size, chip.words
        text = self._frame.snapshot.nodes[int(table.source[row])].text[:160]
        name = name_where_it_begins(self._at.layout, row, self._chats)
        return size, " ".join((f"{name}:" if name else "", *text.split())).strip()

    def _tops(self, level: Ints) -> Floats:
        made: Floats = level * self._view.lane_px + self._at.y(0)
        return made

    def _rects(
        self, left: Floats, right: Floats, top: Floats, height: float, gap: float = 1.0
    ) -> list[QRectF]:
        """Rectangles clipped a little outside the canvas; invisible ones are left out."""
        begin, end = np.maximum(left, -4.0), np.minimum(right, self._view.width + 4.0)
        seen = end - begin > 0.3
        begin, top = begin[seen], top[seen]
        width = np.maximum(1.0, end[seen] - begin - gap)
        return [
            QRectF(x, y, w, height)
            for x, y, w in zip(begin.tolist(), top.tolist(), width.tolist(), strict=True)
        ]


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


# With more edges than this they are straight, which draws in one go.
_MOST_CURVES = 150
_LEAST_ROOM_PX = 3.0


def _tree_painter(painter: QPainter, frame: Frame) -> TreePainter:
    return TreePainter(painter, frame.look, frame.geometry, frame.snapshot, figured=frame.figured)


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
        """A caption, since there is no axis."""
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
        nodes = _tree_painter(self._painter, self._frame)
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
        """Rows whose edge to their parent is on screen, and its ends; each pixel once."""
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
        # A name at the edge may cover rows of its group.
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
            _tree_painter(painter, frame).axis(theme.mono_font(10))

    def paint(self, painter: QPainter, frame: Frame) -> None:
        geometry, look = frame.geometry, frame.look
        _tree_painter(painter, frame).tree(theme.ui_font(11))
        if frame.figured:
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
