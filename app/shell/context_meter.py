"""A small bar: how full the context is, and how much of it is warm."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import theme
from app.session.context_use import NEARLY_FULL, ContextUse
from app.widgets import set_tip
from app.words.tr import tr

_WIDTH_PX, _BAR_PX = 84, 6


class ContextMeter(QWidget):
    """Warm tokens, cold tokens and room, from left to right, with a mark where it gets tight.

    Attributes:
        use: what is shown; None shows an empty bar.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.use: ContextUse | None = None
        self.setFixedWidth(_WIDTH_PX)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self.setAccessibleName(tr("Context"))

    def show_use(self, use: ContextUse | None, detail: str) -> None:
        """Show figures; `detail` says them in words."""
        set_tip(self, detail)
        self.setAccessibleDescription(detail)
        if use != self.use:
            self.use = use
            self.update()

    @property
    def parts(self) -> tuple[float, float]:
        """How far the warm tokens and all used ones reach, in pixels."""
        if self.use is None:
            return 0.0, 0.0
        px = self.width() / self.use.window
        warm = self.use.warm or 0
        return min(self.width(), warm * px), min(self.width(), self.use.used * px)

    def sizeHint(self) -> QSize:
        return QSize(_WIDTH_PX, _BAR_PX + 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        top = (self.height() - _BAR_PX) / 2
        bar = QRectF(0, top, self.width(), _BAR_PX)
        outline = QPainterPath()
        outline.addRoundedRect(bar, _BAR_PX / 2, _BAR_PX / 2)
        painter.setClipPath(outline)
        painter.fillRect(bar, look.colour("border"))
        warm, used = self.parts
        tight = self.use is not None and self.use.nearly_full
        # Cold tokens are no trouble until room runs out.
        cold = look.colour("danger" if tight else "faint")
        painter.fillRect(QRectF(0, top, used, _BAR_PX), cold)
        painter.fillRect(QRectF(0, top, warm, _BAR_PX), look.colour("reused"))
        painter.fillRect(
            QRectF(round(self.width() * NEARLY_FULL), top, 1, _BAR_PX), look.colour("dim")
        )
        painter.end()
