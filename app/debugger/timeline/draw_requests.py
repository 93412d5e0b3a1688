"""Draws the request tracks: when they ran, how their time was spent, and what they reused."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFontMetricsF,
    QImage,
    QPaintEngine,
    QPainter,
    QPen,
    QPolygonF,
)

from app.core.words import format as fmt
from app.core.words.engine_words import said
from app.debugger.timeline.logic.columns import PARTS
from app.debugger.timeline.logic.events import Tone
from app.debugger.timeline.logic.growing import Floats, Ints
from app.debugger.timeline.logic.pixels import mean_tokens, shares
from app.debugger.timeline.logic.tracks import EARLIER, GUTTER_PX, ROW_PX, Track
from app.debugger.timeline.logic.viewport import Stack, View
from app.ui.theme import Theme

INK = "#0e1116"
BAR_PX = 17
_MOST_SINGLE = 400
_LEAST_PX = 2.0
_LEAST_LABEL_PX = 34.0
# Tokens of the theme.
PART_TOKENS = ("workspace", "host", "replayed", "computed", "accent")
LAYER_TOKENS = ("kv_cached", "kv_live", "state_cached", "state_live")
REUSE_TOKENS = ("reused", "replayed", "computed")
SPEED_TOKENS = ("computed", "accent")
DRAFT_TOKENS = ("accent", "faint")
_STRIPE_PX = 6
_TONES: dict[Tone, str] = {
    "plain": "kv_locked",
    "good": "good",
    "lost": "lost",
    "moved": "host",
    "asked": "lost_asked",
    "wrong": "lost_wrong",
    "quiet": "faint",
}


def tone_colour(look: Theme, tone: Tone, alpha: float = 1.0) -> QColor:
    return look.colour(_TONES[tone], alpha)


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """An area with a top and a bottom per pixel column; `hatched` with thin stripes."""

    tops: Floats
    bottoms: Floats
    colour: QColor
    hatched: bool = False


def draw_layers(painter: QPainter, left: float, layers: Sequence[Layer]) -> None:
    """Draw areas that begin at pixel `left`."""
    if painter.paintEngine().type() == QPaintEngine.Type.SVG:
        for layer in layers:
            _draw_shape(painter, left, layer)
        return
    # A polygon of many corners takes milliseconds, an image next to nothing.
    top = math.floor(min(float(layer.tops.min()) for layer in layers))
    bottom = math.ceil(max(float(layer.bottoms.max()) for layer in layers))
    if bottom > top:
        image = _image(layers, top, bottom)
        painter.drawImage(QPointF(left, top), image)


def line(left: float, heights: Floats) -> QPolygonF:
    """A line with one step per pixel from `left` on."""
    return QPolygonF(_points(left, heights))


def _image(layers: Sequence[Layer], top: int, bottom: int) -> QImage:
    wide = len(layers[0].tops)
    ys = np.arange(top, bottom, dtype=np.float64)[:, None] + 0.5
    pixels = np.zeros((bottom - top, wide), np.uint32)
    stripes = (np.arange(wide)[None, :] + np.arange(top, bottom)[:, None]) % _STRIPE_PX == 0
    for layer in layers:
        inside = (ys >= layer.tops) & (ys < layer.bottoms)
        pixels[inside] = _premultiplied(layer.colour)
        if layer.hatched:
            pixels[inside & stripes] = _premultiplied(layer.colour.lighter(135))
    kept = QImage(
        pixels.data, wide, bottom - top, 4 * wide, QImage.Format.Format_ARGB32_Premultiplied
    )
    return kept.copy()


def _premultiplied(colour: QColor) -> int:
    alpha = colour.alpha()
    red, green, blue = (n * alpha // 255 for n in (colour.red(), colour.green(), colour.blue()))
    return alpha << 24 | red << 16 | green << 8 | blue


def _draw_shape(painter: QPainter, left: float, layer: Layer) -> None:
    area = QPolygonF(_points(left, layer.tops) + _points(left, layer.bottoms)[::-1])
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(layer.colour)
    painter.drawPolygon(area)
    if layer.hatched:
        painter.setBrush(QBrush(layer.colour.lighter(135), Qt.BrushStyle.BDiagPattern))
        painter.drawPolygon(area)


def _points(left: float, heights: Floats) -> list[QPointF]:
    """Corners only where the height changes."""
    cuts = np.concatenate(([0], np.flatnonzero(np.diff(heights)) + 1, [len(heights)]))
    xs, ys = (left + np.repeat(cuts, 2)[1:-1]).tolist(), np.repeat(heights[cuts[:-1]], 2).tolist()
    return [QPointF(x, y) for x, y in zip(xs, ys, strict=True)]


class RequestArt:
    """Draws the two tracks of requests; created for each frame."""

    def __init__(self, painter: QPainter, look: Theme, stack: Stack, view: View) -> None:
        self._painter, self._look = painter, look
        self._stack, self._view = stack, view
        self._requests = stack.series.requests

    def slices(self, track: Track, top: float, chosen: Ints, hovered: Ints) -> None:
        """The requests, coloured by conversation, with the parts of their time below."""
        shown = self._shown()
        if len(shown) > _MOST_SINGLE:
            self._crowd(QRectF(GUTTER_PX, top, self._view.width, track.height))
        else:
            for lane in range(self._requests.lanes):
                self._lane(self._of(lane, shown), track, *self._place(lane, track, top))
        self._running(track, top)
        for lane in range(self._requests.lanes):
            y, height = self._place(lane, track, top)
            self._outlines(self._of(lane, chosen), self._of(lane, hovered), y, height)

    def _lane(self, rows: Ints, track: Track, top: float, height: float) -> None:
        """Requests that followed each other."""
        # With several lanes there is no room for names.
        bar = 0.0 if track.folded else min(BAR_PX, height / 2)
        lefts, rights = self._spans(rows)
        if bar:
            self._bars(rows, lefts, rights, top, bar - 1)
        self._parts(rows, QRectF(0, top + bar + 1, 0, height - bar - 1))

    def _of(self, lane: int, rows: Ints) -> Ints:
        rows = rows[rows < len(self._requests)]
        return np.asarray(rows[self._requests.lane[rows] == lane])

    def _place(self, lane: int, track: Track, top: float) -> tuple[float, float]:
        """Top and height of a lane."""
        height = track.height / self._requests.lanes
        return top + lane * height, height

    def reuse(self, track: Track, top: float, chosen: Ints, hovered: Ints) -> None:
        """What each request's prompt reused, replayed and computed."""
        edges = self._stack.edges(self._view)
        shown, tokens = self._shown(), self._requests.tokens[:, :3]
        if not len(shown):
            return
        scale = (track.height - 1) / max(1, self._requests.longest)
        if len(shown) > _MOST_SINGLE:
            _, means = mean_tokens(self._requests, edges)
            self._reuse_crowd(means[:, :3] * scale, top + track.height)
            return
        lefts, rights = self._spans(shown, 4.0)
        self._painter.setPen(Qt.PenStyle.NoPen)
        base = np.full(len(shown), top + track.height)
        for place, token in enumerate(REUSE_TOKENS):
            heights = tokens[shown, place] * scale
            areas = [
                QRectF(x, y - h, max(right - x - 1, 1), h)
                for x, right, y, h in zip(
                    lefts.tolist(), rights.tolist(), base.tolist(), heights.tolist(), strict=True
                )
                if h > 0
            ]
            self._painter.setBrush(self._look.colour(token))
            self._painter.drawRects(areas)
            base = base - heights
        self._outlines(chosen, hovered, top, track.height, 4.0)

    def chats(self, track: Track, top: float, chosen: Ints, hovered: Ints) -> None:
        """The requests again, in a row for each conversation; in one row while it is folded."""
        shown, session = self._shown(), self._requests.session
        rows = track.rows or tuple(np.unique(session[shown]).tolist())
        for place, chat in enumerate(rows):
            if place % 2 and track.rows:
                area = QRectF(GUTTER_PX, top + place * ROW_PX, self._view.width, ROW_PX)
                self._painter.fillRect(area, self._look.colour("track", 0.35))
            y = top + (place * ROW_PX if track.rows else 0)
            mine = shown[self._in_chat(shown, chat, rows)]
            colour = self._look.colour("faint") if chat == EARLIER else self._look.lane(chat)
            self._runs(mine, y + 2, colour)
            pick, point = (one[self._in_chat(one, chat, rows)] for one in (chosen, hovered))
            self._outlines(pick, point, y + 1, ROW_PX - 2)

    def _in_chat(self, requests: Ints, chat: int, rows: tuple[int, ...]) -> npt.NDArray[np.bool_]:
        """Which of some requests are drawn in a conversation's row."""
        session = self._requests.session[requests]
        own = ~np.isin(session, rows) if chat == EARLIER else session == chat
        return np.asarray(own, np.bool_)

    def _runs(self, rows: Ints, top: float, colour: QColor) -> None:
        """Bars of requests; those that touch are one."""
        if not len(rows):
            return
        lefts, rights = self._spans(rows)
        ends = np.maximum.accumulate(rights)
        first = np.flatnonzero(np.concatenate(([True], lefts[1:] > ends[:-1])))
        last = np.append(first[1:], len(lefts)) - 1
        painter = self._painter
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRects(
            [
                QRectF(left, top, right - left, ROW_PX - 4)
                for left, right in zip(lefts[first].tolist(), ends[last].tolist(), strict=True)
            ]
        )

    # ---- inside

    def _shown(self) -> Ints:
        """The requests on screen."""
        low, high = self._stack.clock.time([self._view.left, self._view.right])
        first = int(np.searchsorted(self._requests.ended, low))
        rows = np.arange(first, len(self._requests))
        return np.asarray(rows[self._requests.began[first:] <= high])

    def _spans(self, rows: Ints, least: float = _LEAST_PX) -> tuple[Floats, Floats]:
        lefts = self._xs(self._requests.began[rows])
        rights = np.maximum(self._xs(self._requests.ended[rows]), lefts + least)
        return lefts, rights

    def _xs(self, times: Floats) -> Floats:
        """Pixels, clipped a little outside the screen."""
        view = self._view
        xs = (self._stack.clock.place(times) - view.left) / view.span * view.width
        return GUTTER_PX + np.clip(xs, -4.0, view.width + 4.0)

    def _bars(self, rows: Ints, lefts: Floats, rights: Floats, top: float, height: float) -> None:
        painter, look, requests = self._painter, self._look, self._requests
        metrics = QFontMetricsF(painter.font())
        named = height >= metrics.height() - 2
        painter.setPen(Qt.PenStyle.NoPen)
        spans = zip(rows.tolist(), lefts.tolist(), rights.tolist(), strict=True)
        for row, left, right in spans:
            area = QRectF(left, top, right - left, height)
            painter.fillRect(area, look.lane(int(requests.session[row])))
            room = area.adjusted(5, 0, -3, 0).intersected(self._body(top, height))
            if room.width() < _LEAST_LABEL_PX or not named:
                continue
            reused, replayed, computed = requests.tokens[row, :3].tolist()
            name = f"{row + 1} · {self._stack.title(int(requests.session[row]))}"
            figures = f"{reused:,} / {replayed:,} / {computed:,}"
            text = f"{name} · {figures}"
            if metrics.horizontalAdvance(text) > room.width():
                text = metrics.elidedText(name, Qt.TextElideMode.ElideRight, room.width())
            painter.setPen(QColor(INK))
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)

    def _parts(self, rows: Ints, area: QRectF) -> None:
        painter, look = self._painter, self._look
        xs = self._xs(self._requests.edges[rows].ravel()).reshape(-1, 6)
        metrics = QFontMetricsF(painter.font())
        for part, token in enumerate(PART_TOKENS):
            width = xs[:, part + 1] - xs[:, part]
            seen = np.flatnonzero(width > 0.3)
            colour = look.colour(token)
            for at in seen.tolist():
                left, w = float(xs[at, part]), float(width[at])
                spot = QRectF(left, area.top(), max(w, 1.0), area.height())
                painter.fillRect(spot, colour)
                name = said(PARTS[part])
                if area.height() >= 13 and w > metrics.horizontalAdvance(name) + 8:
                    painter.setPen(QColor(INK) if not _dark(colour) else QColor("#ffffff"))
                    room = spot.intersected(self._body(area.top(), area.height()))
                    painter.drawText(room.adjusted(4, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, name)

    def _crowd(self, area: QRectF) -> None:
        """Requests too dense to draw one by one: each pixel shows how its time was spent."""
        parts = shares(self._requests, self._stack.edges(self._view))
        self._stacked(np.minimum(parts, 1.0) * area.height(), PART_TOKENS, area.bottom())

    def _reuse_crowd(self, heights: Floats, bottom: float) -> None:
        self._stacked(heights, REUSE_TOKENS, bottom)

    def _stacked(self, heights: Floats, tokens: tuple[str, ...], bottom: float) -> None:
        base, layers = np.full(len(heights), bottom), []
        for place, token in enumerate(tokens):
            tops = base - heights[:, place]
            layers.append(Layer(tops, base, self._look.colour(token)))
            base = tops
        draw_layers(self._painter, GUTTER_PX, layers)

    def _running(self, track: Track, top: float) -> None:
        """Outline the running requests up to now."""
        series = self._stack.series
        self._painter.setPen(QPen(self._look.colour("accent"), 1, Qt.PenStyle.DashLine))
        self._painter.setBrush(self._look.colour("accent", 0.15))
        for running in series.running:
            left, right = self._xs(np.array([running.began, series.end])).tolist()
            y, height = self._place(running.lane, track, top)
            self._painter.drawRect(QRectF(left, y, max(right - left, 3.0), height - 1))

    def _outlines(
        self, chosen: Ints, hovered: Ints, top: float, height: float, least: float = _LEAST_PX
    ) -> None:
        """A solid frame around selected requests, a dashed one around hovered ones."""
        colour, style = self._look.colour("text"), Qt.PenStyle
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        for rows, pen in (
            (hovered, QPen(colour, 1, style.DashLine)),
            (chosen, QPen(colour, 2, style.SolidLine)),
        ):
            rows = rows[rows < len(self._requests)]
            lefts, rights = self._spans(rows, least)
            self._painter.setPen(pen)
            self._painter.drawRects(
                [
                    QRectF(left, top, right - left, height).adjusted(-1, 0, 1, 0)
                    for left, right in zip(lefts.tolist(), rights.tolist(), strict=True)
                ]
            )

    def _body(self, top: float, height: float) -> QRectF:
        return QRectF(GUTTER_PX, top, self._view.width, height)


def _dark(colour: QColor) -> bool:
    return bool(colour.lightnessF() < 0.5)


def reuse_scale(stack: Stack) -> str:
    """The longest prompt in tokens, as the label of the track's scale."""
    longest = stack.series.requests.longest
    return fmt.thousands(longest) if longest else ""
