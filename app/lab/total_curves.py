"""The plot of positions processed in sum, request by request, on a logarithmic axis."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import theme
from app.lab.phases import Positions
from app.lab.scale import LogAxis
from app.theme import Theme
from app.words import format as fmt
from app.words.tr import tr

_LEFT_PX, _RIGHT_PX, _TOP_PX, _BOTTOM_PX = 54, 10, 10, 20
_LINE_PX = 34
DASHES = {
    "cached": Qt.PenStyle.SolidLine,
    "cold": Qt.PenStyle.DashLine,
    "bare": Qt.PenStyle.DotLine,
}


class TotalCurves(QWidget):
    """Three lines: with the cache, every prompt cold, no cache at all.

    Attributes:
        totals: the sums after each request.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.totals: tuple[Positions, ...] = ()
        self._axis = LogAxis(1, 10)
        self.setAccessibleName(tr("Positions in sum"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(260, 120)

    def show_totals(self, totals: tuple[Positions, ...]) -> None:
        self.totals = totals
        if totals:
            low = 10 ** (len(str(max(1, totals[0].cached))) - 1)
            self._axis = LogAxis(low, max(10 * low, 10 ** len(str(totals[-1].bare))))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(360, 190)

    @property
    def plot(self) -> QRectF:
        return QRectF(self.rect()).adjusted(_LEFT_PX, _TOP_PX, -_RIGHT_PX, -_BOTTOM_PX)

    def point(self, index: int, value: int) -> QPointF:
        """Where a sum stands; index counts requests from 0."""
        area = self.plot
        along = index / max(1, len(self.totals) - 1)
        return QPointF(
            area.left() + along * area.width(),
            area.bottom() - self._axis.place(max(1, value)) * area.height(),
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.mono_font(10))
        self._paint_axis(painter, look)
        for key in ("bare", "cold", "cached"):
            painter.setPen(line_pen(look, key))
            line = [self.point(i, getattr(sums, key)) for i, sums in enumerate(self.totals)]
            if len(line) == 1:
                line.append(QPointF(self.plot.right(), line[0].y()))
            painter.drawPolyline(QPolygonF(line))
        painter.end()

    def _paint_axis(self, painter: QPainter, look: Theme) -> None:
        area, value = self.plot, self._axis.low
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        while value <= self._axis.high:
            y = round(self.point(0, value).y()) + 0.5
            painter.setPen(QPen(look.colour("border"), 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(look.colour("faint"))
            if self.totals:
                painter.drawText(QRectF(0, y - 8, _LEFT_PX - 6, 16), right, _power(value))
            value *= 10
        painter.setPen(look.colour("faint"))
        below = QRectF(area.left(), area.bottom() + 2, area.width(), 16)
        painter.drawText(below, right, tr("requests, sums on a logarithmic axis"))


def line_pen(look: Theme, key: str) -> QPen:
    colour = look.colour("accent") if key == "cached" else look.lane(3 if key == "bare" else 2)
    return QPen(colour, 2.5 if key == "cached" else 2.0, DASHES[key])


def _power(value: int) -> str:
    if value >= 10**9:
        return f"{value // 10**9}G"
    return f"{value // 10**6}M" if value >= 10**6 else fmt.thousands(value).replace(".0k", "k")
