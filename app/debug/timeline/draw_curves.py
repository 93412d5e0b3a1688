"""Draws the bytes of a tier as stacked areas with its budget, and tokens per second."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QBrush, QPainter, QPen

from app.debug.timeline.growing import Floats
from app.debug.timeline.ink import LAYER_TOKENS, SPEED_TOKENS, columns
from app.debug.timeline.pixels import highest, rates
from app.debug.timeline.stack import Stack
from app.debug.timeline.tracks import GUTTER_PX, Track
from app.debug.timeline.viewport import View
from app.theme import Theme


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
        painter = self._painter
        painter.setPen(Qt.PenStyle.NoPen)
        for layer, token in enumerate(LAYER_TOKENS):
            tops = np.round((bottom - stack[:, layer] * scale) * 2) / 2
            area = columns(GUTTER_PX, tops, below)
            painter.setBrush(self._look.colour(token))
            painter.drawPolygon(area)
            if layer >= 2:
                hatch = self._look.colour("window", 0.3)
                painter.setBrush(QBrush(hatch, Qt.BrushStyle.BDiagPattern))
                painter.drawPolygon(area)
            below = tops
        if not track.folded:
            self._budget(track, top, scale)

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
        tops = np.round((bottom - known / most * (height - 1)) * 2) / 2
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(self._look.colour(token, 0.75))
        self._painter.drawPolygon(columns(GUTTER_PX, tops, bottom))

    def _budget(self, track: Track, top: float, scale: float) -> None:
        """The whole budget, in steps where it was changed."""
        budgets, clock = self._stack.series.levels[track.key].budgets, self._stack.clock
        ends = [*budgets[1:, 0].tolist(), self._stack.series.end]
        self._painter.setPen(QPen(self._look.colour("dim"), 1, Qt.PenStyle.DashLine))
        for (start, kv, state), end in zip(budgets.tolist(), ends, strict=True):
            left, right = (self._view.x(place) for place in clock.place([start, end]).tolist())
            left, right = max(left, 0.0), min(right, float(self._view.width))
            if right > left:
                y = round(top + track.height - (kv + state) * scale) + 0.5
                self._painter.drawLine(QPointF(GUTTER_PX + left, y), QPointF(GUTTER_PX + right, y))


def level_top(stack: Stack, tier: str) -> float:
    """The bytes at the upper edge of a track of bytes."""
    return max(1.0, 1.04 * stack.series.levels[tier].top)
