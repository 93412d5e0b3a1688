"""Draws the match ruler of a request: reused, replayed and new to scale, with its checkpoints."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from app import theme
from app.cache.marks import diamond, held
from app.cache.planes import widths
from app.words import format as fmt
from app.words.tr import tr
from engine.cache.journal.request_ran import RequestRan
from engine.trace.why.evidence import Evidence

_BAR_PX = 14
_AROUND_PX = 8
_KINDS = ("reused", "replayed", "computed")
_NAMES = {"reused": tr("Reused"), "replayed": tr("Replayed"), "computed": tr("New")}


def paint_ruler(painter: QPainter, bar: QRectF, ran: RequestRan) -> None:
    """Paint the three parts of a prompt into a bar; replayed is hatched, not only coloured."""
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
        """Where a position is; parts that are too thin to see are widened, so it goes by part."""
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
            # Where the texts part: a line across the bar.
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
    """Whether the missing checkpoint is the cause, and not a few tokens beside it."""
    return evidence.obstacle is not None and evidence.obstacle.cause is evidence.cause


def _words(evidence: Evidence | None) -> str:
    """The ruler for who cannot see it."""
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
