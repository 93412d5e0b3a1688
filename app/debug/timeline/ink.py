"""The theme's colours for the timeline's parts, and shapes that are drawn often."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPaintEngine, QPainter, QPolygonF

from app.debug.timeline.growing import Floats
from app.debug.timeline.kinds import Tone
from app.theme import Theme

# Tokens of the theme.
PART_TOKENS = ("faint", "host", "replayed", "computed", "accent")
LAYER_TOKENS = ("kv_cached", "kv_live", "state_cached", "state_live")
REUSE_TOKENS = ("reused", "replayed", "computed")
SPEED_TOKENS = ("computed", "accent")
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
    """An area of one column per pixel, between two heights each; `hatched` with thin stripes."""

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
    # Many columns cost a polygon of many corners milliseconds, and an image next to nothing.
    top = math.floor(min(float(layer.tops.min()) for layer in layers))
    bottom = math.ceil(max(float(layer.bottoms.max()) for layer in layers))
    if bottom > top:
        image = _image(layers, top, bottom)
        painter.drawImage(QPointF(left, top), image)


def line(left: float, heights: Floats) -> QPolygonF:
    """A line of one step per pixel from `left` on."""
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
