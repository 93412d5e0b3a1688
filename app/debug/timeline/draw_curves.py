"""Draws the bytes of a tier as stacked areas with its budget, and tokens per second."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from app.cache.unknown_painter import paint_unknown
from app.debug.timeline.counter_tracks import Counted
from app.debug.timeline.growing import Floats
from app.debug.timeline.ink import LAYER_TOKENS, SPEED_TOKENS, Layer, draw_layers, line
from app.debug.timeline.pixels import highest, rates
from app.debug.timeline.stack import Stack
from app.debug.timeline.tracks import GUTTER_PX, Track
from app.debug.timeline.viewport import View
from app.theme import Theme

_COUNTER_TOKENS = {"kv": "kv_cached", "state": "state_cached", "": "accent"}


class CurveArt:
    """Draws the tracks of figures; made for each frame."""

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
        """A counter of an engine elsewhere; cross-hatched where nobody looked."""
        edges = self._stack.edges(self._view)
        series = self._stack.series
        values = counted.at((edges[1:] + edges[:-1]) / 2)
        inside = (edges[:-1] <= series.end) & (edges[1:] >= series.start)
        known = np.isfinite(values)
        if known.any():
            bottom = np.full(len(values), top + track.height)
            share = np.where(known, values, 0.0) / counted.top
            # What is 0 is seen to be known.
            tops = bottom - np.where(known, np.maximum(share * (track.height - 1), 1.0), 0.0)
            colour = self._look.colour(_COUNTER_TOKENS[counted.plane])
            draw_layers(self._painter, GUTTER_PX, [Layer(tops, bottom, colour)])
        unknown = np.isinf(values) & inside
        edge = np.flatnonzero(np.diff(np.concatenate(([0], unknown.astype(np.int8), [0]))))
        for first, end in edge.reshape(-1, 2).tolist():
            area = QRectF(GUTTER_PX + first, top, end - first, track.height)
            paint_unknown(self._painter, area)

    def speed(self, track: Track, top: float) -> None:
        """Prefill above decode, each to its own scale."""
        edges = self._stack.edges(self._view)
        found = rates(self._stack.series.speed, edges)
        height = track.height if track.folded else (track.height - 4) / 2
        for place, token in enumerate(SPEED_TOKENS):
            if track.folded and place == 0:
                continue
            y = top + (0 if track.folded else place * (height + 4))
            self._area(found[:, place], y, height, token)

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
        """The whole budget, in steps where it was changed."""
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
    """The bytes at the upper edge of a track of bytes."""
    return max(1.0, 1.04 * stack.series.levels[tier].top)
