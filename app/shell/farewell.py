"""Between the user quitting and the engine ending: the cache is written to disk."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.bridge import Bridge
from app.icons import app_icon
from app.session.records import EnginePhase, EngineState
from app.widgets import label
from app.words.tr import tr

# Usually there is nothing to write, and a window that flashes up is alarming.
_SHOW_AFTER_S = 0.5
# An engine that reports no progress may be in the middle of a long step, or hanging.
_PATIENCE_S = 10.0
# One that is still loading has nothing to write, and cannot stop while it imports its libraries.
_LOADING_S = 0.3
_POLL_MS = 33
_WIDTH_PX = 420
_ABOUT = tr(
    "If you skip the rest, earlier prompts are processed again next time. Nothing else is affected."
)


class SavingCard(QWidget):
    """Shows how much has been written, and lets the user quit at once.

    Attributes:
        line: what is being done.
        bar: its progress.
        button: quits without the rest, as closing the card does.

    Signals:
        hurried: the user does not want to wait.
    """

    hurried = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Biplane")
        self.setWindowIcon(app_icon())
        self.setObjectName("centre")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.line = label("", "title")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setRange(0, 1000)
        self.bar.setAccessibleName(tr("Saving the cache"))
        self.button = QPushButton(tr("Quit without saving the rest"))
        self.button.clicked.connect(self.hurried)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 20)
        column.setSpacing(12)
        column.addWidget(self.line)
        column.addWidget(self.bar)
        column.addWidget(label(_ABOUT, "dim", wrap=True))
        column.addWidget(self.button, alignment=Qt.AlignmentFlag.AlignRight)
        self.setFixedWidth(_WIDTH_PX)

    def show_engine(self, engine: EngineState) -> None:
        self.line.setText(engine.stage)
        self.bar.setValue(round((engine.fraction or 0) * 1000))

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.hurried.emit()


class Farewell(QObject):
    """Ends the engine and waits for it, showing a card if that takes a while.

    Attributes:
        card: None until it is needed.
        begun: the user has quit.
        done: nothing is left to wait for.

    Signals:
        over: the program may exit.
    """

    over = Signal()

    def __init__(self, bridge: Bridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.card: SavingCard | None = None
        self.begun = self.done = False
        self._bridge = bridge
        self._since = self._moved = 0.0
        self._patience_s = _PATIENCE_S
        self._written: float | None = None
        self._place = QRect()
        self._timer = QTimer(self)
        self._timer.setInterval(_POLL_MS)
        self._timer.timeout.connect(self.look)

    def begin(self, place: QRect) -> None:
        """place: where the window was, for the card. A second call stops waiting."""
        if self.begun:
            self.hurry()
            return
        self.begun = True
        self._place = place
        self._since = self._moved = time.monotonic()
        if self._bridge.session.engine.phase is EnginePhase.LOADING:
            self._patience_s = _LOADING_S
        self._bridge.end()
        self._timer.start()
        self.look()

    def hurry(self) -> None:
        """Quit now; whatever is not written yet is lost."""
        if self.begun and not self.done:
            self.done = True
            self._timer.stop()
            if self.card is not None:
                self.card.hide()
            self.over.emit()

    def look(self) -> None:
        """Check the engine's progress."""
        self._bridge.take()
        engine, now = self._bridge.session.engine, time.monotonic()
        if self._bridge.over:
            self.hurry()
            return
        if engine.fraction != self._written:
            self._written, self._moved = engine.fraction, now
        if engine.fraction is None:
            # Nothing to show: maybe there is nothing to write, only a step to finish.
            if now - self._moved > self._patience_s:
                self.hurry()
        elif now - self._since >= _SHOW_AFTER_S:
            self._show(engine)

    def _show(self, engine: EngineState) -> None:
        if self.card is None:
            self.card = SavingCard()
            self.card.hurried.connect(self.hurry)
            self.card.show_engine(engine)
            self.card.adjustSize()
            self.card.move(self._place.center() - self.card.rect().center())
            self.card.show()
        self.card.show_engine(engine)
