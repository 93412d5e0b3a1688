"""The editor for the system text, which is applied on request, after showing its cost."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.core.words.tr import tr
from app.ui.widgets import keep_room, label

_PAUSE_MS = 350
_FIELD_PX, _COST_LINES = 100, 2


class _Editor(QPlainTextEdit):
    """The text field.

    Signals:
        applied: Ctrl+Enter.
    """

    applied = Signal()

    def event(self, event: QEvent) -> bool:
        # Elsewhere the keys may have another meaning.
        if event.type() == QEvent.Type.ShortcutOverride and _applies(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if _applies(event):
            self.applied.emit()
        else:
            super().keyPressEvent(event)


def _applies(event: QEvent) -> bool:
    if not isinstance(event, QKeyEvent):
        return False
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
    return enter and held == Qt.KeyboardModifier.ControlModifier


class SystemText(QWidget):
    """Edits a conversation's system text.

    Attributes:
        editor: the field.
        apply_button, revert_button: shown while the text differs from the applied one.

    Signals:
        drafted: the text, after each change.
        paused: a moment after the last change: time to probe its cost.
        applied: the text to apply.
        reverted: discard the unapplied text.
    """

    drafted = Signal(str)
    paused = Signal()
    applied = Signal(str)
    reverted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._applied = ""
        self.editor = _Editor()
        self.editor.setProperty("kind", "field")
        self.editor.setAccessibleName(tr("System text"))
        self.editor.setTabChangesFocus(True)
        self.editor.setPlaceholderText(
            tr("Instructions that the model reads before the conversation")
        )
        self.editor.setFixedHeight(_FIELD_PX)
        self.editor.textChanged.connect(self._changed)
        self.editor.applied.connect(self._apply)
        self.cost = label("", "faint", wrap=True)
        self.cost.setAccessibleName(tr("Cost of the system text"))
        self.cost.setAlignment(Qt.AlignmentFlag.AlignTop)
        # Reserve the space: nothing moves once the cost is known.
        self.cost.setMinimumHeight(_COST_LINES * self.cost.fontMetrics().lineSpacing())
        self.apply_button = QPushButton(tr("Apply"))
        self.apply_button.setProperty("kind", "primarySmall")
        self.apply_button.setToolTip(tr("Use this text from the next message on (Ctrl+Enter)"))
        self.apply_button.clicked.connect(self._apply)
        self.revert_button = QPushButton(tr("Revert"))
        self.revert_button.setProperty("kind", "small")
        self.revert_button.setToolTip(tr("Return to the text that is in use"))
        self.revert_button.clicked.connect(self._revert)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(label(tr("SYSTEM TEXT"), "section"))
        buttons.addStretch(1)
        buttons.addWidget(self.revert_button)
        buttons.addWidget(self.apply_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(buttons)
        column.addWidget(self.editor)
        column.addWidget(self.cost)
        keep_room(self.apply_button, self.revert_button)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(self.paused)
        self._offer()

    @property
    def text(self) -> str:
        return self.editor.toPlainText()

    @property
    def pending(self) -> bool:
        """Whether the text differs from the applied one."""
        return self.text.strip() != self._applied

    def show_text(self, applied: str, draft: str | None) -> None:
        """Show the applied text, or the draft if there is one."""
        self._applied = applied
        shown = applied if draft is None else draft
        if shown.strip() != self.text.strip():
            self.editor.blockSignals(True)
            self.editor.setPlainText(shown)
            self.editor.blockSignals(False)
        self._offer()

    def show_cost(self, text: str) -> None:
        self.cost.setText(text)

    def _changed(self) -> None:
        self._offer()
        self._timer.start()
        self.drafted.emit(self.text)

    def _offer(self) -> None:
        for button in (self.apply_button, self.revert_button):
            button.setVisible(self.pending)

    def _apply(self) -> None:
        if self.pending:
            self.editor.setFocus()
            self.applied.emit(self.text)

    def _revert(self) -> None:
        self.editor.setFocus()
        self.reverted.emit()
