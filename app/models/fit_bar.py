"""A bar of all memory: what others have, what a model would take, and what stays free."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app import theme
from app.flow_row import FlowRow
from app.models.fit import Fit
from app.models.words import fit_text, part_texts
from app.widgets import label, set_state
from app.words.joining import listed

_BAR_PX, _SWATCH_PX, _LEAST_PX = 20, 10, 2.0
_RADIUS = 5


class Bar(QWidget):
    """Only paints; `FitBar` says the same in words."""

    def __init__(self) -> None:
        super().__init__()
        self._fit: Fit | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_fit(self, fit: Fit | None) -> None:
        self._fit = fit
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, _BAR_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours, whole = theme.current(), QRectF(self.rect())
        clip = QPainterPath()
        clip.addRoundedRect(whole, _RADIUS, _RADIUS)
        painter.setClipPath(clip)
        painter.fillRect(whole, colours.colour("track"))
        fit = self._fit
        if fit is not None and fit.total:
            # What does not fit makes the bar longer than the memory; the end is marked.
            scale = whole.width() / max(fit.total, fit.others + fit.needed)
            left = 0.0
            for token, size in fit.parts:
                if size <= 0:
                    continue
                width = max(size * scale, _LEAST_PX)
                part = QRectF(left, 0, max(width - 1, 1), whole.height())
                painter.fillRect(part, _brush(token))
                left += width
            if not fit.fits:
                end = fit.total * scale
                painter.fillRect(QRectF(end - 1, 0, 2, whole.height()), colours.colour("danger"))
        painter.end()


class Swatch(QWidget):
    """A small square in a colour of the bar."""

    def __init__(self, token: str) -> None:
        super().__init__()
        self._token = token
        self.setFixedSize(_SWATCH_PX, _SWATCH_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(_brush(self._token))
        painter.drawRoundedRect(QRectF(self.rect()), 2, 2)
        painter.end()


class FitBar(QWidget):
    """The bar, its legend with sizes, and the sentence.

    Attributes:
        sentence: whether it fits.
    """

    def __init__(self) -> None:
        super().__init__()
        self.bar = Bar()
        self.sentence = label("", "strong", wrap=True)
        self._legend = FlowRow(16)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.sentence)
        column.addWidget(self.bar)
        column.addWidget(self._legend)
        self._shown: tuple[tuple[str, str, str], ...] = ()

    def show_fit(self, fit: Fit, device: str) -> None:
        """Show how a model fits into the memory of a device."""
        said = fit_text(fit, device)
        self.sentence.setText(said)
        set_state(self.sentence, "kind", "strong" if fit.fits else "danger")
        self.bar.show_fit(fit)
        parts = part_texts(fit)
        self.bar.setAccessibleName(listed((said, *(f"{name} {size}" for _, name, size in parts))))
        if parts != self._shown:
            self._shown = parts
            self._legend.clear()
            for token, name, size in parts:
                self._legend.add(_item(token, name, size))
            self._legend.arrange()


def _brush(token: str) -> QBrush:
    """What others have is hatched: it is no part of the model, and grey is the weights' colour."""
    if token == "faint":
        return QBrush(theme.current().colour("faint"), Qt.BrushStyle.BDiagPattern)
    return QBrush(theme.current().colour(token))


def _item(token: str, name: str, size: str) -> QWidget:
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(6)
    row.addWidget(Swatch(token))
    row.addWidget(label(name, "faint"))
    figure: QLabel = label(size, "figuresStrong")
    row.addWidget(figure)
    return made
