"""The lab's logarithmic axes: slider steps, plot positions and ticks. Without Qt."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from app.core.words.tr import tr

# Below this, all curves are flat or straight.
_LEAST_TOKENS = 16
# Slider steps between a length and its double.
STEPS_PER_DOUBLING = 8
_KIB = 1 << 10


@dataclass(frozen=True, slots=True)
class Tick:
    """A value on an axis and its label."""

    value: int
    text: str


@dataclass(frozen=True, slots=True)
class LogAxis:
    """A logarithmic axis from `low` to `high`, both included and positive."""

    low: int
    high: int

    def place(self, value: float) -> float:
        """The place of a value along the axis, 0 to 1, clamped to the ends."""
        inside = min(max(value, self.low), self.high)
        span = math.log2(self.high / self.low)
        return math.log2(inside / self.low) / span if span else 0.0

    def value(self, place: float) -> int:
        """The value at a place, 0 to 1, rounded to an integer."""
        inside = min(max(place, 0.0), 1.0)
        return round(self.low * math.pow(self.high / self.low, inside))


def token_axis(window: int) -> LogAxis:
    """The axis of context lengths, up to a model's window."""
    return LogAxis(min(_LEAST_TOKENS, window), window)


def byte_axis(least: int, most: int) -> LogAxis:
    """An axis of bytes that includes both, between two powers of two."""
    low = 1 << max(0, max(1, least).bit_length() - 1)
    return LogAxis(low, max(2 * low, 1 << (most - 1).bit_length()))


def slider_steps(axis: LogAxis) -> int:
    """The last position of a slider along the axis; the first is 0."""
    return math.ceil(math.log2(axis.high / axis.low) * STEPS_PER_DOUBLING)


def slider_tokens(axis: LogAxis, step: int) -> int:
    """The length at a position of the slider."""
    return min(axis.high, round(axis.low * math.exp2(step / STEPS_PER_DOUBLING)))


def slider_step(axis: LogAxis, tokens: int) -> int:
    """The position nearest to a length."""
    if tokens >= axis.high:
        return slider_steps(axis)
    return round(math.log2(max(tokens, axis.low) / axis.low) * STEPS_PER_DOUBLING)


def token_ticks(axis: LogAxis, room: int) -> tuple[Tick, ...]:
    """Round lengths, at most `room` of them: 1k, 4k, 16k in binary thousands."""
    return _ticks(axis, room, token_text)


def byte_ticks(axis: LogAxis, room: int) -> tuple[Tick, ...]:
    """Round sizes, at most `room` of them."""
    return _ticks(axis, room, _byte_text)


def token_text(tokens: int) -> str:
    """262144 -> "256k"; a number that is no multiple of 1,024 is written out."""
    return f"{tokens // _KIB}k" if tokens % _KIB == 0 and tokens else f"{tokens:,}"


def _byte_text(size: int) -> str:
    for unit in ("B", tr("KiB"), tr("MiB"), tr("GiB")):
        if size < _KIB:
            return f"{size} {unit}"
        size //= _KIB
    return f"{size} TiB"


def _ticks(axis: LogAxis, room: int, text: Callable[[int], str]) -> tuple[Tick, ...]:
    first = math.ceil(math.log2(axis.low))
    last = math.floor(math.log2(axis.high))
    step = max(1, math.ceil((last - first + 1) / max(1, room)))
    # From the upper end, so that a window that is a power of two gets a tick.
    places = reversed(range(last, first - 1, -step))
    return tuple(Tick(1 << at, text(1 << at)) for at in places)
