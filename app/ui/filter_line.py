"""The box in which a table's filter is typed, with the names of its fields to complete."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QCompleter, QLineEdit, QListView, QWidget

from app.core.words.tr import tr
from app.ui.filter import EVERYTHING, Fields, FilterError, completions, help_text, parse
from app.ui.widgets import ClearSign, label

_LEAST_PX, _MOST_PX = 152, 260
# So many letters of a name offer to complete it; Ctrl+Space does so before.
_LETTERS = 2
_FRAME_PX = 6
_NAME = Qt.ItemDataRole.UserRole
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_OF_POPUP = (*_ENTER, Qt.Key.Key_Escape, Qt.Key.Key_Tab, Qt.Key.Key_Backtab)


class FilterLine(QLineEdit):
    """Esc first clears it, then closes the window; Down and Enter move to the lines.

    Attributes:
        query: the last filter that was understood.
        error: a sentence about one that is not, hidden otherwise; its owner places it.

    Signals:
        narrowed: `query` changed.
        left: Down or Enter was pressed.
    """

    narrowed = Signal()
    left = Signal()

    def __init__(self, fields: Fields, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._fields = fields
        self.query = EVERYTHING
        self.error = label("", "dangerSmall", wrap=True)
        self.error.hide()
        self.setObjectName("search")
        self.setPlaceholderText(name)
        self.setAccessibleName(name)
        self.setToolTip(help_text(fields))
        self.setMinimumWidth(_LEAST_PX)
        self.setMaximumWidth(_MOST_PX)
        ClearSign(self, tr("Clear the filter")).triggered.connect(self.clear)
        self._offered = QStandardItemModel(self)
        self._completer = QCompleter(self._offered, self)
        self._completer.setWidget(self)
        self._popup = QListView()
        self._popup.setObjectName("offers")
        self._completer.setPopup(self._popup)
        chosen = self._completer.activated[QModelIndex]  # type: ignore[index]
        chosen.connect(self._complete)
        self.textChanged.connect(self._understand)
        self.textEdited.connect(lambda _: self._offer(_LETTERS))

    def begin(self) -> None:
        """Take the focus, with the text selected."""
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, popup = event.key(), self._popup
        if popup.isVisible() and key in _OF_POPUP:
            if popup.currentIndex().isValid() or key == Qt.Key.Key_Escape:
                # The popup takes what the box ignores.
                event.ignore()
                return
            popup.hide()
        if key == Qt.Key.Key_Space and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self._offer(0)
        elif key == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif key in (Qt.Key.Key_Down, *_ENTER):
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _understand(self, text: str) -> None:
        """Keep the last filter that was understood while this one is not."""
        before, sentence = self.query, ""
        try:
            self.query = parse(text, self._fields)
        except FilterError as error:
            sentence = str(error)
        self.error.setText(sentence)
        self.error.setVisible(bool(sentence))
        self.setAccessibleDescription(sentence)
        if self.query != before:
            self.narrowed.emit()

    def _offer(self, letters: int) -> None:
        """Offer the fields that begin like the word before the cursor, if it has so many."""
        before = self.text()[: self.cursorPosition()]
        begins, found = completions(before, self._fields)
        if not found or len(before) - begins < letters:
            self._popup.hide()
            return
        self._offered.clear()
        for one in found:
            item = QStandardItem(f"{one.name}:  {one.hint}")
            item.setData(one.name, _NAME)
            self._offered.appendRow(item)
        self._completer.complete()
        self._popup.setMinimumWidth(self._popup.sizeHintForColumn(0) + _FRAME_PX)

    def _complete(self, index: QModelIndex | QPersistentModelIndex) -> None:
        cursor, text = self.cursorPosition(), self.text()
        begins, _ = completions(text[:cursor], self._fields)
        head = f"{text[:begins]}{index.data(_NAME)}:"
        self.setText(head + text[cursor:].lstrip())
        self.setCursorPosition(len(head))
