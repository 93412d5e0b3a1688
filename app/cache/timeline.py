"""Bytes of each plane and tokens per second over the last two minutes."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QMargins, QTimer
from PySide6.QtGui import QFontMetrics, QHideEvent, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.cache.logic.table import Floats
from app.core.words.tr import tr
from app.ui import theme
from app.ui.chart import Chart
from app.ui.widgets import label
from engine.snapshot import CacheSnapshot

_MIB = 1024 * 1024
_DRAW_MS = 1000
_HEIGHT_PX, _MARGINS = 88, QMargins(38, 0, 0, 16)
_LEAST_SPAN_S = 10.0
_ABOUT = tr(
    "Shaded: nothing ran, and the cache kept what it had.\nNo line: the cache was not watched."
)
# A rate is a mean over about this long; before that it is unknown.
_RATE_HOLD_S = 1.0
# A slow rate is held until this many of its tokens are overdue.
_HOLD_TOKENS = 2.0
# While nothing runs, this much time without a reading is a pause.
PAUSE_S = 3.0
_STEPS_S = (2, 5, 10, 15, 30, 60)
_TICK_GAP_PX = 14.0
LENGTH = 1200
SPAN_S = 120.0
_SPACING_S = 0.1
_TIME, _KV, _RATE, _UNSEEN = 0, 1, 3, 5


@dataclass(frozen=True, slots=True)
class Readings:
    """Readings of the last two minutes, and the one before them, whose value still held.

    Attributes:
        time: seconds before now (<= 0), ascending.
        kv, state: bytes, in force until the next reading.
        rate: tokens per second up to the reading.
        running: 1 where a request was running, else 0.
        unseen: 1 if the cache was not watched since the previous reading, else 0.
        watched: the cache is being watched; if not, nothing is known after the last reading.
    """

    time: Floats
    kv: Floats
    state: Floats
    rate: Floats
    running: Floats
    unseen: Floats
    watched: bool = True

    def __len__(self) -> int:
        return len(self.time)


class History:
    """A ring of the last readings."""

    def __init__(self) -> None:
        self._rows = np.zeros((LENGTH, 6))
        self._count = 0
        self._watched = True

    def __len__(self) -> int:
        return min(self._count, LENGTH)

    def clear(self) -> None:
        self._count = 0
        self._watched = True

    def look_away(self) -> None:
        """Stop watching until the next reading; what the cache holds meanwhile is unknown."""
        self._watched = False

    def add(self, snapshot: CacheSnapshot, rate: float | None) -> None:
        """Add a reading from a snapshot; one right after another replaces it."""
        time, speed, unseen = snapshot.time, rate or 0.0, not self._watched
        if self._count and not unseen:
            last = self._rows[(self._count - 1) % LENGTH]
            if time - last[_TIME] < _SPACING_S:
                time, unseen = last[_TIME], last[_UNSEEN]
                # The mean of a finished request is reported only once.
                speed = speed or last[_RATE]
                self._count -= 1
        kv, state = snapshot.kv, snapshot.state
        self._rows[self._count % LENGTH] = (
            time,
            (kv.cached + kv.live) * kv.slot_bytes,
            (state.cached + state.live) * state.slot_bytes,
            speed,
            snapshot.live is not None,
            unseen,
        )
        self._count += 1
        self._watched = True

    def readings(self, now: float) -> Readings:
        """The readings as seen at `now`, in seconds on the snapshots' clock."""
        at = self._count % LENGTH
        rows = (
            self._rows[: self._count]
            if self._count <= LENGTH
            else np.concatenate([self._rows[at:], self._rows[:at]])
        )
        first = int(np.searchsorted(rows[:, _TIME], now - SPAN_S, side="right"))
        rows = rows[max(0, first - 1) :]
        time = np.minimum(rows[:, _TIME] - now, 0.0)
        kv, state, rate, running, unseen = rows[:, _KV:].T
        return Readings(time, kv, state, rate, running, unseen, self._watched)


@dataclass(frozen=True, slots=True)
class Polyline:
    """Points in seconds before now and in the unit of their values; NaN where the line breaks."""

    time: Floats
    value: Floats


@dataclass(frozen=True, slots=True)
class Pause:
    """Idle time, in seconds before now; `unseen` if the cache was not watched then."""

    start: float
    end: float
    unseen: bool = False


@dataclass(frozen=True, slots=True)
class Tick:
    """A time on the axis, in seconds before now."""

    time: float
    text: str


def held_line(readings: Readings, values: Floats) -> Polyline:
    """A step line: each value holds until the next reading, or until now."""
    if not len(readings):
        return Polyline(np.zeros(0), np.zeros(0))
    # (t0, v0), (t1, v0), (t1, v1), (t2, v1), ...
    times, levels = np.repeat(readings.time, 2)[1:], np.repeat(values, 2)[:-1]
    levels[2 * np.flatnonzero(readings.unseen[1:]) + 1] = math.nan
    if readings.watched:
        times, levels = np.append(times, 0.0), np.append(levels, values[-1])
    return Polyline(times, levels)


def rate_line(readings: Readings) -> Polyline:
    """Tokens per second: a rate stands for the time up to its reading, and idle time for zero.

    How far back a rate reaches depends on the rate: at half a token per second, four seconds
    without a reading are not idle time.
    """
    if not len(readings):
        return Polyline(np.zeros(0), np.zeros(0))
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
    return Polyline(times, rates)


def hold_s(rate: Floats) -> Floats:
    """How long a rate is held without another reading, in seconds."""
    awaited = np.divide(_HOLD_TOKENS, rate, out=np.zeros_like(rate), where=rate > 0)
    return np.maximum(_RATE_HOLD_S, awaited)


def pauses(readings: Readings) -> tuple[Pause, ...]:
    """The stretches in which nothing ran or the cache was not watched, oldest first."""
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


class Plot(Chart):
    """Lines up to now, over the stretches in which nothing ran.

    Attributes:
        shades: those stretches.
    """

    def __init__(self) -> None:
        super().__init__(_MARGINS, grid=False)
        self.shades = self.bars(lambda look: look.colour("track", 0.55))
        self.setToolTip(_ABOUT)
        self.setFixedHeight(_HEIGHT_PX)

    def level(self, token: str) -> pg.PlotCurveItem:
        """A line that goes up and down in steps."""
        return self.line(lambda look: QPen(look.colour(token), 2), smooth=False)

    def show_times(self, first: float, idle: tuple[Pause, ...], top: float) -> None:
        """Show the time from `first` on, and from zero to the largest reading.

        There is room on the right for the second half of "now", and for the tick labels at both
        ends. Unwatched stretches stay blank.
        """
        metrics = QFontMetrics(theme.mono_font(10))
        label_px = metrics.horizontalAdvance(tick_text(30))
        edge_px = metrics.horizontalAdvance(tr("now")) / 2 + 2
        width = max(1.0, self.area.width() - edge_px)
        low, high = -0.12 * top, 1.12 * top
        self.scale((first, -first * edge_px / width), (low, high))
        marks = ticks(-first, width, label_px)
        self.bottom.setTicks([[(mark.time, mark.text) for mark in marks]])
        drawn = [pause for pause in idle if not pause.unseen and pause.end > first]
        starts = [max(first, pause.start) for pause in drawn]
        self.shades.setOpts(x0=starts, x1=[pause.end for pause in drawn], y0=low, y1=high)


class Timeline(QWidget):
    """Two small plots with a common time axis, which ends now and moves on by itself.

    Attributes:
        history: the readings.
        bytes, rate: the plots.
        lines: what they show: kv, state and rate.
        clock: seconds; used only for the age of the last snapshot.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.history = History()
        self.clock: Callable[[], float] = time.monotonic
        self._last = self._came = 0.0
        # Plots are expensive, and twenty updates a second cannot be read.
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_DRAW_MS)
        self._timer.timeout.connect(self.draw)
        self.bytes, self.rate = Plot(), Plot()
        self.lines = {
            "kv": self.bytes.level("kv_cached"),
            "state": self.bytes.level("state_cached"),
            "rate": self.rate.level("accent"),
        }
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for plot, title, name in (
            (self.bytes, tr("MiB, KV and state"), tr("Bytes of each plane over time")),
            (self.rate, tr("tokens per second"), tr("Tokens per second over time")),
        ):
            plot.setAccessibleName(name)
            box = QVBoxLayout()
            box.setSpacing(2)
            box.addWidget(label(title, "faint"))
            box.addWidget(plot)
            row.addLayout(box, 1)

    def show_snapshot(self, snapshot: CacheSnapshot | None, rate: float | None) -> None:
        """Add a snapshot; None clears the plots, which are redrawn once a second."""
        if snapshot is None:
            self.history.clear()
        else:
            self.history.add(snapshot, rate)
            self._last, self._came = snapshot.time, self.clock()
        if self.isVisible() and not self._timer.isActive():
            self._timer.start()

    def look_away(self) -> None:
        """Pause: no snapshots are taken until the next call of `show_snapshot`."""
        self.history.look_away()

    @property
    def now(self) -> float:
        """Seconds on the snapshots' clock."""
        return self._last + max(0.0, self.clock() - self._came)

    def draw(self) -> None:
        """Draw the readings, and schedule the next redraw while time moves them."""
        readings = self.history.readings(self.now)
        kv, state = held_line(readings, readings.kv), held_line(readings, readings.state)
        speed = rate_line(readings)
        oldest = float(readings.time[0]) if len(readings) else 0.0
        first = max(-SPAN_S, min(-_LEAST_SPAN_S, oldest))
        for name, line, unit in (("kv", kv, _MIB), ("state", state, _MIB), ("rate", speed, 1)):
            self.lines[name].setData(np.maximum(line.time, first), line.value / unit)
        idle = pauses(readings)
        self.bytes.show_times(first, idle, max(1.0, _top(kv) / _MIB, _top(state) / _MIB))
        self.rate.show_times(first, idle, max(10.0, _top(speed)))
        # Once the last reading has scrolled out, nothing moves any more.
        if self.isVisible() and len(readings) and readings.time[-1] > -SPAN_S:
            self._timer.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.isVisible() and event.oldSize().width() != event.size().width():
            self.draw()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.draw()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()


def _top(line: Polyline) -> float:
    """The largest value that is drawn."""
    seen = line.value[~np.isnan(line.value)]
    return float(seen.max(initial=0))
