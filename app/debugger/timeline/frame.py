"""Draws one frame of the timeline: ruler, tracks, their names, and marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QBrush, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from app.cache.logic.counter_lines import value_text
from app.cache.unknown_painter import paint_unknown
from app.core.words import format as fmt
from app.core.words.tr import tr
from app.debugger.logic.source import forgotten_title
from app.debugger.timeline.draw_requests import (
    DRAFT_TOKENS,
    LAYER_TOKENS,
    SPEED_TOKENS,
    Layer,
    RequestArt,
    draw_layers,
    line,
    reuse_scale,
    tone_colour,
)
from app.debugger.timeline.logic.concerned import NOTHING_CONCERNED, Concerned
from app.debugger.timeline.logic.counter_tracks import Counted
from app.debugger.timeline.logic.growing import Floats
from app.debugger.timeline.logic.pixels import counts, highest, per_pass, rates
from app.debugger.timeline.logic.scene import Clusters, chat_name, clusters
from app.debugger.timeline.logic.tracks import CHATS, GUTTER_PX, ROW_PX, RULER_PX, TITLE_PX, Track
from app.debugger.timeline.logic.viewport import Stack, View, ticks
from app.ui import theme
from app.ui.theme import Theme

_SMALL_PX = 11
# Narrower pauses would cover the ruler with hatching.
_LEAST_PAUSE_PX = 4.0
_COUNTER_TOKENS = {"kv": "kv_cached", "state": "state_cached", "": "accent"}
# Texts are the most expensive part.
_MOST_NUMBERS = 120
_TICK_PX = 3
_ARROW_PX = 8.0


class EventArt:
    """Draws the event track; created for each frame."""

    def __init__(self, painter: QPainter, look: Theme, stack: Stack, view: View) -> None:
        self._painter, self._look = painter, look
        self._stack, self._view = stack, view
        self._numbers = 0

    def rows(self, track: Track, top: float, chosen: Concerned, hovered: Concerned) -> None:
        """Draw every row, or all as one while the track is folded."""
        events, edges = self._stack.series.events, self._stack.edges(self._view)
        if track.folded:
            self._folded(top)
        for place, row in enumerate(track.rows):
            y = top + place * ROW_PX
            if place % 2:
                area = QRectF(GUTTER_PX, y, self._view.width, ROW_PX)
                self._painter.fillRect(area, self._look.colour("track", 0.35))
            self._row(clusters(counts(events, row, edges)), y, row)
        for one, pen in (
            (hovered, QPen(self._look.colour("text"), 1, Qt.PenStyle.DashLine)),
            (chosen, QPen(self._look.colour("accent"), 2)),
        ):
            self._painter.setPen(pen)
            for number in one.events.tolist():
                self._ring(track, top, number)
            if one.event is not None:
                self._painter.setPen(QPen(self._look.colour("text"), pen.width(), pen.style()))
                self._ring(track, top, one.event)

    def _row(self, found: Clusters, y: float, row: int) -> None:
        if not len(found):
            return
        kind = self._stack.series.events.rows[row]
        solid = tone_colour(self._look, kind.tone)
        blocks, ticks = [], []
        numbered = list(
            zip(found.left.tolist(), found.right.tolist(), found.count.tolist(), strict=True)
        )
        for left, right, count in numbered:
            x = GUTTER_PX + left
            if count == 1:
                ticks.append(QRectF(x, y + 2, _TICK_PX, ROW_PX - 4))
            else:
                blocks.append(QRectF(x, y + 2, max(right - left, _TICK_PX + 1), ROW_PX - 4))
        painter = self._painter
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(solid)
        painter.drawRects(ticks)
        painter.setBrush(tone_colour(self._look, kind.tone, 0.4))
        painter.setPen(QPen(solid, 1))
        painter.drawRects([block.adjusted(0.5, 0.5, -0.5, -0.5) for block in blocks])
        self._count(numbered, y)

    def _count(self, numbered: list[tuple[int, int, int]], y: float) -> None:
        """The number of events in a block, inside it or to its right, if there is room."""
        painter = self._painter
        metrics = QFontMetricsF(painter.font())
        painter.setPen(self._look.colour("text"))
        free = [left for left, _, _ in numbered[1:]] + [self._view.width]
        for (left, right, count), following in zip(numbered, free, strict=True):
            if count == 1 or self._numbers >= _MOST_NUMBERS:
                continue
            text = fmt.thousands(count)
            width = metrics.horizontalAdvance(text)
            x = (left + right - width) / 2 if right - left >= width + 4 else right + 4
            if x > right and x + width + 2 > following:
                continue
            self._numbers += 1
            room = QRectF(GUTTER_PX + x, y, width + 2, ROW_PX)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)

    def _folded(self, top: float) -> None:
        """Draw all rows over one another, losses on top."""
        events, edges = self._stack.series.events, self._stack.edges(self._view)
        rows = sorted(range(len(events.rows)), key=lambda row: events.rows[row].tone == "lost")
        self._painter.setPen(Qt.PenStyle.NoPen)
        for row in rows:
            kind = events.rows[row]
            found = clusters(counts(events, row, edges))
            low = 3 if kind.evicts else 8
            self._painter.setBrush(tone_colour(self._look, kind.tone))
            self._painter.drawRects(
                [
                    QRectF(GUTTER_PX + left, top + low, max(right - left, 2), ROW_PX - 3 - low)
                    for left, right in zip(found.left.tolist(), found.right.tolist(), strict=True)
                ]
            )

    def _ring(self, track: Track, top: float, number: int) -> None:
        """Draw a ring around one event."""
        events = self._stack.series.events
        if number >= len(events):
            return
        row = int(events.row[number])
        y = top + (track.rows.index(row) * ROW_PX if row in track.rows else 0)
        x = self._view.x(float(self._stack.clock.place(events.time[number])))
        if not -8 < x < self._view.width + 8:
            return
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        self._painter.drawRect(QRectF(GUTTER_PX + x - 3, y + 0.5, 9, ROW_PX - 1))


class CurveArt:
    """Draws the tracks of figures; created for each frame."""

    def __init__(self, painter: QPainter, look: Theme, stack: Stack, view: View) -> None:
        self._painter, self._look = painter, look
        self._stack, self._view = stack, view

    def levels(self, track: Track, top: float) -> None:
        """KV at the bottom, states on top of it and hatched; a dashed line for the budget."""
        levels = self._stack.series.levels[track.key]
        if not len(levels):
            return
        edges = self._stack.edges(self._view)
        stack = highest(levels, edges, self._stack.series.end).astype(np.float64)
        most = level_top(self._stack, track.key)
        scale = (track.height - 2) / most
        bottom = np.full(len(stack), float(top + track.height))
        below = bottom
        layers = []
        for layer, token in enumerate(LAYER_TOKENS):
            tops = bottom - stack[:, layer] * scale
            layers.append(Layer(tops, below, self._look.colour(token), hatched=layer >= 2))
            below = tops
        draw_layers(self._painter, GUTTER_PX, layers)
        if not track.folded:
            self._budget(track, top, scale)

    def counter(self, track: Track, top: float, counted: Counted) -> None:
        """A counter of a remote engine; cross-hatched while it was not polled."""
        edges = self._stack.edges(self._view)
        series = self._stack.series
        values = counted.at((edges[1:] + edges[:-1]) / 2)
        inside = (edges[:-1] <= series.end) & (edges[1:] >= series.start)
        known = np.isfinite(values)
        if known.any():
            bottom = np.full(len(values), top + track.height)
            share = np.where(known, values, 0.0) / counted.top
            # 0 is drawn as one pixel, to show that it is known.
            tops = bottom - np.where(known, np.maximum(share * (track.height - 1), 1.0), 0.0)
            colour = self._look.colour(_COUNTER_TOKENS[counted.plane])
            draw_layers(self._painter, GUTTER_PX, [Layer(tops, bottom, colour)])
        unknown = np.isinf(values) & inside
        edge = np.flatnonzero(np.diff(np.concatenate(([0], unknown.astype(np.int8), [0]))))
        for first, end in edge.reshape(-1, 2).tolist():
            area = QRectF(GUTTER_PX + first, top, end - first, track.height)
            paint_unknown(self._painter, area)

    def speed(self, track: Track, top: float) -> None:
        """Prefill above decode, each with its own scale."""
        edges = self._stack.edges(self._view)
        found = rates(self._stack.series.speed, edges)
        height = track.height if track.folded else (track.height - 4) / 2
        for place, token in enumerate(SPEED_TOKENS):
            if track.folded and place == 0:
                continue
            y = top + (0 if track.folded else place * (height + 4))
            self._area(found[:, place], y, height, token)

    def drafts(self, track: Track, top: float) -> None:
        """What drafts put into a pass: kept tokens, and rejected ones on top of them, hatched."""
        tokens = per_pass(self._stack.series.drafts, self._stack.edges(self._view))
        most = self._stack.series.requests.longest_draft
        below, layers = np.full(len(tokens), float(top + track.height)), []
        for place, token in enumerate(DRAFT_TOKENS):
            tops = below - tokens[:, place] / most * (track.height - 1)
            layers.append(Layer(tops, below, self._look.colour(token), hatched=place == 1))
            below = tops
        draw_layers(self._painter, GUTTER_PX, layers)

    def _area(self, values: Floats, top: float, height: float, token: str) -> None:
        known = np.nan_to_num(values)
        most = float(known.max(initial=0.0))
        if most <= 0:
            return
        bottom = np.full(len(known), top + height)
        tops = bottom - known / most * (height - 1)
        layer = Layer(tops, bottom, self._look.colour(token))
        draw_layers(self._painter, GUTTER_PX, [layer])

    def _budget(self, track: Track, top: float, scale: float) -> None:
        """The whole budget, with a step at each change."""
        budgets, series = self._stack.series.levels[track.key].budgets, self._stack.series
        edges = self._stack.edges(self._view)
        rows = np.searchsorted(budgets[:, 0], edges[:-1], side="right") - 1
        seen = np.flatnonzero((rows >= 0) & (edges[:-1] <= series.end))
        if not len(seen):
            return
        total = budgets[rows[seen], 1] + budgets[rows[seen], 2]
        heights = np.round(top + track.height - total * scale) + 0.5
        self._painter.setPen(QPen(self._look.colour("dim"), 1, Qt.PenStyle.DashLine))
        self._painter.drawPolyline(line(GUTTER_PX + float(seen[0]), heights))


def level_top(stack: Stack, tier: str) -> float:
    """The bytes at the upper edge of a tier's track."""
    return max(1.0, 1.04 * stack.series.levels[tier].top)


@dataclass(frozen=True, slots=True)
class Marked:
    """Marks on the tracks, in places of the axis.

    Attributes:
        playhead: the moment on screen.
        live: the playhead follows the newest moment.
        chosen, hovered: what concerns the selection and the hovered item of any panel.
        interval: start and end.
        markers: A and B, None if not set.
        cursor: stack and key of the track that keys act on; None without keyboard focus.
    """

    playhead: float | None
    live: bool
    chosen: Concerned
    hovered: Concerned
    interval: tuple[float, float] | None
    markers: tuple[float | None, float | None]
    cursor: tuple[int, str] | None


class FrameArt:
    """Draws the whole timeline; created for each frame."""

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
        """Pixels of the shortened pauses on screen, and the length of each."""
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
                # The sign distinguishes it from the times next to it.
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
        """Draw the part before a tape's left end, which is forgotten."""
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
        if number == 0:
            self._links(stack, marked.chosen.links)

    def _links(self, stack: Stack, links: Sequence[tuple[int, int]]) -> None:
        """An arrow from each eviction to the request that missed what it took."""
        events, requests = stack.track("events"), stack.track("requests")
        if events is None or requests is None or not links:
            return
        painter, view, series = self._painter, self._view, stack.series
        painter.save()
        painter.setClipRect(self._body, Qt.ClipOperation.IntersectClip)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = self._look.colour("danger")
        below = RULER_PX - self._scroll
        end_y = float(below + requests.bottom)
        for event, request in links:
            row = int(series.events.row[event])
            place = events.rows.index(row) if row in events.rows else 0
            start_y = below + events.top + (place + 0.5) * ROW_PX
            times = series.events.time[event], series.requests.began[request]
            start, end = (GUTTER_PX + view.x(float(x)) for x in stack.clock.place(times))
            path = QPainterPath(QPointF(start, start_y))
            path.cubicTo(start, (start_y + end_y) / 2, end, start_y, end, end_y + _ARROW_PX)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colour, 1.5))
            painter.drawPath(path)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            tip = QPointF(end, end_y)
            sides = (tip + QPointF(x, _ARROW_PX) for x in (-_ARROW_PX / 2, _ARROW_PX / 2))
            painter.drawPolygon(QPolygonF([tip, *sides]))
        painter.restore()

    def _track(self, stack: Stack, track: Track, top: float, marked: Marked) -> None:
        painter, look, view = self._painter, self._look, self._view
        chosen, hovered = marked.chosen, marked.hovered
        match track.key:
            case "requests":
                RequestArt(painter, look, stack, view).slices(
                    track, top, chosen.requests, hovered.requests
                )
            case "chats":
                RequestArt(painter, look, stack, view).chats(
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
            case "drafts":
                CurveArt(painter, look, stack, view).drafts(track, top)
            case _:
                counted = stack.counter(track.key)
                art = CurveArt(painter, look, stack, view)
                if counted is None:
                    art.levels(track, top)
                else:
                    art.counter(track, top, counted)

    def _name(self, stack: Stack, track: Track, top: float, here: bool) -> None:
        """The gutter: a fold mark, the name, and the track's scale."""
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
            y = top + place * ROW_PX
            if track.key == CHATS:
                left, name = 22, chat_name(stack, row)
            else:
                kind = stack.series.events.rows[row]
                left, name = 40, kind.short
                painter.setPen(tone_colour(look, kind.tone))
                sign = QRectF(22, y, 14, ROW_PX)
                painter.drawText(sign, Qt.AlignmentFlag.AlignCenter, kind.sign)
            room = QRectF(left, y, GUTTER_PX - left - 6, ROW_PX)
            painter.setPen(look.colour("dim"))
            text = metrics.elidedText(name, Qt.TextElideMode.ElideRight, room.width())
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
    """The labels of a track's scale."""
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
        case "drafts":
            top = fmt.count(series.requests.longest_draft)
            return (tr("top {most}").format(most=top), tr("rejected hatched"))
    counted = stack.counter(track.key)
    if counted is None:
        return ()
    return (tr("top {most}").format(most=value_text(counted.top, counted.unit)),)


def _unmarked(marked: Marked) -> Marked:
    """The marks for the second stack: selections are in the first one."""
    return Marked(
        None, False, NOTHING_CONCERNED, NOTHING_CONCERNED, None, (None, None), marked.cursor
    )


def _bold(font: QFont) -> QFont:
    font.setBold(True)
    return font
