"""Draws the curve of a sweep, with today's value and the slider's."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMargins, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPen
from PySide6.QtWidgets import QToolTip

from app.core.words.engine_words import said
from app.core.words.joining import listed, titled
from app.core.words.tr import tr
from app.debugger.what_if.logic.knobs import Knob
from app.debugger.what_if.logic.study import Point
from app.ui.chart import Chart

_MARGINS = QMargins(40, 10, 10, 20)
_HEIGHT_PX = 120


class Curve(Chart):
    """Share of the prompts reused at each position of one slider.

    Attributes:
        knob: the slider.
        points: by position; None if not known yet.

    Signals:
        chosen(object): the user clicked a value.
    """

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__(_MARGINS)
        self.knob: Knob | None = None
        self.points: list[Point | None] = []
        self._line = self.line(lambda look: QPen(look.colour("reused"), 2))
        self._dots = self.marks("o", 5, lambda look: look.colour("reused"))
        # An open ring is today, a filled diamond is the slider.
        self._today = self.marks(
            "o", 10, lambda look: look.colour("window"), lambda look: QPen(look.colour("text"), 1.5)
        )
        self._wanted = self.marks("d", 13, lambda look: look.colour("accent"))
        self._ends = self.note((0, 0)), self.note((1, 0))
        self.setFixedHeight(_HEIGHT_PX)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setMouseTracking(True)

    def show_sweep(
        self, knob: Knob, points: list[Point | None], today: object, wanted: object
    ) -> None:
        self.knob, self.points = knob, points
        most = max((point.reused for point in points if point is not None), default=0.0)
        # A round share above all points.
        top = next(top for top in (0.1, 0.25, 0.5, 0.75, 1.0) if most <= top)
        last = max(len(points) - 1, 1)
        self.scale((0, last), (0, top))
        digits = 0 if top > 0.1 else 1
        self.show_ticks([(share, f"{share:.{digits}%}") for share in (0.0, top / 2, top)])
        ends = (0, knob.values[0]), (last, knob.values[-1])
        for text, (at, value) in zip(self._ends, ends, strict=True):
            text.setText(knob.words(value))
            text.setPos(at, 0)
        shown = [
            (at, point)
            for at, point in enumerate(points)
            if point is not None and not point.sentence
        ]
        for drawn, dots in (
            (self._line, shown),
            (self._dots, shown),
            (self._today, [one for one in shown if one[1].value == today]),
            (self._wanted, [one for one in shown if one[1].value == wanted != today]),
        ):
            drawn.setData([at for at, _ in dots], [point.reused for _, point in dots])
        self.setAccessibleName(tr("Reuse by {label}").format(label=knob.label))
        self.setAccessibleDescription(
            listed(f"{knob.words(point.value)} {point.reused:.0%}" for _, point in shown)
        )

    def sizeHint(self) -> QSize:
        return QSize(300, _HEIGHT_PX)

    def _at(self, x: float) -> int | None:
        """The position below the pointer."""
        if self.knob is None:
            return None
        last = len(self.knob.values) - 1
        return min(max(round(self.along(x) * last), 0), last)

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
