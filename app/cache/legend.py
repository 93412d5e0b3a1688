"""Explains the marks of the tree."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import theme
from app.cache.fading_painter import draw_span
from app.cache.marks import draw_mark

_ENTRIES = (
    ("prefill", "read", "Checkpoint taken while reading a prompt"),
    ("decode", "written", "Checkpoint taken while writing an answer"),
    ("branch", "fork", "Checkpoint taken where a conversation forked"),
    ("tombstone", "tombstone", "Keys and values without a checkpoint on any tier"),
    ("lost", "lost", "Just evicted, with no copy on any tier: hover to see why"),
    ("moved", "moved down", "Just evicted, but still in host memory or on disk"),
    ("kept", "kept", "Just left a tier, but a copy remains on the same or a faster one"),
    ("lock", "in use", "Held by the running request"),
    ("lower", "host or disk", "Only in host memory or on disk, and loaded when needed"),
    ("wrong", "wrong", "An audit found the state to be wrong: it is no longer used"),
)
_MARK_PX = 16
_GAP_PX = 10
_LEFT_PX = 4
_HEIGHT_PX = 18


class TreeLegend(QWidget):
    """Draws each mark with a word, in as many lines as needed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setFont(theme.ui_font(11))
        self.setAccessibleName("Legend of the tree")
        self.setToolTip("\n".join(f"{word}: {meaning}" for _, word, meaning in _ENTRIES))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return round(self._places(width)[-1].y()) + _HEIGHT_PX

    def sizeHint(self) -> QSize:
        return QSize(320, self.heightForWidth(320))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, _HEIGHT_PX)

    def _places(self, width: int) -> list[QPointF]:
        """The upper left corner of each entry, in as many lines as needed."""
        metrics = self.fontMetrics()
        made, at = [], QPointF(_LEFT_PX, 0)
        for _, word, _ in _ENTRIES:
            taken = _MARK_PX + 2 + metrics.horizontalAdvance(word)
            if at.x() > _LEFT_PX and at.x() + taken > width:
                at = QPointF(_LEFT_PX, at.y() + _HEIGHT_PX)
            made.append(at)
            at = at + QPointF(taken + _GAP_PX, 0)
        return made

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = QPointF(6, _HEIGHT_PX / 2)
        for (kind, word, _), at in zip(_ENTRIES, self._places(self.width()), strict=True):
            self._draw(painter, look, kind, at + middle)
            painter.setPen(look.colour("faint"))
            width = painter.fontMetrics().horizontalAdvance(word)
            room = QRectF(at.x() + _MARK_PX + 2, at.y(), width + 2, _HEIGHT_PX)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, word)
        painter.end()

    def _draw(self, painter: QPainter, look: theme.Theme, kind: str, middle: QPointF) -> None:
        area = QRectF(middle.x() - 7, middle.y() - 5, 14, 10)
        if kind == "tombstone":
            painter.fillRect(area, QBrush(look.lane(0), Qt.BrushStyle.BDiagPattern))
        elif kind == "lower":
            painter.setPen(look.lane(0))
            painter.drawRect(area)
        elif kind == "lock":
            painter.fillRect(area, look.lane(0))
            line = QRectF(area.left(), area.bottom() + 1, area.width(), 2)
            painter.fillRect(line, look.colour("accent"))
        elif kind == "lost":
            draw_span(painter, look, area, "lost", "pressed")
        elif kind == "moved":
            draw_span(painter, look, area.adjusted(0, 0, 0, -3), "moved", "pressed")
        elif kind == "kept":
            painter.fillRect(area.adjusted(0, 0, 0, -3), look.colour("track"))
            draw_span(painter, look, area.adjusted(0, 0, 0, -3), "kept", "pressed")
        else:
            draw_mark(painter, look, middle, 7, kind)
