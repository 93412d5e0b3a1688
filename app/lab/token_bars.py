"""Strips with a column for each token: entries that are appended, values that can be read back."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app import theme
from app.theme import Theme
from app.words.joining import titled
from app.words.tr import tr

_LEFT_PX, _MOST_PX = 52, 26


class TokenBars(QWidget):
    """Columns of one width; strips of the same count stand below one another in line.

    Attributes:
        count: columns there are room for.
        at: the newest column that is filled; later ones are empty.
        chosen: column under the pointer's last press; None if none is.

    Signals:
        picked: a column was pressed.
    """

    picked = Signal(int)

    def __init__(self, name: str, height: int) -> None:
        super().__init__()
        self.count = 0
        self.at = -1
        self.texts: tuple[str, ...] = ()
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(height)
        self.setMinimumWidth(300)
        self.setMouseTracking(True)

    def sizeHint(self) -> QSize:
        return QSize(600, self.height())

    @property
    def plot(self) -> QRectF:
        return QRectF(self.rect()).adjusted(_LEFT_PX, 2, -2, -2)

    @property
    def step(self) -> float:
        """Width of a column, its gap included."""
        return min(float(_MOST_PX), self.plot.width() / max(1, self.count))

    def column(self, index: int) -> QRectF:
        """The place of a token, over the whole height."""
        gap = 1.0 if self.step >= 4 else 0.0
        area = self.plot
        return QRectF(area.left() + index * self.step, area.top(), self.step - gap, area.height())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.index_at(event.position())
        if index is not None and event.button() == Qt.MouseButton.LeftButton:
            self.picked.emit(index)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        index = self.index_at(event.position())
        words = "" if index is None else self.hint(index)
        QToolTip.showText(event.globalPosition().toPoint(), words, self)

    def index_at(self, place: QPointF) -> int | None:
        index = int((place.x() - self.plot.left()) // self.step)
        return index if 0 <= index < self.count else None

    def hint(self, index: int) -> str:
        """What is said of a column under the pointer."""
        return ""

    def paint_ground(self, painter: QPainter, look: Theme) -> None:
        """The room for every token, and where the reader is."""
        for index in range(self.count):
            painter.fillRect(self.column(index), look.colour("track", 0.55))

    def paint_now(self, painter: QPainter, look: Theme) -> None:
        """A frame around the newest column."""
        if 0 <= self.at < self.count:
            painter.setPen(QPen(look.colour("text"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.column(self.at).adjusted(-0.5, 0, 0.5, 0))

    def paint_name(self, painter: QPainter, look: Theme, text: str, place: QRectF) -> None:
        painter.setFont(theme.ui_font(11))
        painter.setPen(look.colour("faint"))
        painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)


class EntryBars(TokenBars):
    """Keys upwards, values downwards, each as long as its norm; nothing ever leaves."""

    def __init__(self) -> None:
        super().__init__(tr("Entries of the layer"), 84)
        self._keys: Sequence[float] = ()
        self._values: Sequence[float] = ()

    def show_entries(
        self, texts: tuple[str, ...], keys: Sequence[float], values: Sequence[float], at: int
    ) -> None:
        self.texts, self._keys, self._values = texts, keys, values
        self.count, self.at = len(texts), at
        self.update()

    def hint(self, index: int) -> str:
        if index > self.at:
            return tr("not yet fed")
        return tr("{texts}: key {keys:.3g}, value {values:.3g}").format(
            texts=self.texts[index], keys=self._keys[index], values=self._values[index]
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        look, painter = theme.current(), QPainter(self)
        self.paint_ground(painter, look)
        if self.count:
            self._paint_half(painter, self._keys, look.colour("kv_locked"), up=True)
            self._paint_half(painter, self._values, look.colour("kv_cached"), up=False)
            area = self.plot
            half = area.height() / 2
            for name, top in ((tr("keys"), area.top()), (tr("values"), area.top() + half)):
                self.paint_name(painter, look, name, QRectF(0, top, _LEFT_PX - 8, half))
            self.paint_now(painter, look)
        painter.end()

    def _paint_half(
        self, painter: QPainter, norms: Sequence[float], colour: QColor, *, up: bool
    ) -> None:
        most = max(norms, default=1.0) or 1.0
        for index in range(self.at + 1):
            place = self.column(index)
            middle, half = place.center().y(), place.height() / 2 - 1
            long = half * norms[index] / most
            top = middle - long if up else middle + 1
            painter.fillRect(QRectF(place.left(), top, place.width(), long), colour)


class ValueBars(TokenBars):
    """A value for each token fed so far, up to 1; below the line where it is negative."""

    def __init__(self, name: str, of: str, height: int, token: str, below: float) -> None:
        """`of` names one value; `below` is the share of the height for negative ones."""
        super().__init__(name, height)
        self._of, self._token, self._below = of, token, below
        self._values: Sequence[float] = ()

    def show_values(self, texts: tuple[str, ...], values: Sequence[float], at: int) -> None:
        self.texts, self._values, self.count, self.at = texts, values, len(texts), at
        self.update()

    def hint(self, index: int) -> str:
        if index > self.at:
            return tr("not yet fed")
        return titled(self.texts[index], f"{self._of} {self._values[index]:.2f}")

    def bar(self, index: int) -> QRectF:
        """The filled part of a column."""
        area, place, value = self.plot, self.column(index), self._values[index]
        zero = area.bottom() - area.height() * self._below
        end = zero - min(value, 1.0) * (zero - area.top())
        bar = QRectF(place.left(), min(zero, end), place.width(), abs(zero - end))
        return bar.intersected(area)

    def paintEvent(self, event: QPaintEvent) -> None:
        look, painter = theme.current(), QPainter(self)
        self.paint_ground(painter, look)
        if self.count:
            self._paint_values(painter, look)
            self.paint_now(painter, look)
        painter.end()

    def _paint_values(self, painter: QPainter, look: Theme) -> None:
        area = self.plot
        zero = area.bottom() - area.height() * self._below
        for index, value in enumerate(self._values[: self.at + 1]):
            token = self._token if value >= 0 else "danger"
            colour = look.colour(token, min(1.0, 0.35 + 0.65 * abs(value)))
            painter.fillRect(self.bar(index), colour)
        for text, y in (("1", area.top() + 5), ("0", zero - 2)):
            self.paint_name(painter, look, text, QRectF(0, y - 7, _LEFT_PX - 8, 14))
        painter.setPen(QPen(look.colour("faint"), 1))
        right = self.column(self.count - 1).right()
        painter.drawLine(QPointF(area.left(), zero), QPointF(right, zero))
