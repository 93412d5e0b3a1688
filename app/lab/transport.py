"""Steps through tokens: back, play, forward, and a slider over all of them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QHBoxLayout, QSlider, QWidget

from app.widgets import IconButton
from app.words.tr import tr

_STEP_MS = 350


class Transport(QWidget):
    """A position among `count` tokens.

    Attributes:
        count: tokens there are.
        at: the position, from 0.
        back, play, forward, slider: move it.

    Signals:
        moved: the position is another.
    """

    moved = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.count = self.at = 0
        self._timer = QTimer(self)
        self._timer.setInterval(_STEP_MS)
        self._timer.timeout.connect(self._tick)
        self.back = IconButton("left", tr("One token back"), lambda: self.go(self.at - 1))
        self.play = IconButton("play", tr("Play"), self.toggle)
        self.forward = IconButton("right", tr("One token forward"), lambda: self.go(self.at + 1))
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(tr("Token"))
        self.slider.setPageStep(8)
        self.slider.valueChanged.connect(self.go)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for part in (self.back, self.play, self.forward):
            row.addWidget(part)
        row.addWidget(self.slider, 1)

    @property
    def playing(self) -> bool:
        return self._timer.isActive()

    def show_count(self, count: int, at: int) -> None:
        """Another sequence; does not signal."""
        self._pause()
        self.count, self.at = count, min(max(at, 0), max(0, count - 1))
        self.slider.blockSignals(True)
        self.slider.setRange(0, max(0, count - 1))
        self.slider.setValue(self.at)
        self.slider.blockSignals(False)
        self._enable()

    def go(self, at: int) -> None:
        """To a token; beyond the ends, to the last one there."""
        at = min(max(at, 0), max(0, self.count - 1))
        if at != self.at:
            self.at = at
            self.slider.blockSignals(True)
            self.slider.setValue(at)
            self.slider.blockSignals(False)
            self._enable()
            self.moved.emit()

    def toggle(self) -> None:
        """Play from here, or from the beginning if this is the end; or pause."""
        if self.playing:
            self._pause()
        elif self.count > 1:
            if self.at == self.count - 1:
                self.go(0)
            self._timer.start()
            self.play.show_icon("pause", tr("Pause"))

    def hideEvent(self, event: QHideEvent) -> None:
        self._pause()
        super().hideEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.EnabledChange and not self.isEnabled():
            self._pause()
        super().changeEvent(event)

    def _tick(self) -> None:
        self.go(self.at + 1)
        if self.at >= self.count - 1:
            self._pause()

    def _pause(self) -> None:
        self._timer.stop()
        self.play.show_icon("play", tr("Play"))

    def _enable(self) -> None:
        self.back.setEnabled(self.at > 0)
        self.forward.setEnabled(self.at < self.count - 1)
        self.play.setEnabled(self.count > 1)
