"""The shortcut of one command: a button that takes the keys that are pressed next."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QKeyCombination, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QPushButton, QWidget

from app.widgets import set_state
from app.words.tr import tr

_HELD = frozenset(
    {
        Qt.Key.Key_Control,
        Qt.Key.Key_Shift,
        Qt.Key.Key_Alt,
        Qt.Key.Key_Meta,
        Qt.Key.Key_AltGr,
        Qt.Key.Key_CapsLock,
        Qt.Key.Key_NumLock,
        Qt.Key.Key_unknown,
    }
)
_WIDE_PX = 168


class KeyField(QPushButton):
    """Shows keys; pressed, it waits for others. Backspace takes them away, Esc changes nothing.

    Attributes:
        waits: for keys.

    Signals:
        entered: the keys, "" for none.
    """

    entered = Signal(str)

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = title
        self._keys = ""
        self.waits = False
        self.setMinimumWidth(_WIDE_PX)
        self.setProperty("kind", "keys")
        self.clicked.connect(self._wait)

    def show_keys(self, keys: str) -> None:
        """`keys` as this system writes them."""
        self._keys = keys
        self._tell()

    def event(self, event: QEvent) -> bool:
        # The window's shortcuts, Tab included, are what is being asked for.
        if self.waits and isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:
                self._take(event)
                return True
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._stop()
        super().focusOutEvent(event)

    def _wait(self) -> None:
        self.waits = True
        self._tell()

    def _stop(self) -> None:
        self.waits = False
        self._tell()

    def _take(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _HELD:
            return
        self._stop()
        if key == Qt.Key.Key_Escape:
            return
        if key == Qt.Key.Key_Backspace and not event.modifiers():
            self.entered.emit("")
            return
        # With Shift, Tab is another key that means the same.
        key = Qt.Key.Key_Tab if key == Qt.Key.Key_Backtab else key
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        pressed = QKeySequence(QKeyCombination(held, key))
        self.entered.emit(pressed.toString(QKeySequence.SequenceFormat.PortableText))

    def _tell(self) -> None:
        shown = tr("Press keys…") if self.waits else self._keys or tr("none")
        self.setText(shown)
        self.setChecked(self.waits)
        set_state(self, "unset", not self._keys and not self.waits)
        name = tr("Keys of {title}: {keys}").format(title=self._title, keys=shown)
        self.setAccessibleName(name)
        self.setToolTip(tr("Press to set other keys; Backspace takes them away."))
