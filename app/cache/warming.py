"""Cache > Warm a prompt: prefills messages into the cache before they are sent."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QTextCursor
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.core.bridge import Bridge
from app.core.session.changes import Change, Changed, Outcome
from app.core.words.engine_words import said
from app.core.words.node_actions import HINT, NO_MODEL, PromptTextError, messages_of, text_of
from app.core.words.tr import tr
from app.ui.menus.menus import Menus
from app.ui.widgets import label
from engine.commands import StopActs
from engine.message import Message, PromptOptions

_ABOUT = tr(
    "Reads these messages into the cache while no answer runs: a conversation "
    "that begins with them then answers sooner."
)
_SIZE_PX = (520, 400)


class WarmDialog(QDialog):
    """A text field, its progress or result, and buttons; it stays open until it is closed.

    Attributes:
        text: the messages.
        said: a parse error, the progress of the prefill, or the result.
        warm, stop: the buttons.

    Signals:
        wanted(object): warm these messages.
        stopped: stop warming.
    """

    wanted = Signal(object)
    stopped = Signal()

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Warm a prompt"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.text = QPlainTextEdit(text)
        self.text.setProperty("kind", "field")
        self.text.setAccessibleName(tr("Messages of the prompt"))
        self.text.setPlaceholderText("user:\nHello")
        self.text.setTabChangesFocus(True)
        self.text.moveCursor(QTextCursor.MoveOperation.End)
        self.text.textChanged.connect(self._changed)
        self.said = label("", "", wrap=True, selectable=True)
        self.said.setAccessibleName(tr("What came of it"))
        self.warm, self.stop = QPushButton(tr("Warm")), QPushButton(tr("Stop"))
        self.warm.setProperty("kind", "primary")
        self.warm.setToolTip("Ctrl+Enter")
        self.warm.clicked.connect(self._want)
        self.stop.clicked.connect(self.stopped)
        for keys in ("Ctrl+Return", "Ctrl+Enter"):
            QShortcut(QKeySequence(keys), self, self._want)
        self._build()
        self.show_progress("", running=False)
        self.resize(*_SIZE_PX)

    def show_progress(self, sentence: str, *, running: bool) -> None:
        """Show the progress or the result."""
        self.said.setText(said(sentence))
        self.said.setVisible(bool(sentence))
        self.warm.setEnabled(not running)
        self.stop.setEnabled(running)

    def _build(self) -> None:
        close = QPushButton(tr("Close"))
        close.clicked.connect(self.close)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        for button in (self.stop, self.warm, close):
            # Enter writes a new line.
            button.setAutoDefault(False)
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(12)
        column.addWidget(label(_ABOUT, "dim", wrap=True))
        column.addWidget(self.text, 1)
        column.addWidget(label(HINT, "faint", wrap=True))
        column.addWidget(self.said)
        column.addLayout(buttons)

    def _changed(self) -> None:
        """Clear what was reported about the previous text."""
        if self.warm.isEnabled():
            self.show_progress("", running=False)

    def _want(self) -> None:
        if not self.warm.isEnabled():
            return
        try:
            messages = messages_of(self.text.toPlainText())
        except PromptTextError as error:
            self.show_progress(str(error), running=False)
            self.text.setFocus()
            return
        self.wanted.emit(messages)


class WarmController(QObject):
    """Owns the dialog; there is at most one.

    Attributes:
        dialog: None while it is closed.
    """

    def __init__(self, bridge: Bridge, menus: Menus, parent: QWidget) -> None:
        super().__init__(parent)
        self._bridge, self._session, self._parent = bridge, bridge.session, parent
        self.dialog: WarmDialog | None = None
        # The last text, for the next time.
        self._text = ""
        self._number: int | None = None
        menus.warm.triggered.connect(self.open)
        bridge.changed.connect(self._changed)

    def open(self) -> None:
        """Open the modeless dialog, or bring it to the front."""
        if self.dialog is None:
            text = self._text or text_of(self._session.current.system)
            self.dialog = WarmDialog(text, self._parent)
            self.dialog.wanted.connect(self._warm)
            self.dialog.stopped.connect(lambda: self._bridge.ask(StopActs()))
            self.dialog.finished.connect(self._closed)
            self._show()
        self.dialog.show()
        self.dialog.raise_()
        self.dialog.activateWindow()
        self.dialog.text.setFocus()

    def _warm(self, messages: tuple[Message, ...]) -> None:
        session = self._session
        if session.engine.model is None:
            if self.dialog is not None:
                self.dialog.show_progress(NO_MODEL, running=False)
            return
        command = session.acts.warm(messages, PromptOptions(thinking=session.current.thinking))
        self._number = command.number
        self._bridge.perform(Outcome.of(Changed.ACTS, commands=(command,)))

    def _changed(self, changes: frozenset[Change]) -> None:
        told = changes & {Changed.ACTS, Changed.ENGINE}
        if told and self._number is not None:
            self._show()

    def _show(self) -> None:
        acts = self._session.acts
        running = self._number in acts.waiting
        last = acts.last
        ended = last is not None and last.number == self._number
        if self.dialog is not None:
            self.dialog.show_progress(acts.sentence if running or ended else "", running=running)

    def _closed(self) -> None:
        if self.dialog is not None:
            self._text = self.dialog.text.toPlainText()
        self.dialog = None
