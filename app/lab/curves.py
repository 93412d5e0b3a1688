"""The plot of cache bytes against context length, one curve for each design."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QMargins, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPen, QResizeEvent

from app.core.words import format as fmt
from app.core.words.tr import tr
from app.lab.logic.arithmetic import DesignKey, designs
from app.lab.logic.scale import LogAxis, byte_axis, byte_ticks, token_axis, token_ticks
from app.ui.chart import Chart
from app.ui.theme import Theme
from engine.cache_shape import CacheShape

_MARGINS = QMargins(62, 22, 16, 34)
_TICK_PX = 84
_LINE_PX = 34
_POINTS = 120
_DOT_PX = 7
_LANES: dict[DesignKey, int] = {"every_head": 3, "grouped": 2}
# Distinguishable without colour.
_DASHES: dict[DesignKey, Qt.PenStyle] = {
    "every_head": Qt.PenStyle.DotLine,
    "grouped": Qt.PenStyle.DashLine,
    "hybrid": Qt.PenStyle.SolidLine,
}


def design_colour(look: Theme, key: DesignKey) -> QColor:
    return look.colour("accent") if key == "hybrid" else look.lane(_LANES[key])


def design_pen(look: Theme, key: DesignKey) -> QPen:
    pen = QPen(design_colour(look, key), 2.5 if key == "hybrid" else 2.0, _DASHES[key])
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return pen


def _ring(look: Theme) -> QPen:
    return QPen(look.colour("window"), 1.5)


class Curves(Chart):
    """Three curves on logarithmic axes, with the selected length and the conversation's.

    Attributes:
        shape: of the open model.

    Signals:
        chosen: the user clicked a length.
    """

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__(_MARGINS)
        self.shape: CacheShape | None = None
        self._along = self._up = LogAxis(1, 2)
        self._curves = {key: self.line(partial(design_pen, key=key)) for key in _DASHES}
        self._here = self.line(lambda look: QPen(look.colour("dim"), 1, Qt.PenStyle.DashLine))
        self._chosen = self.line(lambda look: QPen(look.colour("text"), 1))
        self._dots = {
            key: self.marks("o", _DOT_PX, partial(design_colour, key=key), _ring) for key in _DASHES
        }
        self._said, self._about = self.note((0.5, 1), "dim"), self.note((1, -0.6))
        self._about.setText(tr("tokens of context, both axes logarithmic"))
        self._about.setPos(1, 0)
        self.setAccessibleName(tr("Cache bytes by context length"))
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setMinimumSize(360, 200)

    def show_shape(self, shape: CacheShape) -> None:
        self.shape = shape
        self._along = token_axis(shape.window)
        lengths = [self._along.value(at / _POINTS) for at in range(_POINTS + 1)]
        made = [designs(shape, tokens) for tokens in lengths]
        sizes = [design.bytes for every in made for design in every]
        self._up = byte_axis(min(sizes), max(sizes))
        places = [self._along.place(tokens) for tokens in lengths]
        for same in zip(*made, strict=True):
            self._curves[same[0].key].setData(places, [self._up.place(one.bytes) for one in same])
        self._show_ticks()

    def show_tokens(self, tokens: int, conversation: int | None, words: str) -> None:
        """Mark two lengths; `words` describe the figures at the selected one."""
        assert self.shape is not None, "show_shape comes first"
        at = self._along.place(tokens)
        self._chosen.setData([at, at], [0, 1])
        for design in designs(self.shape, tokens):
            self._dots[design.key].setData([at], [self._up.place(design.bytes)])
        here = self._along.place(conversation or 1)
        self._here.setData([here, here], [0, 1])
        self._here.setVisible(bool(conversation))
        self._said.setVisible(bool(conversation))
        said = fmt.count(conversation or 0)
        self._said.setText(tr("conversation {conversation}").format(conversation=said))
        self._said.setPos(here, 1)
        # This anchor keeps the label within the plot.
        self._said.setAnchor((here, 1))
        self.setAccessibleDescription(words)

    def sizeHint(self) -> QSize:
        return QSize(520, 216)

    def point(self, tokens: int, size: int) -> QPointF:
        """The pixel of a length and a size."""
        return self.place(self._along.place(tokens), self._up.place(size))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.mouseMoveEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton and self.shape is not None:
            self.chosen.emit(self._along.value(self.along(event.position().x())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_ticks()

    def _show_ticks(self) -> None:
        """Show as many ticks as fit."""
        sizes = byte_ticks(self._up, int(self.area.height() / _LINE_PX))
        lengths = token_ticks(self._along, int(self.area.width() / _TICK_PX))
        self.show_ticks(
            [(self._up.place(at.value), at.text) for at in sizes],
            [(self._along.place(at.value), at.text) for at in lengths],
        )
