"""The part of the time axis that is on screen, and its tick marks. Without Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from app.debug.timeline.clock import Clock
from app.debug.timeline.growing import Floats

# Two entries may be a few microseconds apart.
LEAST_SPAN = 20e-6
_MARGIN = 0.02
_NUMBER_PX = 44
_MINUTE_S = 60.0
_STEPS = (1, 2, 5)
_LONG_STEPS_S = (60, 120, 300, 600, 1800, 3600, 7200, 21_600, 43_200, 86_400)


@dataclass(frozen=True, slots=True)
class View:
    """Places [left, left + span) of the axis, `width` pixels wide."""

    left: float
    span: float
    width: int

    @property
    def right(self) -> float:
        return self.left + self.span

    def x(self, place: float) -> float:
        return (place - self.left) / self.span * self.width

    def place(self, x: float) -> float:
        return self.left + x / self.width * self.span

    def edges(self) -> Floats:
        """`[width + 1]` places of the edges of all pixels."""
        return np.linspace(self.left, self.right, self.width + 1)

    def zoomed(self, factor: float, x: float, extent: tuple[float, float]) -> View:
        """Closer by a factor; the place under pixel `x` stays there, except at the limits."""
        most = (extent[1] - extent[0]) * (1 + 2 * _MARGIN)
        span = min(max(self.span / factor, LEAST_SPAN), max(most, LEAST_SPAN))
        left = self.place(x) - x / self.width * span
        return replace(self, left=left, span=span).kept(extent)

    def moved(self, dx: float, extent: tuple[float, float]) -> View:
        """Pan by pixels."""
        return replace(self, left=self.left - dx / self.width * self.span).kept(extent)

    def kept(self, extent: tuple[float, float]) -> View:
        """This, with something of the extent on screen."""
        margin = _MARGIN * self.span
        low, high = extent[0] - margin, extent[1] + margin - self.span
        if high < low:
            return replace(self, left=(low + high) / 2)
        return replace(self, left=min(max(self.left, low), high))

    def showing(self, place: float, extent: tuple[float, float]) -> View:
        """This if it shows the place; else the same span around it."""
        if self.left <= place <= self.right:
            return self
        return replace(self, left=place - self.span / 2).kept(extent)

    @staticmethod
    def fitted(extent: tuple[float, float], width: int) -> View:
        """All of it."""
        span = max(extent[1] - extent[0], LEAST_SPAN)
        return View(extent[0] - _MARGIN * span, span * (1 + 2 * _MARGIN), max(1, width))


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark of the ruler."""

    x: float
    text: str


def ticks(view: View, clock: Clock, origin: float, spacing_px: float = 76) -> list[Tick]:
    """Round times since `origin`, at least that far apart; none within a shortened pause.

    Where pauses leave no room for a round one, the time at which something went on. All are said in
    one form, which the latest and the finest of them need.
    """
    if clock.numbered:
        return _numbers(view, len(clock.times) // 2 - 1)
    places = _grid(view, spacing_px)
    times = clock.time(places) - origin
    # Where pauses are short, the same width is more time.
    steps = [step_of(float(length)) for length in np.diff(times) * 0.9999]
    pauses = clock.pauses - origin
    latest = min(float(clock.time(view.right)), float(clock.times[-1])) - origin
    # How exactly a time that is not round is said.
    resumed = 0.1 if latest < _MINUTE_S else 1.0
    made: list[tuple[float, float]] = []
    finest = math.inf
    for start, end, step in zip(times[:-1].tolist(), times[1:].tolist(), steps, strict=True):
        time = math.ceil(start / step - 1e-9) * step
        around = int(np.searchsorted(pauses[:, 1], time))
        idle = around < len(pauses) and pauses[around, 0] < time < pauses[around, 1]
        if idle or time >= end:
            ended = int(np.searchsorted(pauses[:, 1], start))
            # After the last moment nothing goes on.
            if ended < len(pauses) and pauses[ended, 1] < min(end, clock.times[-1] - origin):
                time, step = float(pauses[ended, 1]), min(step, resumed)
            elif idle:
                continue
        x = view.x(float(clock.place(time + origin)))
        if 0 <= x <= view.width and (not made or x - made[-1][0] >= spacing_px * 0.8):
            made.append((x, time))
            finest = min(finest, step)
    return [Tick(x, tick_text(time, finest, latest)) for x, time in made]


def _numbers(view: View, count: int) -> list[Tick]:
    """The numbers of requests, from 1, where they begin."""
    step = max(1, round(step_of(_NUMBER_PX * view.span / view.width)))
    first = max(0, math.ceil(view.left / step) * step)
    last = min(count, math.ceil(view.right))
    return [Tick(view.x(number), f"#{number + 1:,}") for number in range(first, last, step)]


def _grid(view: View, spacing_px: float) -> Floats:
    """Places at that distance, the same ones wherever the view was panned to."""
    wide = step_of(spacing_px * view.span / view.width)
    first, last = math.floor(view.left / wide), math.ceil(view.right / wide)
    return np.linspace(first * wide, (last + 1) * wide, last + 2 - first)


def step_of(least: float) -> float:
    """The smallest round number of seconds that is no less."""
    if least > 30:
        return float(next((s for s in _LONG_STEPS_S if s >= least), _LONG_STEPS_S[-1]))
    size = 10.0 ** math.floor(math.log10(max(least, 1e-9)))
    return next((size * n for n in _STEPS if size * n >= least * 0.999), size * 10)


def tick_text(time: float, step: float, latest: float) -> str:
    """ "12 s", "1:05", "1:05.2", "3.25 ms": with as many digits as the step needs.

    Args:
        latest: time on the same axis, in seconds: from a minute on all are in minutes.
    """
    if latest >= _MINUTE_S:
        digits = _digits(step)
        # Rounded first, or 59.96 s would be "0:60.0".
        minutes, rest = divmod(round(abs(time), digits), 60)
        hours, minutes = divmod(int(minutes), 60)
        sign = "-" if time < 0 else ""
        seconds = f"{rest:0{digits + 3 if digits else 2}.{digits}f}"
        return f"{sign}{hours}:{minutes:02}:{seconds}" if hours else f"{sign}{minutes}:{seconds}"
    if step >= 0.01:
        return f"{time:.{_digits(step)}f} s"
    return f"{time * 1e3:,.{_digits(step * 1e3)}f} ms"


def _digits(step: float) -> int:
    """After the point, as many as a step needs."""
    return max(0, -math.floor(math.log10(step) + 1e-9))
