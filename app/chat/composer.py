"""The composer: a field that grows with its text, files as chips, Enter to send, Esc to stop."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from PySide6.QtCore import QMimeData, QRect, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragMoveEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.chat.file_chips import FileChips, files_of
from app.chat.message_editor import sends
from app.core.session.attachments import Attachment
from app.core.words.tr import tr
from app.ui import theme
from app.ui.icons import icon
from app.ui.widgets import ElidedLabel, IconButton, label, set_state

_MOST_LINES = 12
_PAUSE_MS = 350
# Qt itself takes links for text, too.
TEXT = "text/plain"
_NO_IMAGES = tr("An image cannot be sent: the models that Biplane runs read text alone.")


class _Input(QPlainTextEdit):
    """The text field.

    Signals:
        entered: the send key was pressed.
        focused: the field gained (True) or lost (False) the focus.
        pasted: files from the clipboard.
        refused: what was pasted cannot be written, in a sentence.
    """

    entered = Signal()
    focused = Signal(bool)
    pasted = Signal(object)
    refused = Signal(str)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if sends(event):
            self.entered.emit()
        else:
            super().keyPressEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        taken = bool(files_of(source)) or source.hasImage()
        return taken or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        # File managers also offer the names as text.
        if files := files_of(source):
            self.pasted.emit(files)
        elif source.hasImage() and not source.hasFormat(TEXT):
            self.refused.emit(_NO_IMAGES)
        else:
            super().insertFromMimeData(source)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Ignore files: they are for the whole pane, which shows the drop target."""
        if files_of(event.mimeData()):
            event.ignore()
        else:
            super().dragEnterEvent(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        if files_of(event.mimeData()):
            event.ignore()
        else:
            super().dragMoveEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focused.emit(False)


class Composer(QFrame):
    """The input area under a conversation.

    Attributes:
        field: the text field.
        chips: the attached files.

    Signals:
        sent: the text to send, now or after the running answer.
        stopped: stop the running answer.
        typed: the text, after each change.
        paused: the text, a moment after the last change: time to probe it.
        thinking_set: whether to enable thinking.
        files_given: files were pasted or dropped.
        files_wanted: the user wants to choose files.
        file_removed: the id of a file.
    """

    sent = Signal(str)
    files_given = Signal(object)
    files_wanted = Signal()
    file_removed = Signal(object)
    stopped = Signal()
    typed = Signal(str)
    paused = Signal(str)
    thinking_set = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("composer")
        self._busy = False
        # Created before the field, so that they precede it in the Tab order.
        self.chips = FileChips(self)
        self.chips.removed.connect(self.file_removed)
        self.chips.left.connect(self.focus)
        self.field = _Input(self)
        self.field.setPlaceholderText(tr("Write a message"))
        self.field.setAccessibleName(tr("Message"))
        self.field.setFont(theme.ui_font(14))
        self.field.document().setDocumentMargin(2)
        # Otherwise the user could undo the margin.
        self.field.document().clearUndoRedoStacks()
        self.field.setTabChangesFocus(True)
        self.field.entered.connect(self.send)
        self.field.textChanged.connect(self._changed)
        self.field.focused.connect(lambda on: set_state(self, "active", on))
        self.field.pasted.connect(self.files_given)
        self.field.refused.connect(self.show_problem)
        self._problem = label("", "danger", wrap=True)
        self._problem.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._problem.hide()
        self._thinking = QPushButton(self)
        self._thinking.setText(tr("Think"))
        self._thinking.setCheckable(True)
        self._thinking.setProperty("kind", "chip")
        self._thinking.setAccessibleName(tr("Let the model think before it answers"))
        self._thinking.setToolTip(tr("Let the model think before it answers"))
        # A click keeps the cursor in the text.
        self._thinking.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._thinking.toggled.connect(self._thinking_toggled)
        self._attach = IconButton("attach", tr("Attach text files"), self.files_wanted.emit)
        self._hint = ElidedLabel("faint")
        self._send = self._round(self.send)
        self._stop = self._round(self.stopped.emit)
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addWidget(self._attach)
        row.addWidget(self._thinking)
        row.addWidget(self._hint, 1)
        row.addWidget(self._send)
        row.addWidget(self._stop)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 10, 10)
        column.setSpacing(6)
        column.addWidget(self.chips)
        column.addWidget(self._problem)
        column.addWidget(self.field)
        column.addLayout(row)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(lambda: self.paused.emit(self.text))
        # Left to right, after the text field.
        self.setTabOrder(self.field, self._attach)
        self.setTabOrder(self._attach, self._thinking)
        self.setTabOrder(self._thinking, self._send)
        self.setTabOrder(self._send, self._stop)
        self.restyle()
        self._changed()

    @property
    def text(self) -> str:
        return self.field.toPlainText()

    def set_text(self, text: str) -> None:
        if text != self.text:
            self.field.setPlainText(text)
            cursor = self.field.textCursor()
            cursor.movePosition(cursor.MoveOperation.End)
            self.field.setTextCursor(cursor)

    def set_placeholder(self, text: str) -> None:
        if text != self.field.placeholderText():
            self.field.setPlaceholderText(text)
            # Qt repaints a placeholder only when it appears or disappears, not when it changes.
            self.field.viewport().update()
            self._fit()

    def focus(self) -> None:
        self.field.setFocus()

    def write(self, text: str) -> None:
        """Continue typing with a text that was typed elsewhere."""
        self.focus()
        self.field.insertPlainText(text)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Focus the field for a click anywhere in the box but on its buttons and files."""
        self.focus()

    def set_busy(self, busy: bool) -> None:
        """While an answer is being written it can be stopped, and the next message is queued."""
        self._busy = busy
        self._show_buttons()

    def set_thinking(self, on: bool, *, possible: bool) -> None:
        self._thinking.setVisible(possible)
        self._thinking.blockSignals(True)
        self._thinking.setChecked(on)
        self._thinking.blockSignals(False)
        self.restyle()

    def set_hint(self, text: str, *shorter: str, detail: str = "", danger: bool = False) -> None:
        """Show what the text would reuse, or why it cannot be sent.

        Args:
            shorter: wordings for less room, longest first.
            detail: for the tooltip.
        """
        self._hint.setText(text, *shorter)
        self._hint.setToolTip(detail or text)
        set_state(self._hint, "kind", "dangerSmall" if danger else "faint")

    @property
    def hint(self) -> str:
        return self._hint.text()

    def show_files(self, files: Sequence[Attachment]) -> None:
        """Show the attached files."""
        if [file.id for file in files] != [chip.file.id for chip in self.chips.chips]:
            # The message's reuse has to be probed again.
            self._timer.start()
        self.chips.show_files(files)
        self._show_buttons()

    def show_problem(self, sentences: str) -> None:
        """Show which files could not be attached, until the text changes."""
        self._problem.setText(sentences)
        self._problem.setVisible(bool(sentences))

    @property
    def problem(self) -> str:
        return self._problem.text()

    def show_drop(self, on: bool) -> None:
        """Show or hide the drop target while files are dragged over the pane."""
        set_state(self, "dropping", on)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to send."""
        return not self.text.strip() and not self.chips.chips

    def send(self) -> None:
        if not self.empty:
            text = self.text
            self._timer.stop()
            # No signal for the empty field: the draft is deleted when the message is stored.
            with QSignalBlocker(self):
                self.field.clear()
            self.sent.emit(text)

    def restyle(self) -> None:
        look = theme.current()
        token = "accent" if self._thinking.isChecked() else "dim"
        self._thinking.setIcon(icon("thinking", look.colours[token]))
        self.chips.restyle()
        self._show_buttons()

    def _round(self, action: Callable[[], object]) -> QPushButton:
        made = QPushButton(self)
        made.setProperty("kind", "round")
        made.setFixedSize(32, 32)
        made.setIconSize(QSize(16, 16))
        made.clicked.connect(lambda: action())
        return made

    def _thinking_toggled(self, on: bool) -> None:
        self.restyle()
        self.thinking_set.emit(on)

    def _changed(self) -> None:
        self._fit()
        self._show_buttons()
        self.show_problem("")
        self._timer.start()
        self.typed.emit(self.text)

    def _fit(self) -> None:
        """Fit the height to the text, or to the placeholder if there is none."""
        lines, taken = self._lines() if self.text else (self._placeholder_lines(), 0)
        height = self.field.fontMetrics().lineSpacing() * min(_MOST_LINES, max(1, lines)) + 8
        full = lines >= _MOST_LINES
        if not full:
            # Letters from a fallback font may be taller.
            margin = self.field.document().documentMargin()
            height = max(height, math.ceil(taken + margin))
        policy = Qt.ScrollBarPolicy
        # Below its full height it needs no bar; Qt would show one until the new height applies.
        self.field.setVerticalScrollBarPolicy(
            policy.ScrollBarAsNeeded if full else policy.ScrollBarAlwaysOff
        )
        if height != self.field.height():
            self.field.setFixedHeight(height)
            # Text that was scrolled out of the smaller field is visible now.
            QTimer.singleShot(0, self.field, self.field.ensureCursorVisible)

    def _placeholder_lines(self) -> int:
        metrics = self.field.fontMetrics()
        margin = round(self.field.document().documentMargin())
        room = QRect(0, 0, max(1, self.field.viewport().width() - 2 * margin), 0)
        flags = int(Qt.TextFlag.TextWordWrap)
        taken = metrics.boundingRect(room, flags, self.field.placeholderText()).height()
        return max(1, round(taken / metrics.lineSpacing()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # The field gets its width only from the layout that this starts.
        QTimer.singleShot(0, self, self._fit)

    def _lines(self) -> tuple[int, float]:
        """Visible lines, counting wrapped ones, and their total pixels; stops at the maximum."""
        total, taken = 0, 0.0
        document = self.field.document()
        block = document.firstBlock()
        while block.isValid() and total < _MOST_LINES:
            # Text that was just pasted is not laid out yet; querying its rectangle does that.
            taken += document.documentLayout().blockBoundingRect(block).height()
            total += max(1, block.layout().lineCount())
            block = block.next()
        return total, taken

    def _show_buttons(self) -> None:
        colours = theme.current().colours
        ready = not self.empty
        self._send.setEnabled(ready)
        self._send.setVisible(ready or not self._busy)
        self._send.setIcon(
            icon("queue" if self._busy else "send", colours["on_accent" if ready else "faint"])
        )
        name = tr("Send after this answer (Enter)") if self._busy else tr("Send (Enter)")
        self._send.setAccessibleName(name.removesuffix(" (Enter)"))
        self._send.setToolTip(name)
        self._stop.setVisible(self._busy)
        self._stop.setIcon(icon("stop", colours["on_accent"]))
        self._stop.setAccessibleName(tr("Stop"))
        self._stop.setToolTip(tr("Stop (Esc)"))
