"""Paints what stands beside the bars: the names of conversations, and stubs of dropped thinking."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen

from app.cache.chats import Chats
from app.cache.geometry import Geometry
from app.cache.name_tags import name_tags, outside
from app.cache.speaker_marks import draw_speaker
from app.cache.speech_painter import fitting
from app.cache.stretches import SPEAKERS
from app.theme import Theme

_NAME_PX = 12.0
# Lanes closer together have no room for names between them.
_LEAST_NAME_LANE_PX = 32
_LEAST_STUB_LANE_PX = 26
# Beside the letter of the checkpoint that the thinking leaves from.
STUB_LEFT_PX, STUB_PX = 8.0, 13.0
_MOST_STUBS = 200
_LEAST_OUTSIDE_PX = 11
OUTSIDE_PX = 6.0


def paint_names(painter: QPainter, look: Theme, frame: Geometry, chats: Chats, font: QFont) -> None:
    """Above the bars, at the left edge of what each conversation alone uses."""
    if frame.view.lane_px < _LEAST_NAME_LANE_PX:
        return
    painter.setFont(font)
    painter.setPen(look.colour("dim"))
    metrics = QFontMetricsF(font)
    for tag in name_tags(frame, chats):
        if frame.y(tag.lane) >= frame.view.height:
            continue
        shown = fitting(tag.title, metrics, tag.right - tag.left)
        if shown:
            area = QRectF(tag.left, frame.y(tag.lane) - _NAME_PX, tag.right - tag.left, _NAME_PX)
            painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, shown)


def paint_outside(
    painter: QPainter, look: Theme, frame: Geometry, chats: Chats, font: QFont
) -> None:
    """At the left edge of a lane that would be blank: what stands further left in it."""
    view = frame.view
    if frame.bar_px < _LEAST_OUTSIDE_PX or frame.only is not None:
        return
    painter.setFont(font)
    painter.setPen(look.colour("dim"))
    metrics, room = QFontMetricsF(font), view.width - 2 * OUTSIDE_PX
    for one in outside(frame.layout, view, chats):
        area = QRectF(OUTSIDE_PX, frame.y(one.lane), room, frame.bar_px)
        if area.top() < 0 or area.bottom() > view.height:
            continue
        words = metrics.elidedText(f"‹ {one.words}", Qt.TextElideMode.ElideRight, room)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, words)


def paint_stubs(painter: QPainter, look: Theme, frame: Geometry) -> None:
    """A grey twig below each place where the template has dropped thinking."""
    layout, view = frame.layout, frame.view
    if view.lane_px < _LEAST_STUB_LANE_PX:
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    colour = look.colour("faint")
    painter.setPen(QPen(colour, 1))
    kind = SPEAKERS.index("thinking")
    shown = 0
    rows = layout.stubs if frame.only is None else layout.stubs[frame.only[layout.stubs]]
    for row in rows.tolist():
        x, lane = view.x(float(layout.scale.left[row])), int(layout.lane[row])
        if not -STUB_PX <= x <= view.width or shown >= _MOST_STUBS:
            continue
        shown += 1
        bottom = frame.y(lane) + frame.bar_px
        middle = bottom + (view.lane_px - frame.bar_px) / 2 - 4
        start = x + STUB_LEFT_PX - 3
        painter.drawLine(QPointF(start, bottom), QPointF(start, middle))
        painter.drawLine(QPointF(start, middle), QPointF(start + 4, middle))
        draw_speaker(painter, start + 5, middle, kind, colour)
