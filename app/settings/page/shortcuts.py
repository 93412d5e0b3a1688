"""The shortcuts section: the keys of every command, conflicts, and reset."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QKeyCombination, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QPushButton, QWidget

from app.core.preferences.bindings import Keys, bound, refusal, taken_by, with_keys
from app.core.preferences.book import Book
from app.core.words.kinds import Bindings
from app.core.words.tr import tr
from app.settings.page.rows import ButtonsRow, FormRow, Kit
from app.ui.widgets import set_state

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
    """Shows a shortcut; when pressed, records a new one. Backspace clears it, Esc cancels.

    Attributes:
        waits: whether it is recording.

    Signals:
        entered: the shortcut; "" for none.
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
        """Show a shortcut, in the system's notation."""
        self._keys = keys
        self._tell()

    def event(self, event: QEvent) -> bool:
        # While recording, the window's shortcuts and Tab are input.
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
        # Shift+Tab is reported as Backtab.
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


@dataclass(frozen=True, slots=True)
class Bindable:
    """A command with a configurable shortcut.

    Attributes:
        where: its menu.
    """

    id: str
    title: str
    where: str
    keys: tuple[str, ...]


class ShortcutRow(FormRow):
    """One command; what is entered are its keys, "" for none.

    Attributes:
        clash: whose keys were entered, and which.
    """

    def __init__(self, command: Bindable, also: str, book: Book) -> None:
        super().__init__(command.title, "", f"{also} {command.where} {' '.join(command.keys)}")
        self.command, self._book = command, book
        self.clash = ("", "")
        self.field = KeyField(command.title)
        self.setFocusProxy(self.field)
        self.hold(command.id, self.field.entered)
        self.instead = QPushButton(tr("Take them from it"))
        self.instead.setProperty("kind", "link")
        self.instead.hide()
        self.lines.addWidget(self.instead)
        self.side.addWidget(self.field)
        self.side.addWidget(self.reset)
        self.lines.setContentsMargins(16, 4, 12, 4)
        self.refresh()

    def clear(self) -> None:
        """Its own keys are a choice like others."""
        self.enter(self.command.keys[0] if self.command.keys else "")

    def show_problem(self, sentence: str, *, movable: bool = False) -> None:
        """`movable`: the keys can be taken from who has them."""
        super().show_problem(sentence)
        self.instead.setVisible(movable)

    def refresh(self) -> None:
        own: Bindings = self._book.now("shortcuts")
        keys = dict(own).get(self.command.id, self.command.keys)
        self.field.show_keys(_native(keys[0]) if keys else "")
        self.reset.setVisible(keys[:1] != self.command.keys[:1])


class Shortcuts:
    """The rows for all commands in the table."""

    def __init__(
        self, commands: tuple[Bindable, ...], also: Mapping[str, str], fixed: Keys
    ) -> None:
        """also: further search terms by command; fixed: keys that cannot be rebound, by command."""
        self._commands, self._also = commands, also
        self._defaults: Keys = {**{one.id: one.keys for one in commands}, **fixed}
        self._titles = {one.id: one.title for one in commands}
        self._rows: dict[str, ShortcutRow] = {}

    def rows(self, kit: Kit) -> list[FormRow]:
        book = kit.book
        for one in self._commands:
            row = ShortcutRow(one, self._also.get(one.id, ""), book)
            row.entered.connect(lambda id, keys: self._enter(book, id, keys))
            row.instead.clicked.connect(lambda _on=False, row=row: self._move(book, row))
            self._rows[one.id] = row
        reset = ButtonsRow(
            tr("All shortcuts"),
            tr("Press a button below, then the keys you want."),
            [(tr("Reset all"), lambda: self._reset(book))],
        )
        return [reset, *self._rows.values()]

    def _enter(self, book: Book, id: str, keys: str) -> None:
        row, own = self._rows[id], book.now("shortcuts")
        has = bound(self._defaults, own).get(id, ())
        for other in self._rows.values():
            other.show_problem("")
        if keys in has or not (keys or has):
            return
        sentence = refusal(keys) if keys else ""
        other_id = taken_by(self._defaults, own, id, keys) if keys else ""
        if sentence:
            row.show_problem(sentence)
        elif other_id:
            self._clash(row, other_id, keys)
        else:
            book.set("shortcuts", with_keys(self._defaults, own, id, keys))

    def _clash(self, row: ShortcutRow, other: str, keys: str) -> None:
        """Say who has the keys, and offer to take them from it."""
        whose = self._titles.get(other, tr("text fields"))
        text = tr("{keys} is taken by “{other}”.").format(keys=_native(keys), other=whose)
        row.show_problem(text, movable=other in self._titles)
        row.clash = other, keys

    def _move(self, book: Book, row: ShortcutRow) -> None:
        other, keys = row.clash
        row.show_problem("")
        own = with_keys(self._defaults, book.now("shortcuts"), other, "")
        book.set("shortcuts", with_keys(self._defaults, own, row.name, keys))
        row.field.setFocus()

    def _reset(self, book: Book) -> None:
        for row in self._rows.values():
            row.show_problem("")
        book.reset("shortcuts")


def _native(keys: str) -> str:
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
