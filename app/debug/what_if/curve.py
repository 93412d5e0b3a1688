"""Draws the curve of a sweep, with the value set today and the one on the slider."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QToolTip, QWidget

from app import theme
from app.debug.what_if.knobs import Knob
from app.debug.what_if.study import Point
from app.words.engine_words import said
from app.words.joining import listed, titled
from app.words.tr import tr

_LEFT_PX, _RIGHT_PX, _TOP_PX, _BOTTOM_PX = 40, 10, 10, 20
_HEIGHT_PX = 120
_DOT_PX = 2.5


class Curve(QWidget):
    """Share of the prompts reused at each position of one slider.

    Attributes:
        knob: the slider.
        points: by position; None where it is not known yet.
        today, wanted: values of that slider.

    Signals:
        chosen(object): the user pointed at a value.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.knob: Knob | None = None
        self.points: list[Point | None] = []
        self.today: object = None
        self.wanted: object = None
        self.setFixedHeight(_HEIGHT_PX)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setMouseTracking(True)

    def show_sweep(
        self, knob: Knob, points: list[Point | None], today: object, wanted: object
    ) -> None:
        self.knob, self.points, self.today, self.wanted = knob, points, today, wanted
        self.setAccessibleName(tr("Reuse by {label}").format(label=knob.label))
        self.setAccessibleDescription(
            listed(
                f"{knob.words(point.value)} {point.reused:.0%}"
                for point in points
                if point is not None and not point.sentence
            )
        )
        self.update()

    def clear(self) -> None:
        self.knob, self.points = None, []
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(300, _HEIGHT_PX)

    @property
    def _area(self) -> QRectF:
        return QRectF(
            _LEFT_PX,
            _TOP_PX,
            max(self.width() - _LEFT_PX - _RIGHT_PX, 1),
            _HEIGHT_PX - _TOP_PX - _BOTTOM_PX,
        )

    def _x(self, at: int) -> float:
        area = self._area
        return area.left() + area.width() * at / max(len(self.points) - 1, 1)

    def _ceiling(self) -> float:
        """The top of the axis: a round share above all points."""
        most = max((point.reused for point in self.points if point is not None), default=0.0)
        return next(top for top in (0.1, 0.25, 0.5, 0.75, 1.0) if most <= top)

    def paintEvent(self, event: QPaintEvent) -> None:
        look, painter, area = theme.current(), QPainter(self), self._area
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.mono_font(11))
        top = self._ceiling()
        for share in (0.0, top / 2, top):
            y = area.bottom() - area.height() * share / top
            painter.fillRect(QRectF(area.left(), y, area.width(), 1), look.colour("border"))
            painter.setPen(look.colour("faint"))
            place = QRectF(0, y - 8, _LEFT_PX - 6, 16)
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(place, right, f"{share:.0%}" if top > 0.1 else f"{share:.1%}")
        if self.knob is not None:
            self._paint_ends(painter, self.knob)
            self._paint_curve(painter, top)
        painter.end()

    def _paint_ends(self, painter: QPainter, knob: Knob) -> None:
        area = self._area
        line = QRectF(area.left() - 20, area.bottom() + 4, area.width() + 20 + _RIGHT_PX, 16)
        painter.setPen(theme.current().colour("faint"))
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft, knob.words(knob.values[0]))
        painter.drawText(line, Qt.AlignmentFlag.AlignRight, knob.words(knob.values[-1]))

    def _paint_curve(self, painter: QPainter, top: float) -> None:
        look, area = theme.current(), self._area
        dots = [
            (point, QPointF(self._x(at), area.bottom() - area.height() * point.reused / top))
            for at, point in enumerate(self.points)
            if point is not None and not point.sentence
        ]
        painter.setPen(QPen(look.colour("reused"), 2))
        painter.drawPolyline(QPolygonF([place for _, place in dots]))
        for point, place in dots:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.colour("reused"))
            painter.drawEllipse(place, _DOT_PX, _DOT_PX)
            if point.value == self.today:
                # An open ring is today, a filled diamond is the slider.
                painter.setPen(QPen(look.colour("text"), 1.5))
                painter.setBrush(look.colour("window"))
                painter.drawEllipse(place, 5, 5)
            if point.value == self.wanted and point.value != self.today:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(look.colour("accent"))
                reach = QPointF(0, 6), QPointF(6, 0), QPointF(0, -6), QPointF(-6, 0)
                painter.drawPolygon(QPolygonF([place + by for by in reach]))

    def _at(self, x: float) -> int | None:
        """The position below the pointer."""
        if self.knob is None:
            return None
        area, last = self._area, len(self.knob.values) - 1
        return min(max(round((x - area.left()) / area.width() * last), 0), last)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = self._at(event.position().x())
        if at is not None and self.knob is not None:
            self.chosen.emit(self.knob.values[at])

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            at = self._at(event.pos().x())
            point = None if at is None or not self.points else self.points[at]
            if point is not None and self.knob is not None:
                QToolTip.showText(event.globalPos(), self._tip(self.knob, point), self)
            return True
        return super().event(event)

    def _tip(self, knob: Knob, point: Point) -> str:
        value = knob.words(point.value)
        if point.sentence:
            return titled(value, said(point.sentence))
        return tr("{value}: {reused:.1%} reused, {replayed:.1%} replayed").format(
            value=value, reused=point.reused, replayed=point.replayed
        )
