"""The rows of the settings page: a title on the left, its field on the right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QWheelEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from app.core.preferences.book import Book
from app.core.preferences.kinds import Choice, Flag, Share, Whole
from app.core.preferences.table import SPECS, Spec
from app.core.preferences.words import EFFECTS, WORDS, value_words
from app.core.words.joining import titled
from app.core.words.tr import english, tr
from app.settings.number_field import NumberField
from app.ui.palette.entries import match
from app.ui.widgets import CheckBox, DropDown, label, reset_button, set_state

_FIELD_PX, _NUMBER_PX, _LIST_PX, _SLIDER_PX = 224, 112, 184, 152
_PAUSE_MS = 400
_WORD_PX = 44


class Field(QWidget):
    """Signals:
    entered: the user's value; for a number also an invalid text.
    """

    entered = Signal(object)

    def __init__(self, spec: Spec, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.spec, self.words = spec, WORDS[spec.name]
        self.line = QHBoxLayout(self)
        self.line.setContentsMargins(0, 0, 0, 0)
        self.line.setSpacing(8)
        # All fields are aligned.
        self.setFixedWidth(_FIELD_PX)

    def take(self, part: QWidget) -> None:
        """Add the focusable widget."""
        part.setAccessibleName(self.words.title)
        part.setAccessibleDescription(self.words.hint)
        self.setFocusProxy(part)
        self.line.addWidget(part)
        self.line.addStretch(1)

    def show_value(self, value: Any) -> None:
        """Show a value without emitting `entered`."""
        raise NotImplementedError


class _Slider(QSlider):
    """Ignores the wheel, which scrolls the page instead."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class ChoiceField(Field):
    """Selects one of a few names."""

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        assert isinstance(spec.kind, Choice), "for choices"
        self._values = spec.kind.values
        self.list = DropDown()
        self.list.setMinimumWidth(_LIST_PX)
        self.list.addItems([self.words.choices.get(value, value) for value in self._values])
        self.list.activated.connect(lambda at: self.entered.emit(self._values[at]))
        self.take(self.list)

    def show_value(self, value: Any) -> None:
        with QSignalBlocker(self.list):
            self.list.setCurrentIndex(self._values.index(value))


class FlagField(Field):
    """A switch."""

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self.box = CheckBox()
        self.box.clicked.connect(lambda on: self.entered.emit(on))
        self.take(self.box)

    def show_value(self, value: Any) -> None:
        self.box.setChecked(value)


class NumbersField(Field):
    """An integer; bytes are shown as MiB.

    Typed text is only entered with Enter or on leaving: 4 is a prefix of 4096, and a cache of
    4 MiB would evict nearly everything.
    """

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        assert isinstance(spec.kind, Whole), "a Whole setting"
        self._in_bytes = spec.kind.unit > 1
        self.number = NumberField(spec.kind)
        self.number.setFixedWidth(_NUMBER_PX)
        self.number.show_default(spec.default, "")
        self.number.entered.connect(self._wait)
        self.number.editingFinished.connect(self._mean)
        self._pending: tuple[object] | None = None
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self._mean)
        self._word = label("", "faint")
        self._word.setMinimumWidth(_WORD_PX)
        self.take(self.number)
        self.line.insertWidget(1, self._word)

    def show_value(self, value: Any) -> None:
        # Keep the text being typed.
        if self._pending is None:
            self.number.show_value(value)
        unit = "MiB" if self._in_bytes else "%" if self.spec.name == "scale" else ""
        zero = self.words.zero
        self._word.setText(f"= {zero}" if zero and not value else unit)

    def hideEvent(self, event: QHideEvent) -> None:
        self._mean()
        super().hideEvent(event)

    def _wait(self, value: object) -> None:
        self._pending = (value,)
        if not self.number.lineEdit().isModified():
            # Changed by an arrow, perhaps not for the last time.
            self._pause.start()

    def _mean(self) -> None:
        self._pause.stop()
        if self._pending is None:
            return
        (value,), self._pending = self._pending, None
        self.entered.emit(self.spec.default if value is None else value)


class ShareField(Field):
    """A fraction, in steps of five percent."""

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self.slider = _Slider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, 19)
        self.slider.setPageStep(4)
        self.slider.setFixedWidth(_SLIDER_PX)
        self.slider.valueChanged.connect(self._move)
        self._word = label("", "figuresStrong")
        self._word.setMinimumWidth(_WORD_PX)
        self.take(self.slider)
        self.line.insertWidget(1, self._word)

    def show_value(self, value: Any) -> None:
        with QSignalBlocker(self.slider):
            self.slider.setValue(round(value * 20))
        self._word.setText(value_words(self.spec.name, float(value)))

    def _move(self, at: int) -> None:
        self._word.setText(value_words(self.spec.name, at / 20))
        self.entered.emit(at / 20)


def field_for(spec: Spec) -> Field:
    """The field for a setting of this kind."""
    if isinstance(spec.kind, Choice):
        return ChoiceField(spec)
    if isinstance(spec.kind, Flag):
        return FlagField(spec)
    if isinstance(spec.kind, Share):
        return ShareField(spec)
    assert isinstance(spec.kind, Whole), "the other kinds have sections of their own"
    return NumbersField(spec)


class FormRow(QFrame):
    """A row of the page.

    Attributes:
        title: its name.
        texts: the column below the title, for further lines.
        side: the container for the field.
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
    """A setting: its field, when it takes effect, objections to its value, and a reset button.

    Signals:
        entered: (name, value).
        cleared: (name): reset it to its default.
        reopening: reopen the model, so that it takes effect.
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
        self.reset = reset_button(words.title)
        default = value_words(name, SPECS[name].default)
        self.reset.setToolTip(tr("Back to the default: {value}").format(value=default))
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
        """Show the cost of the value for the open model."""
        self.cost.setText(text)
        self.cost.setVisible(bool(text))

    def show_problem(self, problem: str) -> None:
        """`problem`: the end of a sentence, "" for none."""
        text = tr("{title} {problem}.").format(title=self.title, problem=problem)
        self.problem.setText(text if problem else "")
        self.problem.setVisible(bool(problem))

    def show_note(self, note: str, *, reopen: bool = False) -> None:
        """Show an objection to the current value; `reopen` offers to reopen the model."""
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


def rows_of(parent: QWidget) -> list[FormRow]:
    """The rows in a part of the page."""
    return parent.findChildren(FormRow)


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


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the page. To add one: add its line to the list in app.shell.

    Attributes:
        id: used in links.
        title: its heading, and its entry in the list on the left.
        rows: creates them, from top to bottom.
    """

    id: str
    title: str
    rows: Callable[[Kit], list[FormRow]]
