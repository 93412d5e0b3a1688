"""A ring around the part of a figure that a number in the text is about."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QScrollArea, QWidget

from app.ui import theme

_AROUND_PX, _LINE_PX, _ROUND_PX = 4, 2, 6


class Spotlight(QWidget):
    """Lies over a window's figures, and lets the mouse through."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self._over = over
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def show_on(self, part: QWidget, rect: QRectF) -> None:
        """Ring a part of a widget, scrolled into view; nothing if it is not on screen."""
        if not part.isVisible():
            self.hide()
            return
        seen, area = self._over.rect(), _scrolls(part)
        if area is not None:
            _scroll_to(area, part, rect)
            seen = QRect(area.mapTo(self._over, QPoint(0, 0)), area.size())
        around = rect.translated(part.mapTo(self._over, QPoint(0, 0)).toPointF())
        around = around.adjusted(-_AROUND_PX, -_AROUND_PX, _AROUND_PX, _AROUND_PX)
        self.setGeometry(around.toAlignedRect().intersected(seen))
        self.raise_()
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        look, painter = theme.current(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(look.colour("accent"), _LINE_PX))
        painter.setBrush(look.colour("accent", 0.12))
        inside = QRectF(self.rect()).adjusted(_LINE_PX, _LINE_PX, -_LINE_PX, -_LINE_PX)
        painter.drawRoundedRect(inside, _ROUND_PX, _ROUND_PX)
        painter.end()


def _scrolls(part: QWidget) -> QScrollArea | None:
    """The scroll area that a widget is in."""
    area = part.parentWidget()
    while area is not None and not isinstance(area, QScrollArea):
        area = area.parentWidget()
    return area


def _scroll_to(area: QScrollArea, part: QWidget, rect: QRectF) -> None:
    content = area.widget()
    assert content is not None, "the part is in it"
    middle = part.mapTo(content, rect.center().toPoint())
    area.ensureVisible(middle.x(), middle.y(), 20, round(rect.height() / 2) + 20)
