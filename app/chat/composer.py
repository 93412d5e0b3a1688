"""The input field: grows with its text, sends with Enter, stops with Esc."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.icons import icon
from app.widgets import ElidedLabel, set_state

_MOST_LINES = 12
_PAUSE_MS = 350


class _Input(QPlainTextEdit):
    """The text field.

    Signals:
        entered: Enter without Shift.
        focused: the field gained (True) or lost (False) the focus.
    """

    entered = Signal()
    focused = Signal(bool)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not shifted:
            self.entered.emit()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focused.emit(False)


class Composer(QFrame):
    """The composer under a conversation.

    Signals:
        sent: the text to send.
        stopped: stop the running answer.
        typed: the text, after each change.
        paused: the text, a moment after the last key press: time to ask what it would reuse.
        thinking_set: whether the model should think.
    """

    sent = Signal(str)
    stopped = Signal()
    typed = Signal(str)
    paused = Signal(str)
    thinking_set = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("composer")
        self._busy = False
        self._input = _Input(self)
        self._input.setPlaceholderText("Write a message")
        self._input.setAccessibleName("Message")
        self._input.setFont(theme.ui_font(14))
        self._input.document().setDocumentMargin(2)
        # Qt would let the user undo the margin.
        self._input.document().clearUndoRedoStacks()
        self._input.setTabChangesFocus(True)
        self._input.entered.connect(self.send)
        self._input.textChanged.connect(self._changed)
        self._input.focused.connect(lambda on: set_state(self, "active", on))
        self._thinking = QPushButton(self)
        self._thinking.setText("Think")
        self._thinking.setCheckable(True)
        self._thinking.setProperty("kind", "chip")
        self._thinking.setAccessibleName("Let the model think before it answers")
        self._thinking.setToolTip("Let the model think before it answers")
        self._thinking.toggled.connect(self._thinking_toggled)
        self._hint = ElidedLabel("faint")
        self._button = QPushButton(self)
        self._button.setProperty("kind", "round")
        self._button.setFixedSize(32, 32)
        self._button.setIconSize(QSize(16, 16))
        self._button.clicked.connect(self._pressed)
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addWidget(self._thinking)
        row.addWidget(self._hint, 1)
        row.addWidget(self._button)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 10, 10)
        column.setSpacing(6)
        column.addWidget(self._input)
        column.addLayout(row)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(lambda: self.paused.emit(self.text))
        self.restyle()
        self._changed()

    @property
    def text(self) -> str:
        return self._input.toPlainText()

    def set_text(self, text: str) -> None:
        if text != self.text:
            self._input.setPlainText(text)
            cursor = self._input.textCursor()
            cursor.movePosition(cursor.MoveOperation.End)
            self._input.setTextCursor(cursor)

    def set_placeholder(self, text: str) -> None:
        if text != self._input.placeholderText():
            self._input.setPlaceholderText(text)
            # Qt repaints a placeholder only when it appears or disappears, not when it changes.
            self._input.viewport().update()
            self._fit()

    def focus(self) -> None:
        self._input.setFocus()

    def set_busy(self, busy: bool) -> None:
        """While an answer is being written the button stops it."""
        self._busy = busy
        self._show_button()

    def set_thinking(self, on: bool, *, possible: bool) -> None:
        self._thinking.setVisible(possible)
        self._thinking.blockSignals(True)
        self._thinking.setChecked(on)
        self._thinking.blockSignals(False)
        self.restyle()

    def set_hint(self, text: str) -> None:
        # "will reuse 3,216 of 4,000 · about 0.18 s", without the time if there is no room.
        self._hint.setText(text, text.split(" · ")[0])
        self._hint.setToolTip(text)

    @property
    def hint(self) -> str:
        return self._hint.text()

    def send(self) -> None:
        text = self.text
        if text.strip() and not self._busy:
            self._timer.stop()
            # Nobody hears that it is empty: the draft leaves the file as the message enters it.
            with QSignalBlocker(self):
                self._input.clear()
            self.sent.emit(text)

    def restyle(self) -> None:
        look = theme.current()
        token = "accent" if self._thinking.isChecked() else "dim"
        self._thinking.setIcon(icon("thinking", look.colours[token]))
        self._show_button()

    def _pressed(self) -> None:
        if self._busy:
            self.stopped.emit()
        else:
            self.send()

    def _thinking_toggled(self, on: bool) -> None:
        self.restyle()
        self.thinking_set.emit(on)

    def _changed(self) -> None:
        self._fit()
        self._show_button()
        self._timer.start()
        self.typed.emit(self.text)

    def _fit(self) -> None:
        """As tall as the text, or as the placeholder if there is none."""
        lines = max(1, self._lines()) if self.text else self._placeholder_lines()
        height = self._input.fontMetrics().lineSpacing() * min(_MOST_LINES, lines) + 8
        full = lines >= _MOST_LINES
        policy = Qt.ScrollBarPolicy
        # Below its full height it needs no bar; Qt would show one until the new height holds.
        self._input.setVerticalScrollBarPolicy(
            policy.ScrollBarAsNeeded if full else policy.ScrollBarAlwaysOff
        )
        if height != self._input.height():
            self._input.setFixedHeight(height)
            # What was scrolled while the field was still small is there as a whole now.
            QTimer.singleShot(0, self._input, self._input.ensureCursorVisible)

    def _placeholder_lines(self) -> int:
        metrics = self._input.fontMetrics()
        margin = round(self._input.document().documentMargin())
        room = QRect(0, 0, max(1, self._input.viewport().width() - 2 * margin), 0)
        flags = int(Qt.TextFlag.TextWordWrap)
        taken = metrics.boundingRect(room, flags, self._input.placeholderText()).height()
        return max(1, round(taken / metrics.lineSpacing()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # The field has its width only after the layout that this starts.
        QTimer.singleShot(0, self, self._fit)

    def _lines(self) -> int:
        """Lines on screen, counting wrapped ones; stops counting where no more fit."""
        total = 0
        document = self._input.document()
        block = document.firstBlock()
        while block.isValid() and total < _MOST_LINES:
            # Text that was just pasted has no lines yet; asking for its rectangle breaks it.
            document.documentLayout().blockBoundingRect(block)
            total += max(1, block.layout().lineCount())
            block = block.next()
        return total

    def _show_button(self) -> None:
        colours = theme.current().colours
        ready = self._busy or bool(self.text.strip())
        self._button.setEnabled(ready)
        colour = colours["on_accent"] if ready else colours["faint"]
        self._button.setIcon(icon("stop" if self._busy else "send", colour))
        name = "Stop (Esc)" if self._busy else "Send (Enter)"
        self._button.setAccessibleName(name.split(" ")[0])
        self._button.setToolTip(name)
