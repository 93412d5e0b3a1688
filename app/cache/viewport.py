"""The part of a layout that is on screen: units and lanes to pixels, round ticks. Without Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from app.cache.table import Floats

CLOSEST_PX = 24.0
LANE_PX = 42.0
_LEAST_LANE_PX = 16.0
_LEAST_SPAN = 64
_LEFT_PX = 14.0
# Where the newest is put, if not all can be on screen: it grows to the right.
_NEWEST_SHARE = 0.9
# Spare room on the right, so that a growing tree need not be refitted at every token.
_HEADROOM = 1.2


@dataclass(frozen=True, slots=True)
class Viewport:
    """The part of the tree that is on screen.

    Attributes:
        left: in the layout's units, at the left edge.
        px_per_unit: horizontal scale.
        top: vertical offset in pixels.
        width, height: of the canvas below its ruler, in pixels.
        lane_px: distance between two lanes.
        closest: pixels per unit beyond which zooming in shows nothing more.
    """

    left: float = 0.0
    px_per_unit: float = 1.0
    top: float = 0.0
    width: float = 1.0
    height: float = 1.0
    lane_px: float = LANE_PX
    closest: float = CLOSEST_PX

    @property
    def right(self) -> float:
        return self.left + self.width / self.px_per_unit

    def x(self, units: float) -> float:
        return (units - self.left) * self.px_per_unit

    def xs(self, units: Floats) -> Floats:
        return (units - self.left) * self.px_per_unit

    def units(self, x: float) -> float:
        return self.left + x / self.px_per_unit

    def y(self, lane: float) -> float:
        """The upper edge of a lane."""
        return lane * self.lane_px - self.top

    def lane(self, y: float) -> int:
        return math.floor((y + self.top) / self.lane_px)

    def zoomed(self, factor: float, x: float, y: float, extent: float, lanes: int) -> Viewport:
        """Zoom by a factor; what is under pixel (x, y) stays there, except at the limits.

        Lanes come apart only as far as is needed to read them.
        """
        fixed, lane = self.units(x), (y + self.top) / self.lane_px
        least = self.width / (max(_LEAST_SPAN, extent) * 2)
        scale = min(max(self.px_per_unit * factor, least), self.closest)
        lane_px = min(max(self.lane_px * factor, _fitting(lanes, self.height)), LANE_PX)
        made = replace(self, left=fixed - x / scale, px_per_unit=scale, lane_px=lane_px)
        return replace(made, top=lane * lane_px - y).clamped(extent, lanes)

    def moved(self, dx: float, dy: float, extent: float, lanes: int) -> Viewport:
        """Pan by pixels."""
        moved = replace(self, left=self.left - dx / self.px_per_unit, top=self.top - dy)
        return moved.clamped(extent, lanes)

    def showing(self, span: tuple[float, float], lane: int, extent: float, lanes: int) -> Viewport:
        """This part if it has some of a span of a lane; else the nearest that has its end."""
        start, end = span
        dx = dy = 0.0
        if end <= self.left or start >= self.right:
            dx = self.width / 2 - self.x(end)
        if self.y(lane) < 0 or self.y(lane + 1) > self.height:
            dy = (self.height - self.lane_px) / 2 - self.y(lane)
        return self.moved(dx, dy, extent, lanes) if dx or dy else self

    def closer(
        self, px_per_unit: float, x: float, lane: int, extent: float, lanes: int
    ) -> Viewport:
        """At another scale, with an x towards the right edge and a lane on screen."""
        left = x - self.width * _NEWEST_SHARE / px_per_unit
        top = (lane + 1) * LANE_PX - self.height
        made = replace(self, left=left, px_per_unit=px_per_unit, top=top, lane_px=LANE_PX)
        return made.clamped(extent, lanes)

    def clamped(self, extent: float, lanes: int) -> Viewport:
        """Clamp to the tree and half a screen on its right, where it grows."""
        span = self.width / self.px_per_unit
        low = -_LEFT_PX / self.px_per_unit
        high = max(extent - span * 0.5, low)
        lowest = max(0.0, lanes * self.lane_px - self.height)
        left, top = min(max(self.left, low), high), min(max(self.top, 0.0), lowest)
        return replace(self, left=left, top=top)

    def shows(self, extent: float, lanes: int) -> bool:
        """Whether the whole tree is on screen and fills a fair share of it."""
        room = self.right - _LEFT_PX / 2 / self.px_per_unit
        small = self.right > _LEAST_SPAN * 1.5 and extent < self.right * 0.5
        return extent <= room and not small and lanes * self.lane_px <= self.height + 1


def fitted(
    extent: float,
    lanes: int,
    width: float,
    height: float,
    *,
    growing: bool = False,
    closest: float = CLOSEST_PX,
) -> Viewport:
    """The viewport that shows the whole tree; many lanes are drawn closer together."""
    span = max(_LEAST_SPAN, extent * (_HEADROOM if growing else 1.03))
    scale = min(closest, max(8.0, width - 2 * _LEFT_PX) / span)
    lane_px = _fitting(lanes, height)
    return Viewport(-_LEFT_PX / scale, scale, 0.0, width, height, lane_px, closest)


def _fitting(lanes: int, height: float) -> float:
    """The distance of lanes at which all of them are on screen, if that can be."""
    return min(LANE_PX, max(_LEAST_LANE_PX, height / max(1, lanes)))


def ticks(viewport: Viewport, spacing_px: float = 84) -> list[int]:
    """Round positions at least `spacing_px` apart; powers of two when zoomed in."""
    step = _round_step(max(1.0, spacing_px / viewport.px_per_unit))
    first = max(0, math.ceil(viewport.left / step) * step)
    return list(range(first, math.floor(viewport.right) + 1, step))


def byte_ticks(viewport: Viewport, total: int, spacing_px: float = 84) -> list[int]:
    """Round places on an axis of bytes from 0 to `total`, a power of two apart as its units are."""
    step = 1 << math.ceil(math.log2(max(1.0, spacing_px / viewport.px_per_unit)))
    first = max(0, math.ceil(viewport.left / step) * step)
    return list(range(first, min(math.floor(viewport.right), total) + 1, step))


def _round_step(least: float) -> int:
    for step in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512):
        if step >= least:
            return step
    size = 10 ** math.floor(math.log10(least))
    return next(int(size * factor) for factor in (1, 2, 5, 10) if size * factor >= least)
