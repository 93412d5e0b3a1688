"""The program's one chart widget, based on pyqtgraph: lines, symbols and bars in theme colours.

Importing it is slow, so only windows that are opened later may do so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QMargins, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPen
from PySide6.QtWidgets import (
    QGraphicsItem,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.ui import theme
from app.ui.theme import Theme

_TICK_PX = 3

Pen = Callable[[Theme], QPen]
Fill = Callable[[Theme], QColor]
Ticks = Sequence[tuple[float, str]]


class Chart(QWidget):
    """A plot that neither zooms nor pans; mouse and keys are handled by its user.

    Attributes:
        margins: around the lines, in pixels, for ticks and texts.
        left, bottom: the axes.
    """

    def __init__(self, margins: QMargins, *, grid: bool = True) -> None:
        """grid: a horizontal line at each left tick, instead of lines along the axes."""
        super().__init__()
        self.margins = margins
        self._x = self._y = (0.0, 1.0)
        self._looks: list[Callable[[Theme], object]] = []
        self._plot = pg.PlotWidget(background=None, enableMenu=False)
        self._plot.viewport().setAutoFillBackground(False)
        self._plot.setCacheMode(pg.PlotWidget.CacheModeFlag.CacheNone)
        self._plot.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        layout = self._plot.plotItem.layout
        layout.setContentsMargins(0, margins.top(), margins.right(), 0)
        # Symbols at the end of an axis are not clipped, and texts are next to the lines.
        clips = QGraphicsItem.GraphicsItemFlag.ItemClipsChildrenToShape
        self._plot.plotItem.vb.setFlag(clips, False)
        self.left, self.bottom = self._plot.getAxis("left"), self._plot.getAxis("bottom")
        self.left.setWidth(margins.left())
        self.bottom.setHeight(margins.bottom())
        self.left.setStyle(
            tickLength=-_TICK_PX,
            tickAlpha=0 if grid else None,
            hideOverlappingLabels=not grid,
        )
        self.bottom.setStyle(
            tickLength=_TICK_PX if grid else -_TICK_PX,
            tickTextOffset=1,
            hideOverlappingLabels=False,
        )
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._plot)
        for axis in (self.left, self.bottom):
            self.wear(partial(self._dress, axis, line=not grid))
        self._levels = self.line(lambda look: QPen(look.colour("border"), 1), smooth=False)
        self._levels.setVisible(grid)
        self.scale(self._x, self._y)
        theme.keeper().changed.connect(self._restyle)

    def wear(self, look: Callable[[Theme], object]) -> None:
        """Call `look` now, and again whenever the theme changes."""
        self._looks.append(look)
        look(theme.current())

    def line(self, pen: Pen, *, smooth: bool = True) -> pg.PlotCurveItem:
        """A line through the points of its `setData`, with gaps at NaN."""
        made = pg.PlotCurveItem(antialias=smooth, connect="finite")
        self._plot.addItem(made)
        self.wear(lambda look: made.setPen(self._scaled(pen(look))))
        return made

    def marks(self, symbol: str, px: int, fill: Fill, pen: Pen | None = None) -> pg.ScatterPlotItem:
        """Symbols, by pyqtgraph's names, at the points of its `setData`."""
        made = pg.ScatterPlotItem(symbol=symbol, size=px, antialias=True)
        self._plot.addItem(made)
        self.wear(lambda look: made.setBrush(fill(look)))
        self.wear(lambda look: made.setPen(pg.mkPen(pen and self._scaled(pen(look)))))
        return made

    def bars(self, fill: Fill) -> pg.BarGraphItem:
        """Rectangles; its `setOpts` takes their x0, x1, y0 and y1."""
        made = pg.BarGraphItem(x0=[], x1=[], y0=[], y1=[], pen=None)
        self._plot.addItem(made)
        self.wear(lambda look: made.setOpts(brush=fill(look)))
        return made

    def note(self, anchor: tuple[float, float], token: str = "faint") -> pg.TextItem:
        """A text, for its `setText`; the part of it at `anchor`, where 0, 0 is its upper left, is
        where its `setPos` says.
        """
        made = pg.TextItem(anchor=anchor)
        made.setFont(theme.mono_font(10))
        self._plot.addItem(made)
        self.wear(lambda look: made.setColor(look.colour(token)))
        return made

    def scale(self, x: tuple[float, float], y: tuple[float, float]) -> None:
        """Set the ranges of the axes."""
        self._x, self._y = x, y
        self._plot.setRange(xRange=x, yRange=y, padding=0)

    def show_ticks(self, left: Ticks = (), bottom: Ticks = ()) -> None:
        """Replace all ticks within the current ranges."""
        self._levels.setData(
            [*self._x] * len(left), [at for at, _ in left for _ in self._x], connect="pairs"
        )
        self.left.setTicks([left])
        self.bottom.setTicks([bottom])

    @property
    def area(self) -> QRectF:
        """The plot area, in pixels."""
        return QRectF(self.rect().marginsRemoved(self.margins))

    def place(self, x: float, y: float) -> QPointF:
        """The pixel position of a value."""
        area = self.area
        along, up = _share(x, self._x), _share(y, self._y)
        return QPointF(area.left() + along * area.width(), area.bottom() - up * area.height())

    def along(self, px: float) -> float:
        """The position along the axis, 0 to 1 within the plot."""
        return (px - self.area.left()) / max(self.area.width(), 1)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._restyle()
        return super().event(event)

    def _restyle(self) -> None:
        for look in self._looks:
            look(theme.current())

    def _dress(self, axis: pg.AxisItem, look: Theme, *, line: bool) -> None:
        thin = self._scaled(QPen(look.colour("border"), 1))
        axis.setPen(thin if line else None)
        axis.setTickPen(thin)
        axis.setTextPen(look.colour("faint"))
        axis.setStyle(tickFont=theme.mono_font(10))

    def _scaled(self, pen: QPen) -> QPen:
        """The pen, with its width in screen pixels whatever the scale of the axes."""
        made = QPen(pen)
        made.setCosmetic(True)
        # Qt counts the width of such a pen in the screen's own pixels.
        made.setWidthF(pen.widthF() * self.devicePixelRatioF())
        return made


def _share(value: float, ends: tuple[float, float]) -> float:
    return (value - ends[0]) / (ends[1] - ends[0])
