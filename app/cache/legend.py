"""One line that says what the marks of the tree mean."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app import theme
from app.cache.fading_painter import draw_span
from app.cache.marks import draw_mark

_ENTRIES = (
    ("prefill", "read", "Checkpoint taken while reading a prompt"),
    ("decode", "written", "Checkpoint taken while writing an answer"),
    ("branch", "fork", "Checkpoint taken where a conversation forked"),
    ("tombstone", "no state", "Keys and values without a state to resume from"),
    ("lock", "in use", "Held by the running request"),
    ("lower", "below", "Only in host memory or on disk, and brought up when it is wanted"),
    ("wrong", "wrong", "An audit found the state to be wrong: it is not used any more"),
)
# Explained while such marks are on screen, at the right end, so that nothing else moves.
_EVICTIONS = (
    ("lost", "lost", "Just evicted, and on no tier any more: point at it to see why"),
    ("moved", "moved down", "Just evicted, and still in host memory or on disk"),
)
_MARK_PX = 16
_GAP_PX = 10
_HEIGHT_PX = 18


class TreeLegend(QWidget):
    """Draws the marks with a word each; entries that do not fit are left out.

    Attributes:
        shown: the words that are drawn, from left to right.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(_HEIGHT_PX)
        self.setFont(theme.ui_font(11))
        self.setAccessibleName("Legend of the tree")
        self._evictions = False
        every = (*_ENTRIES, *_EVICTIONS)
        self.setToolTip("\n".join(f"{word}: {meaning}" for _, word, meaning in every))

    def show_evictions(self, on: bool) -> None:
        """Explain the marks of what went, or do not."""
        if on != self._evictions:
            self._evictions = on
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(320, _HEIGHT_PX)

    @property
    def shown(self) -> tuple[str, ...]:
        return tuple(entry[1] for entry, _ in self._placed())

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for (kind, word, _), at in self._placed():
            self._draw(painter, look, kind, QPointF(at + 6, _HEIGHT_PX / 2))
            painter.setPen(look.colour("faint"))
            room = QRectF(at + _MARK_PX + 2, 0, self._width(word), _HEIGHT_PX)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, word)
        painter.end()

    def _placed(self) -> list[tuple[tuple[str, str, str], float]]:
        """The entries that have room and where each begins, in pixels."""
        end = float(self.width())
        placed = []
        for entry in reversed(_EVICTIONS if self._evictions else ()):
            width = _MARK_PX + self._width(entry[1])
            if width + 4 > end:
                break
            placed.append((entry, end - width))
            end -= width + _GAP_PX
        placed.reverse()
        at = 4.0
        first = []
        for entry in _ENTRIES:
            width = _MARK_PX + self._width(entry[1])
            if at + width > end:
                break
            first.append((entry, at))
            at += width + _GAP_PX
        return first + placed

    def _width(self, word: str) -> float:
        return self.fontMetrics().horizontalAdvance(word) + 4

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
        else:
            draw_mark(painter, look, middle, 7, kind)
