"""From readings to the timeline's lines: steps, never slopes; pauses, gaps, times. Without Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from app.cache.history import Readings
from app.cache.table import Floats
from app.words.tr import tr

# A rate is a mean over about this long, so it says nothing about the time before.
_RATE_HOLD_S = 1.0
# A slow one is believed until this many of its tokens are overdue.
_HOLD_TOKENS = 2.0
# While nothing runs, this much time without a reading is a pause.
PAUSE_S = 3.0
_STEPS_S = (2, 5, 10, 15, 30, 60)
_TICK_GAP_PX = 14.0


@dataclass(frozen=True, slots=True)
class Line:
    """Points in seconds before now and in the unit of their values; NaN where the line breaks."""

    time: Floats
    value: Floats


@dataclass(frozen=True, slots=True)
class Pause:
    """Time without work, in seconds before now; `unseen` if nobody watched the cache then."""

    start: float
    end: float
    unseen: bool = False


@dataclass(frozen=True, slots=True)
class Tick:
    """A time on the axis, in seconds before now."""

    time: float
    text: str


def held_line(readings: Readings, values: Floats) -> Line:
    """A level: each value is in force until the next reading, or until now."""
    if not len(readings):
        return Line(np.zeros(0), np.zeros(0))
    # (t0, v0), (t1, v0), (t1, v1), (t2, v1), ...
    times, levels = np.repeat(readings.time, 2)[1:], np.repeat(values, 2)[:-1]
    levels[2 * np.flatnonzero(readings.unseen[1:]) + 1] = math.nan
    if readings.watched:
        times, levels = np.append(times, 0.0), np.append(levels, values[-1])
    return Line(times, levels)


def rate_line(readings: Readings) -> Line:
    """Tokens per second: a rate stands for the time up to its reading, and idle time for zero.

    How far back it reaches is bounded by what it means: at half a token per second, four seconds
    without a reading are no idle time.
    """
    if not len(readings):
        return Line(np.zeros(0), np.zeros(0))
    at, rate = readings.time, readings.rate
    before = np.append(at[0], at[:-1])
    unseen = np.append(False, readings.unseen[1:] > 0)
    since = np.where(unseen, at, np.maximum(before, at - hold_s(rate)))
    lead = np.where(unseen, math.nan, np.where(since > before, 0.0, rate))
    times = np.stack([before, since, since, at], axis=1).ravel()
    rates = np.stack([lead, lead, rate, rate], axis=1).ravel()
    if readings.watched:
        last, speed = float(at[-1]), float(rate[-1])
        until = min(0.0, last + float(hold_s(rate)[-1])) if readings.running[-1] else last
        times = np.append(times, [until, until, 0.0])
        rest = 0.0 if until < 0 else speed
        rates = np.append(rates, [speed, rest, rest])
    return Line(times, rates)


def hold_s(rate: Floats) -> Floats:
    """For how long a rate is believed without another reading, in seconds."""
    awaited = np.divide(_HOLD_TOKENS, rate, out=np.zeros_like(rate), where=rate > 0)
    return np.maximum(_RATE_HOLD_S, awaited)


def pauses(readings: Readings) -> tuple[Pause, ...]:
    """The stretches in which nothing ran, or nobody watched, oldest first."""
    found: list[Pause] = []
    for i in range(len(readings)):
        start = float(readings.time[i])
        last = i + 1 == len(readings)
        end = 0.0 if last else float(readings.time[i + 1])
        unseen = not readings.watched if last else bool(readings.unseen[i + 1])
        if end - start >= PAUSE_S and (unseen or not readings.running[i]):
            found.append(Pause(start, end, unseen))
    return tuple(found)


def ticks(span_s: float, width_px: float, label_px: float) -> tuple[Tick, ...]:
    """Times for an axis of `span_s` seconds up to now, as many as fit side by side.

    Args:
        width_px: of the axis from its first time to now.
        label_px: of the widest label, which is centred on its time.
    """
    now = Tick(0.0, tr("now"))
    if span_s <= 0 or width_px <= 0:
        return (now,)
    px_per_s = width_px / span_s
    wanted = (label_px + _TICK_GAP_PX) / px_per_s
    step = next((step for step in _STEPS_S if step >= wanted), None)
    if step is None:
        return (now,)
    # A label at the very start would hang over the edge.
    most = span_s - label_px / 2 / px_per_s
    count = int(most / step + 1e-9)
    return (*(Tick(-step * n, tick_text(step * n)) for n in range(count, 0, -1)), now)


def tick_text(seconds: int) -> str:
    """How long ago, as a label: "−30 s", "−2 min"."""
    if seconds % 60 == 0:
        return tr("−{seconds} min").format(seconds=seconds // 60)
    return tr("−{seconds} s").format(seconds=seconds)
