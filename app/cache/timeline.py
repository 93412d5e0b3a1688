"""Bytes of each plane and tokens per second over the last two minutes."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app import theme
from app.cache.history import SPAN_S, History
from app.widgets import label
from engine.snapshot import CacheSnapshot

_MIB = 1024 * 1024
_DRAW_MS = 1000


class Timeline(QWidget):
    """Two small plots with a common time axis.

    Attributes:
        history: the readings.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.history = History()
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
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for plot, title, name in (
            (self._bytes, "MiB, KV and state", "Bytes of each plane over time"),
            (self._rate, "tokens per second", "Tokens per second over time"),
        ):
            plot.setAccessibleName(name)
            plot.setMouseEnabled(x=False, y=False)
            plot.setMenuEnabled(False)
            plot.hideButtons()
            plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            plot.setFixedHeight(72)
            plot.getAxis("left").setWidth(38)
            plot.getAxis("bottom").hide()
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
        if self.isVisible() and not self._timer.isActive():
            self._timer.start()

    def draw(self) -> None:
        """Draw the readings."""
        time, kv, state, speed = self.history.columns()
        self._curves["kv"].setData(time, kv / _MIB)
        self._curves["state"].setData(time, state / _MIB)
        self._curves["rate"].setData(time, speed)
        first = max(-SPAN_S, min(-10.0, float(time[0]))) if len(time) else -10.0
        for plot in self._plots:
            plot.setXRange(first, 0, padding=0)
        top = max(1.0, float(kv.max(initial=0)), float(state.max(initial=0)))
        _scale(self._bytes, max(1.0, top / _MIB))
        _scale(self._rate, max(10.0, float(speed.max(initial=0))))

    def restyle(self) -> None:
        look = theme.current()
        for plot in self._plots:
            plot.setBackground(look.colour("panel"))
            axis = plot.getAxis("left")
            axis.setPen(look.colour("border"))
            axis.setTextPen(look.colour("faint"))
            # A figure at the very top would be cut by the edge of the plot.
            axis.setStyle(tickFont=theme.mono_font(10), tickLength=-3, hideOverlappingLabels=True)
        for name, token in (("kv", "kv_cached"), ("state", "state_cached"), ("rate", "accent")):
            self._curves[name].setPen(pg.mkPen(look.colour(token), width=2))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.draw()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()


def _scale(plot: pg.PlotWidget, top: float) -> None:
    """From zero to the largest reading, with room for the tick labels at both ends."""
    plot.setYRange(-0.12 * top, 1.12 * top, padding=0)
