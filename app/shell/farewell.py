"""Shutdown, from the user quitting to the end of the engine: nothing is lost unasked, and the cache
is saved.
"""

from __future__ import annotations

import logging
import time
from pathlib import Path

from PySide6.QtCore import QObject, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QSessionManager
from PySide6.QtWidgets import (
    QDialog,
    QMessageBox,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.core.bridge import Bridge
from app.core.session.keeper import Keeper
from app.core.session.records import Conversation, EnginePhase, EngineState, shorten
from app.core.store.records import StoreError
from app.core.words.tr import tr
from app.shell.exchange import ExchangeController
from app.shell.window import MainWindow
from app.ui.icons import app_icon
from app.ui.widgets import label

# Usually there is nothing to write, and a window that flashes up is alarming.
_SHOW_AFTER_S = 0.5
# An engine that reports no progress may be in the middle of a long step, or hanging.
_PATIENCE_S = 10.0
# An engine that is loading has nothing to write, and cannot stop while it imports libraries.
_LOADING_S = 0.3
_POLL_MS = 33
_WIDTH_PX = 420
_ABOUT = tr(
    "If you skip the rest, earlier prompts are processed again next time. Nothing else is affected."
)
_LOSES = tr(
    "Quitting now loses what is in this window only. To keep it, save all conversations to a file "
    "elsewhere, which File > Import reads again; texts that are not sent yet are not part of it."
)

log = logging.getLogger(__name__)


class Unsaved(QObject):
    """Asks before the program ends with conversations that could not be saved.

    Attributes:
        dialog: the open dialog; None while there is none.
    """

    def __init__(self, keeper: Keeper, exchange: ExchangeController, window: MainWindow) -> None:
        super().__init__(window)
        self.dialog: QDialog | None = None
        self._keeper, self._exchange, self._window = keeper, exchange, window
        self._agreed = False
        # Sending a message cancels quitting.
        window.chat.composer.sent.connect(self._take_back)

    def may_quit(self, *, last: bool = False) -> bool:
        """Whether nothing would be lost, or the user accepts that. Blocks while asking.

        last: the engine has ended, so there is no way back to the window.
        """
        if self.dialog is not None:
            return False
        problem = ""
        while not self._agreed and (lost := self._keeper.unsaved()):
            chosen = self._ask(lost, problem or _LOSES, tr("Try again") if last else tr("Cancel"))
            if chosen is QMessageBox.ButtonRole.AcceptRole:
                problem = self._save_elsewhere()
            elif chosen is QMessageBox.ButtonRole.DestructiveRole:
                self._agreed = True
            elif not (last or self._agreed):
                return False
        return True

    def give_up(self) -> None:
        """Quit without waiting for an answer to the dialog."""
        self._agreed = True
        if self.dialog is not None:
            self.dialog.reject()

    def answer(self, manager: QSessionManager) -> None:
        """Answer the desktop's question whether the session may end."""
        if self.dialog is not None or not self._keeper.unsaved():
            return
        if not manager.allowsInteraction():
            log.error("The session ends although not all conversations are saved.")
        elif self.may_quit():
            manager.release()
        else:
            manager.cancel()

    def _take_back(self) -> None:
        self._agreed = False

    def _ask(self, lost: list[Conversation], more: str, no: str) -> QMessageBox.ButtonRole:
        box, roles = QMessageBox(self._window), QMessageBox.ButtonRole
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle(tr("Quit Biplane"))
        box.setText(
            tr("The conversation “{title}” is not saved.").format(title=shorten(lost[0].title))
            if len(lost) == 1
            else tr("{count} conversations are not saved.").format(count=len(lost))
        )
        box.setInformativeText(more)
        box.setDefaultButton(box.addButton(tr("Save elsewhere…"), roles.AcceptRole))
        box.addButton(tr("Quit without saving"), roles.DestructiveRole)
        box.setEscapeButton(box.addButton(no, roles.RejectRole))
        self._show(box)
        chosen = box.clickedButton()
        box.deleteLater()
        return roles.RejectRole if chosen is None else box.buttonRole(chosen)

    def _save_elsewhere(self) -> str:
        """Ask for a file and write everything to it; the reason for a failure, else ""."""
        chosen: list[str] = []
        dialog = self._exchange.dialog_for_all()
        dialog.fileSelected.connect(chosen.append)
        self._show(dialog)
        if not chosen:
            return ""
        try:
            self._keeper.rescue(Path(chosen[0]))
        except StoreError as error:
            return str(error)
        self._agreed = True
        return ""

    def _show(self, dialog: QDialog) -> None:
        """Show a dialog and wait until it is closed."""
        self.dialog = dialog
        dialog.exec()
        self.dialog = None


class SavingCard(QWidget):
    """Shows saving progress, and lets the user quit at once.

    Attributes:
        line: the current stage.
        bar: its progress.
        button: quits without saving the rest, as closing the card does.

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
    """Ends the engine and waits for it, with a card if that takes a while.

    Attributes:
        card: None until shown.
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
        """Start. A second call stops waiting. place: the former window's, for the card."""
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
        """Quit now; anything not written yet is lost."""
        if self.begun and not self.done:
            self.done = True
            self._timer.stop()
            if self.card is not None:
                self.card.hide()
            self.over.emit()

    def look(self) -> None:
        """Poll the engine's progress."""
        self._bridge.take()
        engine, now = self._bridge.session.engine, time.monotonic()
        if self._bridge.over:
            self.hurry()
            return
        if engine.fraction != self._written:
            self._written, self._moved = engine.fraction, now
        if engine.fraction is None:
            # No progress to show: it may only have a step to finish, and nothing to write.
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
