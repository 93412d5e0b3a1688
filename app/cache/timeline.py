"""Bytes of each plane and tokens per second over the last two minutes."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QColor, QFontMetrics, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app import theme
from app.cache.history import SPAN_S, History
from app.cache.time_lines import Line, Pause, held_line, pauses, rate_line, tick_text, ticks
from app.widgets import label
from app.words.tr import tr
from engine.snapshot import CacheSnapshot

_MIB = 1024 * 1024
_DRAW_MS = 1000
_PLOT_PX, _AXIS_PX = 72, 16
_LEAST_SPAN_S = 10.0
_ABOUT = tr(
    "Shaded: nothing ran, and the cache kept what it had.\nNo line: the cache was not watched."
)


class Timeline(QWidget):
    """Two small plots with a common time axis, which ends now and moves on by itself.

    Attributes:
        history: the readings.
        clock: seconds; it only says how long ago the last snapshot came.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.history = History()
        self.clock: Callable[[], float] = time.monotonic
        self._last = self._came = 0.0
        # Plots are expensive, and nobody reads them twenty times a second.
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_DRAW_MS)
        self._timer.timeout.connect(self.draw)
        self._bytes = pg.PlotWidget(self)
        self._rate = pg.PlotWidget(self)
        self._plots = (self._bytes, self._rate)
        self._curves = {
            "kv": self._bytes.plot(),
            "state": self._bytes.plot(),
            "rate": self._rate.plot(),
        }
        self._shades: dict[pg.PlotWidget, list[pg.LinearRegionItem]] = {p: [] for p in self._plots}
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for plot, title, name in (
            (self._bytes, tr("MiB, KV and state"), tr("Bytes of each plane over time")),
            (self._rate, tr("tokens per second"), tr("Tokens per second over time")),
        ):
            plot.setAccessibleName(name)
            plot.setMouseEnabled(x=False, y=False)
            plot.setMenuEnabled(False)
            plot.hideButtons()
            plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            plot.setToolTip(_ABOUT)
            plot.setFixedHeight(_PLOT_PX + _AXIS_PX)
            plot.getAxis("left").setWidth(38)
            plot.getAxis("bottom").setHeight(_AXIS_PX)
            box = QVBoxLayout()
            box.setSpacing(2)
            box.addWidget(label(title, "faint"))
            box.addWidget(plot)
            row.addLayout(box, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(row)
        self.restyle()

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
        """No snapshots come until the next one."""
        self.history.look_away()

    @property
    def now(self) -> float:
        """Seconds on the snapshots' clock."""
        return self._last + max(0.0, self.clock() - self._came)

    def draw(self) -> None:
        """Draw the readings, and again as long as time moves them."""
        readings = self.history.readings(self.now)
        kv, state = held_line(readings, readings.kv), held_line(readings, readings.state)
        speed = rate_line(readings)
        self._show("kv", kv, _MIB)
        self._show("state", state, _MIB)
        self._show("rate", speed, 1)
        oldest = float(readings.time[0]) if len(readings) else 0.0
        first = max(-SPAN_S, min(-_LEAST_SPAN_S, oldest))
        idle = pauses(readings)
        for plot in self._plots:
            self._show_times(plot, -first)
            self._shade(plot, idle, first)
        top = max(1.0, _top(kv), _top(state))
        _scale(self._bytes, max(1.0, top / _MIB))
        _scale(self._rate, max(10.0, _top(speed)))
        # Once the last reading has left on the left, nothing moves any more.
        if self.isVisible() and len(readings) and readings.time[-1] > -SPAN_S:
            self._timer.start()

    def _show(self, name: str, line: Line, unit: float) -> None:
        self._curves[name].setData(line.time, line.value / unit, connect="finite")

    def _show_times(self, plot: pg.PlotWidget, span_s: float) -> None:
        """The axis, with room on its right for the second half of "now"."""
        metrics = QFontMetrics(theme.mono_font(10))
        label_px = metrics.horizontalAdvance(tick_text(30))
        edge_px = metrics.horizontalAdvance(tr("now")) / 2 + 2
        width = max(1.0, plot.width() - plot.getAxis("left").width() - edge_px)
        plot.setXRange(-span_s, span_s * edge_px / width, padding=0)
        marks = ticks(span_s, width, label_px)
        plot.getAxis("bottom").setTicks([[(mark.time, mark.text) for mark in marks]])

    def _shade(self, plot: pg.PlotWidget, idle: tuple[Pause, ...], first: float) -> None:
        """Shade the pauses; stretches that nobody watched stay blank."""
        shades, colour = self._shades[plot], _shade_colour()
        drawn = [pause for pause in idle if not pause.unseen and pause.end > first]
        while len(shades) < len(drawn):
            shades.append(pg.LinearRegionItem(movable=False, pen=pg.mkPen(None)))
            shades[-1].setZValue(-10)
            plot.addItem(shades[-1])
        while len(shades) > len(drawn):
            plot.removeItem(shades.pop())
        for shade, pause in zip(shades, drawn, strict=True):
            shade.setBrush(colour)
            shade.setRegion((max(first, pause.start), pause.end))

    def restyle(self) -> None:
        look = theme.current()
        for plot in self._plots:
            plot.setBackground(look.colour("panel"))
            for axis in (plot.getAxis("left"), plot.getAxis("bottom")):
                axis.setPen(look.colour("border"))
                axis.setTextPen(look.colour("faint"))
                # A figure at the very top would be cut by the edge of the plot.
                axis.setStyle(
                    tickFont=theme.mono_font(10), tickLength=-3, hideOverlappingLabels=True
                )
            plot.getAxis("bottom").setStyle(tickTextOffset=1, hideOverlappingLabels=False)
            # Not with the next reading: while nothing runs, that may be far away.
            for shade in self._shades[plot]:
                shade.setBrush(_shade_colour())
                shade.update()
        for name, token in (("kv", "kv_cached"), ("state", "state_cached"), ("rate", "accent")):
            self._curves[name].setPen(pg.mkPen(look.colour(token), width=2))

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


def _top(line: Line) -> float:
    """The largest value that is drawn."""
    seen = line.value[~np.isnan(line.value)]
    return float(seen.max(initial=0))


def _scale(plot: pg.PlotWidget, top: float) -> None:
    """From zero to the largest reading, with room for the tick labels at both ends."""
    plot.setYRange(-0.12 * top, 1.12 * top, padding=0)


def _shade_colour() -> QColor:
    return theme.current().colour("track", 0.55)
