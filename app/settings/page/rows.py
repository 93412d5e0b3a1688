"""The rows of the settings page: a title on the left, its field on the right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from app.core.preferences.book import Book
from app.core.preferences.table import SPECS
from app.core.preferences.words import EFFECTS, WORDS, value_words
from app.core.words.joining import titled
from app.core.words.kinds import Share, Whole
from app.core.words.tr import english, tr
from app.settings.form import NumberField, Row, field_for
from app.ui.palette.entries import match
from app.ui.widgets import label, set_state

_FIELD_PX, _NUMBER_PX, _GAP_PX = 224, 112, 24
_UNITS = {"scale": "%", "text_px": "px"}


class FormRow(Row):
    """A line of the page.

    Attributes:
        absent: it has nothing to show, and is hidden whatever is searched for.
    """

    absent = False

    def __init__(self, title: str, hint: str = "", also: str = "") -> None:
        super().__init__(title, _GAP_PX)
        self.setObjectName("settingRow")
        self._sought = " ".join((hint, also, english(title), english(hint)))
        if hint:
            self.texts.addWidget(label(hint, "faint", wrap=True))
        self.lines.setContentsMargins(16, 12, 12, 12)

    def matches(self, query: str) -> bool:
        return match(query, self.title, self._sought) is not None

    def refresh(self) -> None:
        """Show what is set now."""

    def point_out(self, on: bool) -> None:
        """Highlight it as a search target."""
        set_state(self, "sought", on)


class ButtonsRow(FormRow):
    """A row of buttons for a section's actions."""

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


class SettingRow(FormRow):
    """A setting: its field, when it takes effect if not at once, objections to its value, and a
    reset button.

    Signals:
        reopening: the open model is to be opened again, so that it counts.
    """

    reopening = Signal()

    def __init__(self, name: str, book: Book) -> None:
        words, spec = WORDS[name], SPECS[name]
        super().__init__(words.title, words.hint, f"{words.also} {spec.key}")
        self._book, self._kind = book, spec.kind
        self.field = field_for(spec.kind, words, waits=True)
        self.hold(name, self.field.entered)
        self.words.setBuddy(self.field)
        self.field.setAccessibleName(words.title)
        self.field.setAccessibleDescription(words.hint)
        default = value_words(name, spec.default)
        self.reset.setToolTip(tr("Back to the default: {value}").format(value=default))
        self.cost = label("", "faint", wrap=True)
        self.effect = label(EFFECTS.get(spec.effect, ""), "faint", wrap=True)
        self.note = label("", "accentSmall", wrap=True)
        self.again = QPushButton(tr("Open the model again"))
        self.again.setProperty("kind", "link")
        self.again.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.again.clicked.connect(lambda: self.reopening.emit())
        for part in (self.cost, self.effect, self.note, self.again):
            self.texts.addWidget(part)
            part.setVisible(part is self.effect and bool(self.effect.text()))
        self._beside = label("", "figuresStrong" if isinstance(spec.kind, Share) else "faint")
        if isinstance(self.field, NumberField):
            self.field.setFixedWidth(_NUMBER_PX)
            self.field.show_default(spec.default, "")
        place = QWidget()
        # Every field begins at the same place.
        place.setFixedWidth(_FIELD_PX)
        line = QHBoxLayout(place)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        line.addWidget(self.field)
        line.addWidget(self._beside)
        line.addStretch(1)
        self.side.addWidget(place)
        self.side.addWidget(self.reset)
        self.refresh()

    def enter(self, value: object) -> None:
        """An emptied number is the default."""
        super().enter(SPECS[self.name].default if value is None else value)

    def show_cost(self, text: str) -> None:
        """Show the cost of the value for the open model."""
        self.cost.setText(text)
        self.cost.setVisible(bool(text))

    def show_problem(self, problem: str) -> None:
        """`problem`: the end of a sentence, "" for none."""
        told = tr("{title} {problem}.").format(title=self.title, problem=problem)
        super().show_problem(told if problem else "")

    def show_note(self, note: str, *, reopen: bool = False) -> None:
        """Show an objection to the current value; `reopen` offers to reopen the model."""
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self.again.setVisible(reopen)

    def refresh(self) -> None:
        book, name = self._book, self.name
        value: Any = getattr(book.saved, name)
        self.field.show_value(value)
        beside = self._word(value)
        self._beside.setText(beside)
        self._beside.setVisible(bool(beside))
        self.reset.setVisible(not book.is_default(name))
        if name in book.overruled:
            said = value_words(name, book.overruled[name])
            note = tr("The command line of this start says: {value}.").format(value=said)
            self.show_note(note)
        elif book.waits(name):
            self.show_note(tr("Waits for the next start."))
        else:
            self.show_note("")

    def _word(self, value: Any) -> str:
        """What stands beside the field: the unit of a number, or what it means."""
        if isinstance(self._kind, Share):
            return value_words(self.name, value)
        if not isinstance(self._kind, Whole):
            return ""
        if value == 0 and WORDS[self.name].zero:
            return f"= {WORDS[self.name].zero}"
        return "MiB" if self._kind.unit > 1 else _UNITS.get(self.name, "")


Actions = dict[str, Callable[[], object]]


@dataclass(frozen=True, slots=True)
class Kit:
    """What sections are built from.

    Attributes:
        book: the settings.
        actions: callbacks by command id, and those that only the page offers.
    """

    book: Book
    actions: Actions = field(default_factory=dict)

    def settings(self, *names: str) -> list[FormRow]:
        """Rows for the named settings."""
        return [SettingRow(name, self.book) for name in names]

    def advanced(self, *names: str) -> list[FormRow]:
        """Rows for settings that are rarely needed."""
        rows = self.settings(*names)
        for row in rows:
            row.advanced = True
        return rows


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the page. To add one: add its line to the list in app.shell.

    Attributes:
        id: used in links.
        title: its heading, and its entry in the list on the left.
        rows: creates them, from top to bottom, advanced ones last.
    """

    id: str
    title: str
    rows: Callable[[Kit], list[FormRow]]
