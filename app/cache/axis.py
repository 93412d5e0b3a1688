"""The axes of the tree: token positions and lanes to pixels, and round tick marks. Without Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

# Zooming in further shows nothing more: one token is this wide.
MOST_PX_PER_TOKEN = 24.0
LANE_PX = 34.0
_LEAST_LANE_PX = 9.0
_LEAST_SPAN = 64
_LEFT_PX = 14.0
# Spare room on the right, so that a growing tree need not be refitted at every token.
_HEADROOM = 1.2


@dataclass(frozen=True, slots=True)
class Viewport:
    """The part of the tree that is on screen.

    Attributes:
        left: token position at the left edge; may be fractional.
        px_per_token: horizontal scale.
        top: vertical offset in pixels.
        width, height: of the canvas below its ruler, in pixels.
        lane_px: distance between two lanes.
    """

    left: float = 0.0
    px_per_token: float = 1.0
    top: float = 0.0
    width: float = 1.0
    height: float = 1.0
    lane_px: float = LANE_PX

    @property
    def right(self) -> float:
        return self.left + self.width / self.px_per_token

    def x(self, position: float) -> float:
        return (position - self.left) * self.px_per_token

    def position(self, x: float) -> float:
        return self.left + x / self.px_per_token

    def y(self, lane: float) -> float:
        """The upper edge of a lane."""
        return lane * self.lane_px - self.top

    def lane(self, y: float) -> int:
        return math.floor((y + self.top) / self.lane_px)

    def zoomed(self, factor: float, x: float, extent: int) -> Viewport:
        """Zoom by a factor; the token under pixel `x` stays there, except at the limits."""
        fixed = self.position(x)
        least = self.width / (max(_LEAST_SPAN, extent) * 2)
        scale = min(max(self.px_per_token * factor, least), MOST_PX_PER_TOKEN)
        return replace(self, left=fixed - x / scale, px_per_token=scale).clamped(extent)

    def moved(self, dx: float, dy: float, extent: int, lanes: int) -> Viewport:
        """Pan by pixels."""
        lowest = max(0.0, lanes * self.lane_px - self.height)
        top = min(max(self.top - dy, 0.0), lowest)
        return replace(self, left=self.left - dx / self.px_per_token, top=top).clamped(extent)

    def showing(self, span: tuple[int, int], lane: int, extent: int, lanes: int) -> Viewport:
        """This part if it has some of a span of a lane; else the nearest that has its end."""
        start, end = span
        dx = dy = 0.0
        if end <= self.left or start >= self.right:
            dx = self.width / 2 - self.x(end)
        if self.y(lane) < 0 or self.y(lane + 1) > self.height:
            dy = (self.height - self.lane_px) / 2 - self.y(lane)
        return self.moved(dx, dy, extent, lanes) if dx or dy else self

    def clamped(self, extent: int) -> Viewport:
        """Clamp so that part of the tree stays on screen."""
        span = self.width / self.px_per_token
        low = -_LEFT_PX / self.px_per_token
        high = max(extent - span * 0.5, low)
        return replace(self, left=min(max(self.left, low), high))

    def shows(self, extent: int, lanes: int) -> bool:
        """Whether the whole tree is on screen and fills a fair share of it."""
        room = self.right - _LEFT_PX / 2 / self.px_per_token
        small = self.right > _LEAST_SPAN * 1.5 and extent < self.right * 0.5
        return extent <= room and not small and lanes * self.lane_px <= self.height + 1


def fitted(
    extent: int, lanes: int, width: float, height: float, *, growing: bool = False
) -> Viewport:
    """The viewport that shows the whole tree; many lanes are drawn closer together."""
    span = max(_LEAST_SPAN, extent * (_HEADROOM if growing else 1.03))
    scale = min(MOST_PX_PER_TOKEN, max(8.0, width - 2 * _LEFT_PX) / span)
    lane_px = min(LANE_PX, max(_LEAST_LANE_PX, height / max(1, lanes)))
    return Viewport(-_LEFT_PX / scale, scale, 0.0, width, height, lane_px)


def ticks(viewport: Viewport, spacing_px: float = 84) -> list[int]:
    """Round positions at least `spacing_px` apart; powers of two when zoomed in."""
    step = _round_step(max(1.0, spacing_px / viewport.px_per_token))
    first = max(0, math.ceil(viewport.left / step) * step)
    return list(range(first, math.floor(viewport.right) + 1, step))


def _round_step(least: float) -> int:
    for step in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512):
        if step >= least:
            return step
    size = 10 ** math.floor(math.log10(least))
    return next(int(size * factor) for factor in (1, 2, 5, 10) if size * factor >= least)
