"""A plot of reuse by request: two rows of small columns, today and predicted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from app.core.words import format as fmt
from app.core.words.joining import listed
from app.core.words.tr import tr
from app.ui import theme
from engine.analysis.report import ReplayReport

_ROW_PX = 40
_GAP_PX = 6
_LEFT_PX = 66
_KINDS = ("reused", "replayed", "computed")
_LEAST_PX = 3

# Reused, replayed and computed.
Tokens = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Column:
    """`requests` requests from number `first` on, and the sums of their tokens."""

    first: int
    requests: int
    reused: int
    replayed: int
    computed: int

    @property
    def total(self) -> int:
        return self.reused + self.replayed + self.computed


def today_tokens(today: ReplayReport) -> list[Tokens]:
    """The tokens of each request; measured if recorded, else replayed."""
    return [one.recorded or one.tokens for one in today.requests]


def predicted_tokens(today: ReplayReport, predicted: ReplayReport) -> list[Tokens]:
    """Today's tokens of each request, shifted by the difference between the two replays."""
    return [
        _shifted(one.recorded or one.tokens, one.tokens, other.tokens)
        for one, other in zip(today.requests, predicted.requests, strict=False)
    ]


def _shifted(measured: Tokens, before: Tokens, after: Tokens) -> Tokens:
    """Shift the counts, keeping the prompt's total."""
    total = sum(measured)
    reused = min(max(measured[0] + after[0] - before[0], 0), total)
    replayed = min(max(measured[1] + after[1] - before[1], 0), total - reused)
    return reused, replayed, total - reused - replayed


def columns(requests: Sequence[Tokens], width: float) -> list[Column]:
    """Group requests into as many columns as fit into `width` pixels."""
    if not requests:
        return []
    most = max(int(width // _LEAST_PX), 1)
    each = -(-len(requests) // most)
    return [
        Column(first, len(part), *(sum(kind) for kind in zip(*part, strict=True)))
        for first in range(0, len(requests), each)
        if (part := requests[first : first + each])
    ]


def tooltip(today: Column, predicted: Column | None) -> str:
    last = today.first + today.requests
    name = (
        tr("Request {last}").format(last=last)
        if today.requests == 1
        else tr("Requests {first} to {last}").format(first=today.first + 1, last=last)
    )
    lines = [
        listed((name, fmt.plural(today.total, "token"))),
        tr("today: {today}").format(today=_parts(today)),
    ]
    if predicted is not None:
        lines.append(tr("predicted: {predicted}").format(predicted=_parts(predicted)))
    return "\n".join(lines)


def _parts(column: Column) -> str:
    return tr("{reused} reused, {replayed} replayed, {computed} new").format(
        reused=fmt.count(column.reused),
        replayed=fmt.count(column.replayed),
        computed=fmt.count(column.computed),
    )


class RequestsPlot(QWidget):
    """Heights are tokens, on one scale for both rows.

    Signals:
        chosen(object): the user selected the request of this number in the recording.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reports: tuple[ReplayReport | None, ReplayReport | None] = (None, None)
        self._rows: list[list[Column]] = [[], []]
        self._at: int | None = None
        self.setFixedHeight(2 * _ROW_PX + _GAP_PX)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Tokens reused, replayed and new, by request"))

    def show_reports(self, today: ReplayReport | None, predicted: ReplayReport | None) -> None:
        self._reports = today, predicted
        self._arrange()

    def show_request(self, number: int | None) -> None:
        """Mark the request of a number in the recording."""
        if number != self._at:
            self._at = number
            self.update()

    @property
    def described(self) -> str:
        """The marked column, for a screen reader."""
        return self.accessibleDescription()

    def _arrange(self) -> None:
        room = max(self.width() - _LEFT_PX, 1)
        today, predicted = self._reports
        first = [] if today is None else today_tokens(today)
        second = predicted_tokens(today, predicted) if today and predicted else []
        self._rows = [columns(first, room), columns(second, room)]
        self.update()

    def _column_at(self, x: float) -> int | None:
        at = int((x - _LEFT_PX) / self._step)
        return at if 0 <= at < len(self._rows[0]) else None

    @property
    def _step(self) -> float:
        return max(self.width() - _LEFT_PX, 1) / max(len(self._rows[0]), 1)

    def sizeHint(self) -> QSize:
        return QSize(300, self.height())

    def resizeEvent(self, event: object) -> None:
        self._arrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        look, painter = theme.current(), QPainter(self)
        most = max((column.total for row in self._rows for column in row), default=1) or 1
        painter.setFont(theme.ui_font(theme.SMALL_PX))
        for number, (name, row) in enumerate(
            zip((tr("today"), tr("predicted")), self._rows, strict=True)
        ):
            top = number * (_ROW_PX + _GAP_PX)
            painter.setPen(look.colour("faint"))
            label = QRectF(0, top, _LEFT_PX - 6, _ROW_PX)
            painter.drawText(
                label, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name
            )
            painter.fillRect(
                QRectF(_LEFT_PX, top + _ROW_PX - 1, self.width() - _LEFT_PX, 1),
                look.colour("border"),
            )
            for at, column in enumerate(row):
                self._paint_column(painter, at, column, top, (_ROW_PX - 1) / most)
        if self._at is not None:
            self._paint_mark(painter)
        if self.hasFocus():
            painter.setPen(QPen(look.colour("accent"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()

    def _paint_column(
        self, painter: QPainter, at: int, column: Column, top: float, scale: float
    ) -> None:
        look, step = theme.current(), self._step
        gap = 1 if step >= 4 else 0
        bottom = top + _ROW_PX - 1
        for kind in _KINDS:
            height = getattr(column, kind) * scale
            area = QRectF(_LEFT_PX + at * step, bottom - height, max(step - gap, 1), height)
            painter.fillRect(area, look.colour(kind))
            if kind == "replayed" and height > 2:
                stripes = QBrush(look.colour("window", 0.45), Qt.BrushStyle.BDiagPattern)
                painter.fillRect(area, stripes)
            elif kind == "computed" and height > 2:
                painter.fillRect(area.adjusted(1, 1, -1, 0), look.colour("window", 0.55))
            bottom -= height

    def _paint_mark(self, painter: QPainter) -> None:
        for at, column in enumerate(self._rows[0]):
            if self._at is not None and column.first <= self._at < column.first + column.requests:
                painter.setPen(QPen(theme.current().colour("text"), 1))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                step = self._step
                painter.drawRect(
                    QRectF(_LEFT_PX + at * step - 0.5, 0.5, max(step, 3), self.height() - 1)
                )

    def _move(self, by: int) -> None:
        if not self._rows[0]:
            return
        places = [column.first for column in self._rows[0]]
        now = max((n for n, first in enumerate(places) if first <= (self._at or 0)), default=0)
        at = min(max(now + by if self._at is not None else 0, 0), len(places) - 1)
        self._choose(at)

    def _choose(self, at: int) -> None:
        column = self._rows[0][at]
        self.show_request(column.first)
        self.setAccessibleDescription(self._tip(at))
        self.chosen.emit(column.first)

    def _tip(self, at: int) -> str:
        predicted = self._rows[1][at] if at < len(self._rows[1]) else None
        return tooltip(self._rows[0][at], predicted)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = self._column_at(event.position().x())
        if at is not None:
            self._choose(at)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._move(1 if event.key() == Qt.Key.Key_Right else -1)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            at = self._column_at(event.pos().x())
            if at is not None:
                QToolTip.showText(event.globalPos(), self._tip(at), self)
            return True
        return super().event(event)
