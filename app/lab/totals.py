"""The bytes of each design at the chosen length, as bars to scale beside their figures."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from app import theme
from app.lab.arithmetic import Design, DesignKey
from app.lab.design_colours import design_colour, design_pen
from app.lab.sentences import NAMES, ratio_text
from app.widgets import label
from app.words import format as fmt
from app.words.tr import tr

_SWATCH_PX, _BAR_PX = 26, 6


class _Swatch(QWidget):
    """A piece of a design's curve."""

    def __init__(self, key: DesignKey) -> None:
        super().__init__()
        self._key = key
        self.setFixedSize(_SWATCH_PX, 14)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(design_pen(theme.current(), self._key))
        painter.drawLine(1, 7, _SWATCH_PX - 1, 7)
        painter.end()


class _Bar(QWidget):
    """One size as a share of the largest."""

    def __init__(self, key: DesignKey) -> None:
        super().__init__()
        self._key = key
        self.share = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("{names}, to scale").format(names=NAMES[key]))

    def sizeHint(self) -> QSize:
        return QSize(200, _BAR_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.colour("track"))
        painter.drawRoundedRect(self.rect(), _BAR_PX / 2, _BAR_PX / 2)
        painter.setBrush(design_colour(look, self._key))
        width = max(2.0, self.share * self.width())
        painter.drawRoundedRect(QRectF(0, 0, width, _BAR_PX), _BAR_PX / 2, _BAR_PX / 2)
        painter.end()


class Totals(QWidget):
    """Three rows, in the order of the designs.

    Attributes:
        figures: the labels of the sizes, by design.
        ratios: how many times the model as it is, by design.
        bars: by design.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.figures: dict[DesignKey, QLabel] = {}
        self.ratios: dict[DesignKey, QLabel] = {}
        self.bars: dict[DesignKey, _Bar] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(5)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for place, (key, name) in enumerate(NAMES.items()):
            row = 3 * place
            self.figures[key] = label("", "title", selectable=True)
            self.ratios[key] = label("", "figures")
            self.bars[key] = _Bar(key)
            grid.addWidget(_Swatch(key), row, 0)
            grid.addWidget(label(name, "dim"), row, 1)
            grid.addWidget(self.ratios[key], row, 2, right)
            grid.addWidget(self.figures[key], row, 3, right)
            grid.addWidget(self.bars[key], row + 1, 0, 1, 4)
            grid.setRowMinimumHeight(row + 2, 10)
        grid.setColumnStretch(1, 1)
        grid.setColumnMinimumWidth(2, 56)
        grid.setColumnMinimumWidth(3, 78)

    def show_designs(self, made: tuple[Design, ...]) -> None:
        hybrid = made[-1]
        most = max(design.bytes for design in made) or 1
        for design in made:
            size = fmt.byte_size(design.bytes)
            self.figures[design.key].setText(size)
            self.ratios[design.key].setText(ratio_text(design, hybrid))
            bar = self.bars[design.key]
            bar.share = design.bytes / most
            bar.setAccessibleDescription(size)
            bar.update()
