"""Stands for the cache pane in a narrow window: the split of device memory, and a button."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QHelpEvent,
    QHideEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QToolTip, QVBoxLayout, QWidget

from app.cache.logic.planes import Part, parts, total_bytes, widths
from app.core.words import format as fmt
from app.core.words.joining import titled
from app.core.words.tr import tr
from app.ui import theme
from app.ui.widgets import IconButton
from engine.snapshot import CacheSnapshot

_BAR_PX, _MOST_PX = 12, 360
_NAME = tr("Device memory by plane")


class _Split(QWidget):
    """Device memory from bottom to top, to scale."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: tuple[Part, ...] = ()
        self.setFixedWidth(_BAR_PX)
        self.setMaximumHeight(_MOST_PX)
        self.setAccessibleName(_NAME)

    def part_at(self, y: float) -> Part | None:
        at = float(self.height())
        for part, tall in zip(self.parts, self._heights(), strict=True):
            at -= tall
            if y >= at:
                return part
        return None

    def _heights(self) -> tuple[int, ...]:
        return widths(tuple(part.bytes for part in self.parts), self.height())

    def sizeHint(self) -> QSize:
        return QSize(_BAR_PX, _MOST_PX)

    def minimumSizeHint(self) -> QSize:
        return QSize(_BAR_PX, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        outline = QPainterPath()
        outline.addRoundedRect(QRectF(self.rect()), 4, 4)
        painter.setClipPath(outline)
        painter.fillRect(self.rect(), look.colour("track"))
        at = self.height()
        for part, tall in zip(self.parts, self._heights(), strict=True):
            at -= tall
            painter.fillRect(QRectF(0, at, self.width(), tall), look.colour(part.key))
        painter.end()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            part = self.part_at(event.pos().y())
            QToolTip.showText(event.globalPos(), part.tooltip if part else "", self)
            return True
        return super().event(event)


class CacheStrip(QWidget):
    """A narrow bar at the window's edge.

    Attributes:
        button: opens the pane over the chat, or closes it.
        split: the bar of memory.

    Signals:
        wanted: whether the pane is to be open.
        watched: whether the strip is visible; snapshots cost the engine some time.
    """

    wanted = Signal(bool)
    watched = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("cacheStrip")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.button = IconButton("planes", tr("Cache"), command="cache")
        self.button.setCheckable(True)
        self.button.clicked.connect(self.wanted)
        self.split = _Split()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 12, 0, 12)
        column.setSpacing(12)
        middle = Qt.AlignmentFlag.AlignHCenter
        column.addWidget(self.button, alignment=middle)
        column.addWidget(self.split, 1, alignment=middle)
        column.addStretch(0)

    def show_snapshot(self, snapshot: CacheSnapshot | None) -> None:
        """Show how device memory is split; None: no model is open."""
        known = snapshot is not None and "sizes" not in snapshot.untold
        made = parts(snapshot) if snapshot is not None and known else ()
        if made != self.split.parts:
            self.split.parts = made
            self.split.update()
            whole = fmt.byte_size(total_bytes(snapshot)) if snapshot is not None and known else ""
            told = [titled(_NAME, whole), *(part.tooltip for part in made)]
            self.split.setAccessibleDescription("\n".join(told) if made else "")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.watched.emit(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.watched.emit(False)
