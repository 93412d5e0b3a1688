"""Bars of each request's positions, within the outline of a cold run."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.core.session.ledger import Ran
from app.core.words import format as fmt
from app.core.words.tr import tr
from app.lab.logic.phase_sentences import Caching, positions
from app.ui import theme
from app.ui.theme import Theme

_LEFT_PX, _TOP_PX, _BOTTOM_PX = 54, 8, 20
_LEAST_PX, _MOST_PX, _GAP_PX = 12, 40, 4
_PARTS = ("replayed", "computed", "decoded")
_COLD_ALPHA = 0.45


class TurnBars(QWidget):
    """The most recent requests that fit, the newest at the right.

    Attributes:
        runs: all requests.
        chosen: index of the selected one; None if there are none.
        caching: whether to paint what ran, what a cold run would be, or both.

    Signals:
        picked: another one was selected.
    """

    picked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.runs: tuple[Ran, ...] = ()
        self.chosen: int | None = None
        self.caching: Caching = "both"
        self.setAccessibleName(tr("Positions of each request"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(260, 120)

    def show_runs(self, runs: tuple[Ran, ...]) -> None:
        """Show other requests; if the newest was selected, select the new newest."""
        newest = self.chosen is None or self.chosen >= len(self.runs) - 1
        self.runs = runs
        last = len(runs) - 1
        self.chosen = None if not runs else last if newest else min(self.chosen or 0, last)
        self.update()
        self.picked.emit()

    def show_caching(self, caching: Caching) -> None:
        self.caching = caching
        self.update()

    def pick(self, index: int) -> None:
        if self.runs:
            self.chosen = min(max(index, 0), len(self.runs) - 1)
            self.update()
            self.picked.emit()

    def sizeHint(self) -> QSize:
        return QSize(460, 190)

    @property
    def plot(self) -> QRectF:
        return QRectF(self.rect()).adjusted(_LEFT_PX, _TOP_PX, -4, -_BOTTOM_PX)

    @property
    def first(self) -> int:
        """The oldest request on screen; the selected one is always on screen."""
        room = max(1, int(self.plot.width() // _LEAST_PX))
        newest = max(0, len(self.runs) - room)
        return newest if self.chosen is None else min(newest, self.chosen)

    def bar(self, index: int) -> QRectF:
        """The area of a request, over the whole height."""
        area = self.plot
        shown = min(len(self.runs) - self.first, max(1, int(area.width() // _LEAST_PX)))
        step = min(float(_MOST_PX), area.width() / max(1, shown))
        left = area.left() + (index - self.first) * step
        return QRectF(left, area.top(), step - _GAP_PX, area.height())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        for index in range(self.first, len(self.runs)):
            if self.bar(index).adjusted(0, 0, _GAP_PX, _BOTTOM_PX).contains(event.position()):
                self.pick(index)
                return

    def keyPressEvent(self, event: QKeyEvent) -> None:
        at, last = self.chosen or 0, len(self.runs) - 1
        places = {
            Qt.Key.Key_Left: at - 1,
            Qt.Key.Key_Right: at + 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        if event.key() in places:
            self.pick(places[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        look, area = theme.current(), self.plot
        painter = QPainter(self)
        painter.setFont(theme.mono_font(10))
        shown = [
            i for i in range(self.first, len(self.runs)) if self.bar(i).right() <= area.right()
        ]
        most = max((positions(self.runs[i]).cold for i in shown), default=1)
        self._paint_axis(painter, look, most)
        for index in shown:
            self._paint_bar(painter, look, index, most)
        if self.hasFocus():
            painter.setPen(look.colour("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.end()

    def _paint_axis(self, painter: QPainter, look: Theme, most: int) -> None:
        area = self.plot
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for value, y in ((most, area.top()), (0, area.bottom())):
            painter.setPen(QPen(look.colour("border"), 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(look.colour("faint"))
            if self.runs:
                painter.drawText(QRectF(0, y - 8, _LEFT_PX - 6, 16), right, fmt.thousands(value))

    def _paint_bar(self, painter: QPainter, look: Theme, index: int, most: int) -> None:
        place, ran = self.bar(index), self.runs[index]
        height = place.height() / max(1, most)
        base = place.bottom()
        parts = () if self.caching == "without" else zip(_PARTS, part_values(ran), strict=True)
        for name, value in parts:
            top = base - value * height
            painter.fillRect(
                QRectF(place.left(), top, place.width(), base - top), part_colour(look, name)
            )
            base = top
        found = positions(ran)
        tall = height * (found.cached if self.caching == "with" else found.cold)
        outline = QRectF(place.left(), place.bottom() - tall, place.width(), tall)
        if self.caching == "without":
            painter.fillRect(outline, look.colour("faint", _COLD_ALPHA))
        chosen = index == self.chosen
        line = QPen(look.colour("text" if chosen else "faint"), 2 if chosen else 1)
        line.setStyle(Qt.PenStyle.SolidLine if chosen else Qt.PenStyle.DotLine)
        painter.setPen(line)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(outline.adjusted(0.5, 0.5, -0.5, 0))
        if chosen or place.width() >= 20:
            painter.setPen(look.colour("text" if chosen else "faint"))
            below = QRectF(place.center().x() - 24, place.bottom() + 2, 48, 16)
            painter.drawText(below, Qt.AlignmentFlag.AlignCenter, str(ran.number))


def part_values(ran: Ran) -> tuple[int, int, int]:
    """Positions that ran: replayed, computed, decoded."""
    return ran.report.plan.replayed, ran.report.plan.computed, ran.steps


def part_colour(look: Theme, part: str) -> QColor:
    return look.colour("accent" if part == "decoded" else part)
