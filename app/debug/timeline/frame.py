"""Draws one frame of the timeline: ruler, tracks, their names, and what is marked on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QBrush, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from app import theme
from app.cache.counter_lines import value_text
from app.debug.forgotten import forgotten_title
from app.debug.timeline.concerned import NOTHING_CONCERNED, Concerned
from app.debug.timeline.draw_curves import CurveArt
from app.debug.timeline.draw_events import EventArt
from app.debug.timeline.draw_requests import RequestArt, reuse_scale
from app.debug.timeline.ink import tone_colour
from app.debug.timeline.stack import Stack
from app.debug.timeline.tracks import GUTTER_PX, ROW_PX, RULER_PX, TITLE_PX, Track
from app.debug.timeline.viewport import View, ticks
from app.theme import Theme
from app.words import format as fmt
from app.words.tr import tr

_SMALL_PX = 11
# Narrower ones would cover the ruler with hatching.
_LEAST_PAUSE_PX = 4.0


@dataclass(frozen=True, slots=True)
class Marked:
    """What is marked on the tracks, in places of the axis.

    Attributes:
        playhead: the moment on screen.
        live: the playhead follows what happens.
        chosen, hovered: what concerns that, in whichever panel it is.
        interval: from one place to another.
        markers: A and B, as far as they are set.
        cursor: stack and key of the track that keys act on; None while the keys are elsewhere.
    """

    playhead: float | None
    live: bool
    chosen: Concerned
    hovered: Concerned
    interval: tuple[float, float] | None
    markers: tuple[float | None, float | None]
    cursor: tuple[int, str] | None


class FrameArt:
    """Made for each frame."""

    def __init__(self, painter: QPainter, size: QSizeF, view: View, scroll: int) -> None:
        self._painter, self._size = painter, size
        self._view, self._scroll = view, scroll
        self._look: Theme = theme.current()
        self._body = QRectF(GUTTER_PX, RULER_PX, view.width, size.height() - RULER_PX)

    def draw(self, stacks: Sequence[Stack], marked: Marked) -> None:
        painter, look = self._painter, self._look
        painter.fillRect(QRectF(QPointF(), self._size), look.colour("panel"))
        painter.fillRect(self._body, look.colour("window"))
        if stacks:
            self._lines(stacks[0])
        painter.save()
        painter.setClipRect(QRectF(0, RULER_PX, self._size.width(), self._body.height()))
        for number, stack in enumerate(stacks):
            self._stack(stack, number, marked)
            self._forgotten(stack)
        painter.restore()
        if stacks:
            self._ruler(stacks[0])
        self._marks(marked)

    # ---- the axis

    def _lines(self, stack: Stack) -> None:
        """Shortened pauses, and a line at each tick, under the tracks."""
        painter, look, view = self._painter, self._look, self._view
        colour = look.colour("track")
        for tick in ticks(view, stack.clock, stack.series.start):
            painter.fillRect(QRectF(GUTTER_PX + round(tick.x), RULER_PX, 1, 1e4), colour)
        for left, right, _ in self._pauses(stack):
            area = QRectF(GUTTER_PX + left, RULER_PX, right - left, self._body.height())
            painter.fillRect(area, look.colour("panel"))
            painter.fillRect(area, QBrush(colour, Qt.BrushStyle.FDiagPattern))

    def _pauses(self, stack: Stack) -> list[tuple[float, float, float]]:
        """Pixels of the shortened pauses on screen, and how long each was."""
        view, clock = self._view, stack.clock
        if not len(clock.pauses):
            return []
        first = int(np.searchsorted(clock.pauses[:, 1], clock.time(view.left)))
        last = int(np.searchsorted(clock.pauses[:, 0], clock.time(view.right)))
        pauses = clock.pauses[first:last]
        xs = np.clip((clock.place(pauses) - view.left) / view.span * view.width, 0, view.width)
        wide = xs[:, 1] - xs[:, 0] >= _LEAST_PAUSE_PX
        lasted = pauses[:, 1] - pauses[:, 0]
        return [
            (left, right, seconds)
            for (left, right), seconds in zip(xs[wide].tolist(), lasted[wide].tolist(), strict=True)
        ]

    def _ruler(self, stack: Stack) -> None:
        painter, look, view = self._painter, self._look, self._view
        painter.fillRect(QRectF(0, 0, self._size.width(), RULER_PX), look.colour("panel"))
        painter.fillRect(QRectF(0, RULER_PX - 1, self._size.width(), 1), look.colour("border"))
        painter.setFont(theme.mono_font(_SMALL_PX))
        metrics = QFontMetricsF(painter.font())
        painter.setPen(look.colour("faint"))
        if stack.series.first:
            room = QRectF(8, 0, GUTTER_PX - 14, RULER_PX - 2)
            side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
            painter.drawText(room, side, f"‹ {forgotten_title(stack.series.first)}")
        said: list[tuple[float, float]] = []
        for left, right, lasted in self._pauses(stack):
            text = tr("{lasted} idle").format(lasted=fmt.seconds(lasted))
            if metrics.horizontalAdvance(text) + 4 > right - left:
                # A sign tells it from the times beside it.
                text = f"+{fmt.seconds(lasted)}"
            room = QRectF(GUTTER_PX + left, 0, right - left, RULER_PX - 2)
            if metrics.horizontalAdvance(text) + 4 <= room.width():
                painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)
                said.append((left, right))
        for tick in ticks(view, stack.clock, stack.series.start):
            right = tick.x + 6 + metrics.horizontalAdvance(tick.text)
            if right > view.width or any(a < right and b > tick.x for a, b in said):
                continue
            x = GUTTER_PX + tick.x
            painter.fillRect(QRectF(round(x), RULER_PX - 6, 1, 5), look.colour("faint"))
            painter.drawText(QPointF(x + 4, RULER_PX - 8), tick.text)

    def _forgotten(self, stack: Stack) -> None:
        """What came before a tape's left end is not known any more."""
        if not stack.series.first or not stack.tracks:
            return
        painter, look = self._painter, self._look
        x = GUTTER_PX + max(self._view.x(stack.extent[0]), 0.0)
        top = RULER_PX - self._scroll + stack.tracks[0].top - 2
        high = stack.tracks[-1].bottom - stack.tracks[0].top + 4
        area = QRectF(GUTTER_PX, top, x - GUTTER_PX, high)
        painter.fillRect(area, look.colour("panel"))
        painter.fillRect(area, QBrush(look.colour("track"), Qt.BrushStyle.FDiagPattern))
        painter.setPen(QPen(look.colour("faint"), 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(round(x) + 0.5, top), QPointF(round(x) + 0.5, top + high))

    # ---- tracks

    def _stack(self, stack: Stack, number: int, marked: Marked) -> None:
        if stack.name and stack.tracks:
            top = RULER_PX - self._scroll + stack.tracks[0].top - TITLE_PX
            self._painter.setFont(_bold(theme.ui_font(12)))
            self._painter.setPen(self._look.colour("text"))
            room = QRectF(8, top, self._size.width() - 16, TITLE_PX)
            self._painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, stack.name)
        for track in stack.tracks:
            top = RULER_PX - self._scroll + track.top
            if top > self._size.height() or top + track.height < RULER_PX:
                continue
            self._painter.save()
            body = QRectF(GUTTER_PX, top - 2, self._view.width, track.height + 4)
            self._painter.setClipRect(body.intersected(self._body))
            self._painter.setFont(theme.ui_font(_SMALL_PX))
            self._track(stack, track, top, marked if number == 0 else _unmarked(marked))
            self._painter.restore()
            self._name(stack, track, top, marked.cursor == (number, track.key))

    def _track(self, stack: Stack, track: Track, top: float, marked: Marked) -> None:
        painter, look, view = self._painter, self._look, self._view
        chosen, hovered = marked.chosen, marked.hovered
        match track.key:
            case "requests":
                RequestArt(painter, look, stack, view).slices(
                    track, top, chosen.requests, hovered.requests
                )
            case "reuse":
                RequestArt(painter, look, stack, view).reuse(
                    track, top, chosen.requests, hovered.requests
                )
            case "events":
                EventArt(painter, look, stack, view).rows(track, top, chosen, hovered)
            case "speed":
                CurveArt(painter, look, stack, view).speed(track, top)
            case _:
                counted = stack.counter(track.key)
                art = CurveArt(painter, look, stack, view)
                if counted is None:
                    art.levels(track, top)
                else:
                    art.counter(track, top, counted)

    def _name(self, stack: Stack, track: Track, top: float, here: bool) -> None:
        """The gutter: a fold mark, the name, and what the track's heights mean."""
        painter, look = self._painter, self._look
        painter.fillRect(QRectF(0, top - 3, GUTTER_PX - 1, track.height + 6), look.colour("panel"))
        painter.fillRect(
            QRectF(0, top + track.height + 3, self._size.width(), 1), look.colour("border")
        )
        if here:
            painter.fillRect(QRectF(0, top - 2, 3, track.height + 4), look.colour("accent"))
        self._fold_mark(QPointF(12, top + ROW_PX / 2), track.folded)
        painter.setFont(theme.ui_font(_SMALL_PX))
        painter.setPen(look.colour("dim"))
        room = QRectF(22, top, GUTTER_PX - 30, ROW_PX)
        left = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        if track.rows:
            self._row_names(stack, track, top)
            return
        painter.drawText(room, left, track.title)
        if track.folded:
            return
        painter.setPen(look.colour("faint"))
        painter.setFont(theme.mono_font(10))
        for place, text in enumerate(_scales(stack, track)):
            painter.drawText(room.translated(0, (place + 1) * (ROW_PX - 1)), left, text)

    def _row_names(self, stack: Stack, track: Track, top: float) -> None:
        painter, look = self._painter, self._look
        metrics = QFontMetricsF(painter.font())
        for place, row in enumerate(track.rows):
            kind = stack.series.events.rows[row]
            y = top + place * ROW_PX
            sign = QRectF(22, y, 14, ROW_PX)
            painter.setPen(tone_colour(look, kind.tone))
            painter.drawText(sign, Qt.AlignmentFlag.AlignCenter, kind.sign)
            room = QRectF(40, y, GUTTER_PX - 46, ROW_PX)
            painter.setPen(look.colour("dim"))
            text = metrics.elidedText(kind.short, Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)

    def _fold_mark(self, middle: QPointF, folded: bool) -> None:
        painter = self._painter
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._look.colour("faint"), 1.4))
        x, y = middle.x(), middle.y()
        if folded:
            painter.drawPolyline([QPointF(x - 2, y - 4), QPointF(x + 2, y), QPointF(x - 2, y + 4)])
        else:
            painter.drawPolyline([QPointF(x - 4, y - 2), QPointF(x, y + 2), QPointF(x + 4, y - 2)])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    # ---- marks

    def _marks(self, marked: Marked) -> None:
        painter, look, view = self._painter, self._look, self._view
        painter.save()
        painter.setClipRect(QRectF(GUTTER_PX, 0, view.width, self._size.height()))
        if marked.interval is not None:
            left, right = (GUTTER_PX + view.x(place) for place in sorted(marked.interval))
            area = QRectF(left, RULER_PX, right - left, self._body.height())
            painter.fillRect(area, look.colour("accent", 0.13))
            for x in (left, right):
                painter.fillRect(QRectF(x, 0, 1, self._size.height()), look.colour("accent"))
        for letter, place in zip("AB", marked.markers, strict=True):
            if place is not None:
                self._flag(GUTTER_PX + view.x(place), letter)
        if marked.playhead is not None:
            self._playhead(GUTTER_PX + view.x(marked.playhead), marked.live)
        painter.restore()

    def _flag(self, x: float, letter: str) -> None:
        painter, look = self._painter, self._look
        colour = look.colour("text")
        painter.fillRect(QRectF(round(x), 0, 1, self._size.height()), colour)
        flag = QRectF(round(x), 1, 14, 14)
        painter.fillRect(flag, colour)
        painter.setFont(_bold(theme.ui_font(10)))
        painter.setPen(look.colour("window"))
        painter.drawText(flag, Qt.AlignmentFlag.AlignCenter, letter)

    def _playhead(self, x: float, live: bool) -> None:
        painter, look = self._painter, self._look
        colour = look.colour("good" if live else "accent")
        x = round(x) + 0.5
        painter.setPen(QPen(colour, 1.5 if live else 2))
        painter.drawLine(QPointF(x, RULER_PX - 6), QPointF(x, self._size.height()))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        top = RULER_PX - 12
        painter.drawPolygon(
            QPolygonF([QPointF(x - 6, top), QPointF(x + 6, top), QPointF(x, top + 10)])
        )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _scales(stack: Stack, track: Track) -> tuple[str, ...]:
    """What the heights of a track mean."""
    series = stack.series
    match track.key:
        case "requests":
            known = len(series.requests) - int(series.requests.index.searchsorted(series.first))
            return (f"{known:,}",)
        case "reuse":
            most = reuse_scale(stack)
            return (tr("top {most}").format(most=most),) if most else ()
        case "device" | "host" | "disk":
            levels = series.levels[track.key]
            budget = int(levels.budgets[-1, 1:].sum()) if len(levels.budgets) else 0
            return (
                tr("KV, states hatched"),
                tr("budget {budget}").format(budget=fmt.byte_size(budget)),
            )
        case "speed":
            return (tr("prefill"), tr("decode"))
    counted = stack.counter(track.key)
    if counted is None:
        return ()
    return (tr("top {most}").format(most=value_text(counted.top, counted.unit)),)


def _unmarked(marked: Marked) -> Marked:
    """For the second stack: choices are of the first one."""
    return Marked(
        None, False, NOTHING_CONCERNED, NOTHING_CONCERNED, None, (None, None), marked.cursor
    )


def _bold(font: QFont) -> QFont:
    font.setBold(True)
    return font
