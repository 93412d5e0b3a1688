"""The tree as lanes on an axis of messages or of tokens: the views "Messages" and "Tokens"."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from app import theme
from app.cache.arrangement import Arrangement
from app.cache.axis import Axis
from app.cache.folding import Folding
from app.cache.geometry import Geometry, lane_bar_px
from app.cache.lanes import GroupedLaneAssigner
from app.cache.layout import Layout, advance, lay_out
from app.cache.table import TableReader
from app.cache.tree_painter import TreePainter, paint_names, paint_outside, paint_stubs
from app.cache.tree_view import Frame
from app.theme import Theme
from engine.snapshot import CacheSnapshot

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
