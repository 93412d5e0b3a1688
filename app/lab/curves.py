"""The plot of cache bytes against context length, one curve for each design."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import theme
from app.lab.arithmetic import Design, DesignKey, designs
from app.lab.scale import LogAxis, byte_axis, byte_ticks, token_axis, token_ticks
from app.theme import Theme
from app.words import format as fmt
from app.words.tr import tr
from engine.cache_shape import CacheShape

_LEFT_PX, _RIGHT_PX, _TOP_PX, _BOTTOM_PX = 62, 16, 22, 34
_TICK_PX = 84
_LINE_PX = 34
_POINTS = 120
_DOT_PX = 3.5
_LANES: dict[DesignKey, int] = {"every_head": 3, "grouped": 2}
# Told apart without colour, too.
_DASHES: dict[DesignKey, Qt.PenStyle] = {
    "every_head": Qt.PenStyle.DotLine,
    "grouped": Qt.PenStyle.DashLine,
    "hybrid": Qt.PenStyle.SolidLine,
}


def design_colour(look: Theme, key: DesignKey) -> QColor:
    return look.colour("accent") if key == "hybrid" else look.lane(_LANES[key])


def design_pen(look: Theme, key: DesignKey) -> QPen:
    pen = QPen(design_colour(look, key), 2.5 if key == "hybrid" else 2.0, _DASHES[key])
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return pen


class Curves(QWidget):
    """Three curves on logarithmic axes, with the chosen length and the conversation's.

    Attributes:
        shape: of the open model.
        tokens: the chosen length.
        conversation: tokens of the conversation on screen, None if it has none yet.

    Signals:
        chosen: the user pointed at a length.
    """

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shape: CacheShape | None = None
        self.tokens = 1
        self.conversation: int | None = None
        self._x = self._y = LogAxis(1, 2)
        self._computed: tuple[tuple[int, tuple[Design, ...]], ...] = ()
        # The conversation's mark moves with every token, the rest does not.
        self._still: QPixmap | None = None
        self._still_key: object = None
        self.setAccessibleName(tr("Cache bytes by context length"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setMinimumSize(360, 200)

    def show_shape(self, shape: CacheShape) -> None:
        self.shape = shape
        self._x = token_axis(shape.window)
        lengths = [self._x.value(at / _POINTS) for at in range(_POINTS + 1)]
        self._computed = tuple((at, designs(shape, at)) for at in lengths)
        sizes = [design.bytes for _, made in self._computed for design in made]
        self._y = byte_axis(min(sizes), max(sizes))
        self.update()

    def show_tokens(self, tokens: int, conversation: int | None, words: str) -> None:
        """Mark two lengths; `words` say the figures at the chosen one."""
        self.tokens, self.conversation = tokens, conversation
        self.setAccessibleDescription(words)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(520, 216)

    @property
    def plot(self) -> QRectF:
        """Where the curves are, in pixels."""
        return QRectF(self.rect()).adjusted(_LEFT_PX, _TOP_PX, -_RIGHT_PX, -_BOTTOM_PX)

    def point(self, tokens: int, size: int) -> QPointF:
        area = self.plot
        return QPointF(
            area.left() + self._x.place(tokens) * area.width(),
            area.bottom() - self._y.place(size) * area.height(),
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._choose(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._choose(event)

    def _choose(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton and self.shape is not None:
            area = self.plot
            self.chosen.emit(self._x.value((event.position().x() - area.left()) / area.width()))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.shape is None:
            return
        still = self._still_picture()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawPixmap(0, 0, still)
        self._paint_conversation(painter)
        self._paint_chosen(painter, self.shape)
        painter.end()

    def _still_picture(self) -> QPixmap:
        """Axes and curves; painted again when the model, the size or the theme changes."""
        scale = self.devicePixelRatioF()
        key = (self.shape, theme.current().name, self.size().toTuple(), scale)
        if self._still is None or self._still_key != key:
            self._still, self._still_key = QPixmap(self.size() * scale), key
            self._still.setDevicePixelRatio(scale)
            self._still.fill(Qt.GlobalColor.transparent)
            painter = QPainter(self._still)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_axes(painter)
            self._paint_curves(painter)
            painter.end()
        return self._still

    def _paint_axes(self, painter: QPainter) -> None:
        look, area = theme.current(), self.plot
        painter.setFont(theme.mono_font(10))
        faint, line = look.colour("faint"), QPen(look.colour("border"), 1)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for tick in byte_ticks(self._y, int(area.height() / _LINE_PX)):
            y = round(self.point(1, tick.value).y()) + 0.5
            painter.setPen(line)
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(faint)
            painter.drawText(QRectF(0, y - 8, _LEFT_PX - 8, 16), right, tick.text)
        for tick in token_ticks(self._x, int(area.width() / _TICK_PX)):
            x = round(self.point(tick.value, 1).x()) + 0.5
            painter.setPen(line)
            painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + 3))
            painter.setPen(faint)
            below = QRectF(x - 40, area.bottom() + 3, 80, 14)
            painter.drawText(below, Qt.AlignmentFlag.AlignCenter, tick.text)
        title = QRectF(area.left(), area.bottom() + 17, area.width(), 16)
        painter.drawText(title, right, tr("tokens of context, both axes logarithmic"))

    def _paint_conversation(self, painter: QPainter) -> None:
        if not self.conversation:
            return
        look = theme.current()
        x = self.point(self.conversation, 1).x()
        painter.setPen(QPen(look.colour("dim"), 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(x, self.plot.top() - 4), QPointF(x, self.plot.bottom()))
        self._caption(
            painter,
            x,
            tr("conversation {conversation}").format(conversation=fmt.count(self.conversation)),
            0,
        )

    def _paint_curves(self, painter: QPainter) -> None:
        look = theme.current()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for row, design in enumerate(self._computed[0][1]):
            curve = [self.point(tokens, made[row].bytes) for tokens, made in self._computed]
            painter.setPen(design_pen(look, design.key))
            painter.drawPolyline(QPolygonF(curve))

    def _paint_chosen(self, painter: QPainter, shape: CacheShape) -> None:
        look = theme.current()
        x = self.point(self.tokens, 1).x()
        painter.setPen(QPen(look.colour("text"), 1))
        painter.drawLine(QPointF(x, self.plot.top()), QPointF(x, self.plot.bottom()))
        painter.setPen(QPen(look.colour("window"), 1.5))
        for design in designs(shape, self.tokens):
            painter.setBrush(design_colour(look, design.key))
            painter.drawEllipse(self.point(self.tokens, design.bytes), _DOT_PX, _DOT_PX)

    def _caption(self, painter: QPainter, x: float, text: str, top: float) -> None:
        """A text above the plot, centred on a length as far as the edges allow."""
        font = theme.ui_font(11)
        width = QFontMetrics(font).horizontalAdvance(text) + 4
        left = min(max(x - width / 2, 2.0), self.width() - width - 2.0)
        painter.setFont(font)
        painter.setPen(theme.current().colour("dim"))
        painter.drawText(QRectF(left, top, width, 16), Qt.AlignmentFlag.AlignCenter, text)
