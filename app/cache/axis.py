"""The horizontal axis of the tree: token positions to pixels, and round tick marks. Without Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

# Closer than this there is nothing more to see: one token is this wide.
MOST_PX_PER_TOKEN = 24.0


@dataclass(frozen=True, slots=True)
class Viewport:
    """What part of the tree is on screen.

    Attributes:
        left: token position at the left edge; may be fractional.
        px_per_token: horizontal scale.
        top: vertical offset in pixels.
        width: of the canvas in pixels.
    """

    left: float = 0.0
    px_per_token: float = 1.0
    top: float = 0.0
    width: float = 1.0

    @property
    def right(self) -> float:
        return self.left + self.width / self.px_per_token

    def x(self, position: float) -> float:
        return (position - self.left) * self.px_per_token

    def position(self, x: float) -> float:
        return self.left + x / self.px_per_token

    def zoomed(self, factor: float, x: float, extent: int) -> Viewport:
        """Zoom by a factor; the token under pixel `x` stays there."""
        fixed = self.position(x)
        scale = self.px_per_token * factor
        scale = min(max(scale, fit_scale(extent, self.width) * 0.5), MOST_PX_PER_TOKEN)
        return replace(self, left=fixed - x / scale, px_per_token=scale).clamped(extent)

    def moved(self, dx: float, dy: float, extent: int, height: float, room: float) -> Viewport:
        """Pan by pixels; `height` is that of the whole tree, `room` that of the canvas."""
        top = min(max(self.top - dy, 0.0), max(0.0, height - room))
        return replace(self, left=self.left - dx / self.px_per_token, top=top).clamped(extent)

    def clamped(self, extent: int) -> Viewport:
        """Never lose the tree: some of it stays on screen."""
        span = self.width / self.px_per_token
        margin = span * 0.1
        low, high = -margin, max(extent - span + margin, -margin)
        return replace(self, left=min(max(self.left, low), high))


def fit_scale(extent: int, width: float) -> float:
    """Pixels a token so that the whole tree fits, with some air on the right."""
    return min(MOST_PX_PER_TOKEN, max(1.0, width) / max(64.0, extent * 1.04))


def fitted(extent: int, width: float) -> Viewport:
    scale = fit_scale(extent, width)
    return Viewport(left=-12 / scale, px_per_token=min(scale, (width - 24) / max(64.0, extent * 1.02)) if width > 48 else scale, width=width)


def ticks(viewport: Viewport, spacing_px: float = 84) -> list[int]:
    """Round positions, at least `spacing_px` apart. Once zoomed in they are multiples of 64."""
    least = max(1.0, spacing_px / viewport.px_per_token)
    step = _round_step(least)
    first = max(0, math.ceil(viewport.left / step) * step)
    return list(range(first, math.floor(viewport.right) + 1, step))


def _round_step(least: float) -> int:
    for step in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512):
        if step >= least:
            return step
    size = 10 ** math.floor(math.log10(least))
    return next(int(size * m) for m in (1, 2, 5, 10) if size * m >= least)
