"""The theme's colours for the timeline's parts, and shapes that are drawn often."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPolygonF

from app.debug.timeline.growing import Floats
from app.debug.timeline.kinds import Tone
from app.theme import Theme

# Tokens of the theme.
PART_TOKENS = ("faint", "host", "replayed", "computed", "accent")
LAYER_TOKENS = ("kv_cached", "kv_live", "state_cached", "state_live")
REUSE_TOKENS = ("reused", "replayed", "computed")
SPEED_TOKENS = ("computed", "accent")
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


def columns(left: float, tops: Floats, bottoms: Floats) -> QPolygonF:
    """An area of one column per pixel from `left` on, between two heights each."""
    xs = left + np.arange(len(tops) + 1, dtype=np.float64)
    upper = _steps(xs, tops)
    lower = _steps(xs, bottoms)
    return QPolygonF(upper + lower[::-1])


def _steps(xs: Floats, heights: Floats) -> list[QPointF]:
    """Points only where the height changes."""
    cuts = np.concatenate(([0], np.flatnonzero(np.diff(heights)) + 1, [len(heights)]))
    made: list[QPointF] = []
    for first, last in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
        y = float(heights[first])
        made += (QPointF(xs[first], y), QPointF(xs[last], y))
    return made


def rects(
    lefts: Sequence[float], tops: Sequence[float], rights: Sequence[float], bottoms: Sequence[float]
) -> list[QRectF]:
    return [
        QRectF(left, top, right - left, bottom - top)
        for left, top, right, bottom in zip(lefts, tops, rights, bottoms, strict=True)
    ]
