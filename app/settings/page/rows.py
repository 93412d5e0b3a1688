"""The rows of the settings page: what a thing is at the left, what changes it at the right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.palette.matching import match
from app.preferences.book import Book
from app.preferences.table import SPECS
from app.preferences.words import EFFECTS, WORDS, value_words
from app.settings.page.fields import field_for
from app.widgets import IconButton, label, set_state
from app.words.joining import titled
from app.words.tr import english, tr


class Row(QFrame):
    """A line of the page.

    Attributes:
        title: what it is called.
        texts: the column below the title, for further lines.
        side: the place for what changes it.
    """

    def __init__(self, title: str, hint: str = "", also: str = "") -> None:
        super().__init__()
        self.setObjectName("settingRow")
        self.title = title
        self._sought = " ".join((hint, also, english(title), english(hint)))
        self.words = label(title)
        self.words.setWordWrap(True)
        self.texts = QVBoxLayout()
        self.texts.setSpacing(2)
        self.texts.addWidget(self.words)
        if hint:
            self.texts.addWidget(label(hint, "faint", wrap=True))
        self.side = QHBoxLayout()
        self.side.setSpacing(8)
        self._line = QHBoxLayout(self)
        self._line.setContentsMargins(16, 12, 12, 12)
        self._line.setSpacing(24)
        self._line.addLayout(self.texts, 1)
        self._line.addLayout(self.side)
        self._line.setAlignment(self.side, Qt.AlignmentFlag.AlignVCenter)

    def matches(self, query: str) -> bool:
        return match(query, self.title, self._sought) is not None

    def refresh(self) -> None:
        """Show what is set now."""

    def point_out(self, on: bool) -> None:
        """Mark it as the one that was looked for."""
        set_state(self, "sought", on)


class ButtonsRow(Row):
    """Things to do that belong to a section."""

    def __init__(
        self,
        title: str,
        hint: str,
        buttons: Sequence[tuple[str, Callable[[], object]]],
        also: str = "",
    ) -> None:
        super().__init__(title, hint, also)
        self.buttons: list[QPushButton] = []
        for text, act in buttons:
            button = QPushButton(text)
            button.setAccessibleName(titled(title, text))
            button.clicked.connect(lambda _on=False, act=act: act())
            self.side.addWidget(button)
            self.buttons.append(button)


class SettingRow(Row):
    """A setting: its field, when it counts, what stands against it, and the way to its default.

    Signals:
        entered: (name, value).
        cleared: (name): it is to have its default.
        reopening: the open model is to be opened again, so that it counts.
    """

    entered = Signal(str, object)
    cleared = Signal(str)
    reopening = Signal()

    def __init__(self, name: str, book: Book) -> None:
        words = WORDS[name]
        super().__init__(words.title, words.hint, f"{words.also} {SPECS[name].key}")
        self.name, self._book = name, book
        self.field = field_for(SPECS[name])
        self.words.setBuddy(self.field)
        self.field.entered.connect(lambda value: self.entered.emit(name, value))
        self.reset = IconButton("reset", tr("Reset {title}").format(title=words.title), size=14)
        default = value_words(name, SPECS[name].default)
        self.reset.setToolTip(tr("Back to the default: {value}").format(value=default))
        policy = self.reset.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.reset.setSizePolicy(policy)
        self.reset.clicked.connect(lambda: self.cleared.emit(name))
        self.cost = label("", "faint", wrap=True)
        self.effect = label(EFFECTS[SPECS[name].effect], "faint", wrap=True)
        self.note = label("", "accentSmall", wrap=True)
        self.problem = label("", "dangerSmall", wrap=True)
        self.again = QPushButton(tr("Open the model again"))
        self.again.setProperty("kind", "link")
        self.again.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.again.clicked.connect(lambda: self.reopening.emit())
        for part in (self.cost, self.effect, self.note, self.problem, self.again):
            self.texts.addWidget(part)
            if part is not self.effect:
                part.hide()
        self.side.addWidget(self.field)
        self.side.addWidget(self.reset)
        self.refresh()

    def show_cost(self, text: str) -> None:
        """What the value costs, by what is known of the open model."""
        self.cost.setText(text)
        self.cost.setVisible(bool(text))

    def show_problem(self, problem: str) -> None:
        """`problem`: the end of a sentence, "" for none."""
        told = tr("{title} {problem}.").format(title=self.title, problem=problem)
        self.problem.setText(told if problem else "")
        self.problem.setVisible(bool(problem))

    def show_note(self, note: str, *, reopen: bool = False) -> None:
        """What stands against the value now; `reopen` offers what helps."""
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self.again.setVisible(reopen)

    def refresh(self) -> None:
        book, name = self._book, self.name
        value: Any = getattr(book.saved, name)
        self.field.show_value(value)
        self.reset.setVisible(not book.is_default(name))
        if name in book.overruled:
            said = value_words(name, book.overruled[name])
            note = tr("The command line of this start says: {value}.").format(value=said)
            self.show_note(note)
        elif book.waits(name):
            self.show_note(tr("Waits for the next start."))
        else:
            self.show_note("")


def rows_of(parent: QWidget) -> list[Row]:
    """The rows in a part of the page."""
    return parent.findChildren(Row)
