"""The section of shortcuts: keys of every command, which clash, and the way back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QPushButton

from app.preferences.bindings import Keys, bound, refusal, taken_by, with_keys
from app.preferences.book import Book
from app.preferences.kinds import Bindings
from app.settings.page.key_field import KeyField
from app.settings.page.rows import ButtonsRow, Row
from app.settings.page.section import Kit, Section
from app.widgets import IconButton, label
from app.words.tr import tr


@dataclass(frozen=True, slots=True)
class Bindable:
    """A command whose keys can be set.

    Attributes:
        where: its menu.
    """

    id: str
    title: str
    where: str
    keys: tuple[str, ...]


class ShortcutRow(Row):
    """One command.

    Signals:
        entered: (id, keys), "" for none.
    """

    entered = Signal(str, str)

    def __init__(self, command: Bindable, also: str, book: Book) -> None:
        super().__init__(command.title, "", f"{also} {command.where} {' '.join(command.keys)}")
        self.command, self._book = command, book
        self.field = KeyField(command.title)
        self.setFocusProxy(self.field)
        self.field.entered.connect(lambda keys: self.entered.emit(command.id, keys))
        self.reset = IconButton("reset", tr("Reset {title}").format(title=command.title), size=14)
        policy = self.reset.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.reset.setSizePolicy(policy)
        first = command.keys[0] if command.keys else ""
        self.reset.clicked.connect(lambda: self.entered.emit(command.id, first))
        self.problem = label("", "dangerSmall", wrap=True)
        self.problem.hide()
        self.instead = QPushButton(tr("Take them from it"))
        self.instead.setProperty("kind", "link")
        self.instead.hide()
        self.texts.addWidget(self.problem)
        self.texts.addWidget(self.instead)
        self.side.addWidget(self.field)
        self.side.addWidget(self.reset)
        self._line.setContentsMargins(16, 4, 12, 4)
        self.refresh()

    def show_problem(self, sentence: str, *, movable: bool = False) -> None:
        """`movable`: the keys can be taken from who has them."""
        self.problem.setText(sentence)
        self.problem.setVisible(bool(sentence))
        self.instead.setVisible(movable)

    def refresh(self) -> None:
        own: Bindings = self._book.now("shortcuts")
        keys = dict(own).get(self.command.id, self.command.keys)
        self.field.show_keys(_native(keys[0]) if keys else "")
        self.reset.setVisible(keys[:1] != self.command.keys[:1])


class ShortcutsSection(Section):
    """Every command of the table."""

    id = "shortcuts"
    title = tr("Shortcuts")

    def __init__(
        self, commands: tuple[Bindable, ...], also: Mapping[str, str], fixed: Keys
    ) -> None:
        """`also`: other words that find a command; `fixed`: keys that cannot be set, by command."""
        self._commands, self._also = commands, also
        self._defaults: Keys = {**{one.id: one.keys for one in commands}, **fixed}
        self._titles = {one.id: one.title for one in commands}
        self._rows: dict[str, ShortcutRow] = {}

    def rows(self, kit: Kit) -> list[Row]:
        book = kit.book
        for one in self._commands:
            row = ShortcutRow(one, self._also.get(one.id, ""), book)
            row.entered.connect(lambda id, keys: self._enter(book, id, keys))
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
            self._clash(book, row, other_id, keys)
        else:
            book.set("shortcuts", with_keys(self._defaults, own, id, keys))

    def _clash(self, book: Book, row: ShortcutRow, other: str, keys: str) -> None:
        """Say who has the keys, and offer to take them from it."""
        movable = other in self._titles
        whose = self._titles.get(other, tr("text fields"))
        text = tr("{keys} is taken by “{other}”.").format(keys=_native(keys), other=whose)
        row.show_problem(text, movable=movable)
        if not movable:
            return
        row.instead.clicked.disconnect() if row.property("moves") else None
        row.setProperty("moves", True)

        def move() -> None:
            row.show_problem("")
            own = with_keys(self._defaults, book.now("shortcuts"), other, "")
            book.set("shortcuts", with_keys(self._defaults, own, row.command.id, keys))
            row.field.setFocus()

        row.instead.clicked.connect(move)

    def _reset(self, book: Book) -> None:
        for row in self._rows.values():
            row.show_problem("")
        book.reset("shortcuts")


def _native(keys: str) -> str:
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
