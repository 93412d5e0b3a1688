"""Draws a request's match ruler (reused, replayed and new, to scale), and its times."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QToolTip, QVBoxLayout, QWidget

from app.cache.logic.planes import widths
from app.cache.marks import diamond, held
from app.core.words import format as fmt
from app.core.words.tr import tr
from app.ui import theme
from app.ui.widgets import FlowRow, label
from engine.analysis.why.evidence import Evidence, Times
from engine.cache.journal.request_ran import RequestRan

_TIMES_BAR_BAR_PX = 10
_KEY_PX = 10
_GAP_PX = 14
_BAR_PX = 14
_AROUND_PX = 8
_KINDS = ("reused", "replayed", "computed")
_NAMES = {"reused": tr("Reused"), "replayed": tr("Replayed"), "computed": tr("New")}


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the bar: its name, colour token, pattern, and meaning."""

    name: str
    token: str
    pattern: Qt.BrushStyle
    meaning: str


_SOLID = Qt.BrushStyle.SolidPattern
PARTS = (
    Part(
        tr("lookup"), "kv_cached", _SOLID, tr("Rendering the prompt, and finding it in the cache")
    ),
    Part(tr("restore"), "state_cached", _SOLID, tr("Taking slots and copying the checkpoint")),
    Part(tr("replay"), "replayed", Qt.BrushStyle.BDiagPattern, tr("Running again what was known")),
    Part(tr("prefill"), "computed", _SOLID, tr("Running what is new")),
    Part(
        tr("first step"),
        "workspace",
        Qt.BrushStyle.Dense5Pattern,
        tr("The step of the first token"),
    ),
)


def parts_ms(times: Times) -> tuple[float, ...]:
    """Milliseconds of each of PARTS."""
    return (times.lookup, times.restore, times.replay, times.prefill, times.other)


def milliseconds(value: float) -> str:
    """12.4 -> "12 ms", 0.31 -> "0.3 ms", 2300 -> "2.3 s"."""
    if value >= 1000:
        return f"{value / 1000:.1f} s"
    return f"{value:.0f} ms" if value >= 9.95 else f"{value:.1f} ms"


class TimesBar(QWidget):
    """A bar of milliseconds by part, with the figures below.

    Attributes:
        figures: by part, its label.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bar = _Bar()
        self.figures = {part.name: label("–", "figures") for part in PARTS}
        row = FlowRow(_GAP_PX)
        for part in PARTS:
            row.add(_legend(part, self.figures[part.name]))
        self._row = row
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self._bar)
        column.addWidget(row)

    def show_times(self, times: Times | None) -> None:
        values = (0.0,) * len(PARTS) if times is None else parts_ms(times)
        for part, value in zip(PARTS, values, strict=True):
            self.figures[part.name].setText("–" if times is None else milliseconds(value))
        said = (f"{p.name} {milliseconds(v)}" for p, v in zip(PARTS, values, strict=True))
        self.setAccessibleName(tr("Time to the first token"))
        self.setAccessibleDescription(", ".join(said))
        self._bar.values = values
        self._bar.update()
        self._row.arrange()


class _Bar(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.values: tuple[float, ...] = ()
        self.setFixedHeight(_TIMES_BAR_BAR_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.current().colour("track"))
        # In microseconds, so that integers keep the digits of the shares.
        sizes = tuple(int(value * 1000) for value in self.values)
        at = 0.0
        for part, width in zip(PARTS, widths(sizes, self.width(), 1), strict=False):
            _fill(painter, QRectF(at, 0, width, _TIMES_BAR_BAR_PX), part)
            at += width
        painter.end()


class _Key(QWidget):
    def __init__(self, part: Part) -> None:
        super().__init__()
        self._part = part
        self.setFixedSize(_KEY_PX, _KEY_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        _fill(painter, QRectF(self.rect()), self._part)
        painter.end()


def _legend(part: Part, figure: QWidget) -> QWidget:
    made = QWidget()
    made.setToolTip(part.meaning)
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(5)
    for piece in (_Key(part), label(part.name, "faint"), figure):
        row.addWidget(piece)
    return made


def _fill(painter: QPainter, area: QRectF, part: Part) -> None:
    look = theme.current()
    painter.fillRect(area, look.colour(part.token))
    if part.pattern is not _SOLID:
        stripes = QColor(look.colour("window", 0.5))
        painter.fillRect(area, QBrush(stripes, part.pattern))


def paint_ruler(painter: QPainter, bar: QRectF, ran: RequestRan) -> None:
    """Paint the three parts of a prompt into a bar; replayed is hatched as well as coloured."""
    look = theme.current()
    parts = (ran.reused, ran.replayed, ran.computed)
    at = bar.left()
    for kind, width in zip(_KINDS, widths(parts, int(bar.width())), strict=True):
        area = QRectF(at, bar.top(), width, bar.height())
        painter.fillRect(area, look.colour(kind))
        if kind == "replayed" and width:
            stripes = QBrush(look.colour("window", 0.45), Qt.BrushStyle.BDiagPattern)
            painter.fillRect(area, stripes)
        at += width


class RequestRuler(QWidget):
    """One prompt to scale: a filled diamond where it resumed, an open one where it would have."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._evidence: Evidence | None = None
        self.setFixedHeight(_BAR_PX + 2 * _AROUND_PX)

    def show_evidence(self, evidence: Evidence | None) -> None:
        self._evidence = evidence
        self.setAccessibleName(_words(evidence))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(280, _BAR_PX + 2 * _AROUND_PX)

    @property
    def _bar(self) -> QRectF:
        return QRectF(0, _AROUND_PX, self.width(), _BAR_PX)

    def _x(self, position: int) -> float:
        """The x of a position, interpolated within its part, since thin parts are widened."""
        evidence = self._evidence
        assert evidence is not None
        parts = (evidence.reused, evidence.replayed, evidence.computed)
        at, start = self._bar.left(), 0
        for tokens, width in zip(parts, widths(parts, int(self._bar.width())), strict=True):
            if tokens and position <= start + tokens:
                return at + width * (position - start) / tokens
            at, start = at + width, start + tokens
        return at

    def paintEvent(self, event: QPaintEvent) -> None:
        look, painter, bar = theme.current(), QPainter(self), self._bar
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        evidence = self._evidence
        if evidence is None:
            painter.fillRect(bar, look.colour("track"))
            painter.end()
            return
        paint_ruler(painter, bar, evidence.request.ran)
        if evidence.sides is not None:
            # A line across the bar where the texts diverge.
            x = self._x(min(evidence.sides.at, evidence.total))
            painter.setPen(QPen(look.colour("text"), 2))
            painter.drawLine(QPointF(x, 1), QPointF(x, self.height() - 1))
        reach = _AROUND_PX + _BAR_PX / 2 - 2
        if evidence.needed is not None and _blamed(evidence):
            x = self._x(min(evidence.needed, evidence.total))
            middle = QPointF(held(x, bar, reach * 0.7), bar.center().y())
            painter.setPen(QPen(look.colour("text"), 1.5, Qt.PenStyle.DotLine))
            painter.setBrush(look.colour("panel"))
            painter.drawPolygon(diamond(middle, reach * 0.7, reach))
        if evidence.reused:
            x = self._x(evidence.reused)
            middle = QPointF(held(x, bar, reach * 0.7), bar.center().y())
            painter.setPen(QPen(look.colour("panel"), 2))
            painter.setBrush(look.colour("text"))
            painter.drawPolygon(diamond(middle, reach * 0.7, reach))
        painter.end()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), _words(self._evidence), self)
            return True
        return super().event(event)


def _blamed(evidence: Evidence) -> bool:
    """Whether the missing checkpoint is the cause, not just incidental."""
    return evidence.obstacle is not None and evidence.obstacle.cause is evidence.cause


def _words(evidence: Evidence | None) -> str:
    """The ruler as text."""
    if evidence is None:
        return tr("No request")
    parts = zip(_KINDS, (evidence.reused, evidence.replayed, evidence.computed), strict=True)
    lines = [f"{_NAMES[kind]} {fmt.plural(tokens, 'token')}" for kind, tokens in parts]
    if evidence.reused:
        lines.append(
            tr("Resumed from the checkpoint at {reused}").format(reused=fmt.count(evidence.reused))
        )
    if evidence.needed is not None and _blamed(evidence):
        lines.append(
            tr("One at {needed} would have been needed").format(needed=fmt.count(evidence.needed))
        )
    if evidence.sides is not None:
        lines.append(tr("The texts part at {at}").format(at=fmt.count(evidence.sides.at)))
    return "\n".join(lines)
