"""The form of every setting: a field for each kind, and the row that holds one.

A field shows a value without entering it; `entered` is what the user gives it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, QSignalBlocker, QSize, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QFocusEvent, QHideEvent, QPaintEvent, QValidator, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QSlider,
    QToolButton,
    QVBoxLayout,
)

from app.core.words.kinds import Choice, Flag, Real, Schema, Share, Texts, Whole
from app.core.words.settings_words import (
    Words,
    number_of,
    number_text,
    stop_lines,
    stop_strings,
)
from app.core.words.tr import tr
from app.ui import theme
from app.ui.icons import icon
from app.ui.theme import PerApplication
from app.ui.widgets import CheckBox, DropDown, indent, label, paint_arrows, reset_button

_LIST_PX, _SLIDER_PX = 184, 152
_LINES, _SCHEMA_LINES = 2, 5
_PAUSE_MS = 400


class ChoiceField(DropDown):
    """One of a few names."""

    entered = Signal(object)

    def __init__(self, values: Sequence[str], called: Mapping[str, str]) -> None:
        super().__init__()
        self._values = values
        self.setMinimumWidth(_LIST_PX)
        self.addItems([called.get(value, value) for value in values])
        self.activated.connect(lambda at: self.entered.emit(values[at]))

    def show_value(self, value: str) -> None:
        with QSignalBlocker(self):
            self.setCurrentIndex(self._values.index(value))


class FlagField(CheckBox):
    """On or off."""

    entered = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.clicked.connect(lambda on: self.entered.emit(on))

    def show_value(self, value: bool) -> None:
        self.setChecked(value)


class ShareField(QSlider):
    """A part of something, in steps of five percent."""

    entered = Signal(object)

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setRange(0, 19)
        self.setPageStep(4)
        self.setFixedWidth(_SLIDER_PX)
        self.valueChanged.connect(lambda at: self.entered.emit(at / 20))

    def show_value(self, value: float) -> None:
        with QSignalBlocker(self):
            self.setValue(round(value * 20))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Whoever scrolls past must not change it."""
        event.ignore()


class NumberField(QAbstractSpinBox):
    """A number with arrows; it takes any text, so that a wrong one can be explained.

    Signals:
        entered: a number, a text that is none, or None for an empty field; at every key, or once
            it is meant.
        left: it lost the focus.
    """

    entered = Signal(object)
    left = Signal()

    def __init__(self, kind: Whole | Real, *, waits: bool) -> None:
        """`waits`: until the user presses Enter or leaves, or lets the arrows rest.

        On the way to 4096 stands 4, and a cache of 4 MiB would forget nearly everything.
        """
        super().__init__()
        self._kind, self._waits = kind, waits
        self._whole = isinstance(kind, Whole)
        self._unit = kind.unit if isinstance(kind, Whole) else 1
        indent(self)
        self._from: object = kind.least
        self._shown: object = None
        self._pending = False
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self._mean)
        self.lineEdit().textEdited.connect(self._take)
        self.editingFinished.connect(self._mean)

    @property
    def value(self) -> object:
        text = self.lineEdit().text()
        found = number_of(text, whole=self._whole) if text.strip() else None
        return found * self._unit if isinstance(found, int) else found

    def show_value(self, value: object) -> None:
        """Show a number, or nothing for None; a text that means it already stays as it is.

        What is not meant yet stays, and a field that was just emptied is filled once it is left.
        """
        if self._pending:
            return
        self._shown = value
        emptied = self.value is None and self.hasFocus()
        if value != self.value and not emptied:
            self._fill()

    def show_default(self, default: object, word: str) -> None:
        """What an empty field stands for, and the word that it shows then."""
        self._from = default
        self.lineEdit().setPlaceholderText(word)

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        return QValidator.State.Acceptable, text, position

    def stepEnabled(self) -> QAbstractSpinBox.StepEnabledFlag:
        flag = QAbstractSpinBox.StepEnabledFlag
        return flag.StepUpEnabled | flag.StepDownEnabled

    def stepBy(self, steps: int) -> None:
        value = self.value if isinstance(self.value, int | float) else self._from
        if not isinstance(value, int | float):
            value = self._kind.least - (self._kind.by if steps > 0 else 0)
        moved = min(self._kind.most, max(self._kind.least, value + steps * self._kind.by))
        # Sums of tenths are not exact.
        self._shown = int(moved) if self._whole else round(moved, 6)
        self._fill()
        self.lineEdit().selectAll()
        self._take()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        paint_arrows(self)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self.value is None:
            self._fill()
        self.left.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        self._mean()
        super().hideEvent(event)

    def _take(self) -> None:
        self._pending = True
        if not self._waits:
            self._mean()
        elif not self.lineEdit().isModified():
            # An arrow moved it; perhaps not for the last time.
            self._pause.start()

    def _mean(self) -> None:
        self._pause.stop()
        if self._pending:
            self._pending = False
            self.entered.emit(self.value)

    def _fill(self) -> None:
        shown = self._shown // self._unit if isinstance(self._shown, int) else self._shown
        self.lineEdit().setText("" if shown is None else number_text(shown))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Whoever scrolls past must not change it."""
        event.ignore()


class _LinesField(QPlainTextEdit):
    """Several lines of text in one typeface."""

    entered = Signal(object)

    def __init__(self, lines: int) -> None:
        super().__init__()
        self.setProperty("kind", "field")
        self.setFont(theme.mono_font())
        self.setTabChangesFocus(True)
        # The lines, the document's margin, and the frame of the style sheet.
        self.setFixedHeight(self.fontMetrics().lineSpacing() * lines + 8 + 18)
        self.textChanged.connect(lambda: self.entered.emit(self.value))

    @property
    def value(self) -> object:
        """What is entered."""
        raise NotImplementedError

    def show_default(self, default: object, word: str) -> None:
        """Nothing else is shown for none."""
        self.setPlaceholderText(tr("none"))

    def _fill(self, text: str) -> None:
        """Show a text that was not entered here."""
        self.blockSignals(True)
        self.setPlainText(text)
        self.blockSignals(False)


class StopField(_LinesField):
    """Several short texts, one on each line."""

    def __init__(self) -> None:
        super().__init__(_LINES)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    @property
    def value(self) -> tuple[str, ...]:
        return stop_strings(self.toPlainText())

    def show_value(self, value: object) -> None:
        assert isinstance(value, tuple)
        if value != self.value:
            self._fill(stop_lines(value))


class SchemaField(_LinesField):
    """The text of a JSON schema."""

    def __init__(self) -> None:
        super().__init__(_SCHEMA_LINES)

    @property
    def value(self) -> str:
        text = self.toPlainText()
        return text if text.strip() else ""

    def show_value(self, value: object) -> None:
        """Show a schema, unless it stands there already."""
        assert isinstance(value, str)
        if value != self.value:
            self._fill(value)


Field = ChoiceField | FlagField | ShareField | NumberField | StopField | SchemaField


def field_for(kind: object, words: Words, *, waits: bool) -> Field:
    """What changes a setting of a kind; `waits`: a number is taken once it is meant."""
    match kind:
        case Choice():
            return ChoiceField(kind.values, words.choices)
        case Flag():
            return FlagField()
        case Share():
            return ShareField()
        case Texts():
            return StopField()
        case Schema():
            return SchemaField()
    assert isinstance(kind, Whole | Real), "the other kinds have sections of their own"
    return NumberField(kind, waits=waits)


class Row(QFrame):
    """A line of settings: what it is called on the left, and its field on the right.

    Attributes:
        words: the label of the title.
        texts: the column below the title, for further lines.
        side: the place of the field.
        advanced: it is rarely needed, and folded away at first.
        name: of the setting that it `holds`.
        reset: the way to its default.
        problem: what is wrong with what was entered.

    Signals:
        entered: (name, value).
        cleared: (name): it is to have its default.
    """

    entered = Signal(str, object)
    cleared = Signal(str)
    advanced = False

    def __init__(self, title: str, gap: int) -> None:
        """gap: pixels between the texts and the field."""
        super().__init__()
        self.title = title
        self.words = label(title, wrap=True)
        self.texts = QVBoxLayout()
        self.texts.setSpacing(2)
        self.texts.addWidget(self.words)
        self.side = QHBoxLayout()
        self.side.setSpacing(8)
        line = QHBoxLayout()
        line.setSpacing(gap)
        line.addLayout(self.texts, 1)
        line.addLayout(self.side)
        line.setAlignment(self.side, Qt.AlignmentFlag.AlignVCenter)
        self.lines = QVBoxLayout(self)
        self.lines.setContentsMargins(0, 0, 0, 0)
        self.lines.setSpacing(2)
        self.lines.addLayout(line)

    def hold(self, name: str, entered: SignalInstance) -> None:
        """Have a field that says what is `entered`."""
        self.name = name
        entered.connect(self.enter)
        self.reset = reset_button(self.title)
        self.reset.clicked.connect(self.clear)
        self.problem = label("", "dangerSmall", wrap=True)
        self.problem.hide()
        self.lines.addWidget(self.problem)

    def enter(self, value: object) -> None:
        self.entered.emit(self.name, value)

    def clear(self) -> None:
        self.cleared.emit(self.name)

    def show_problem(self, sentence: str) -> None:
        """What is wrong, in a sentence, "" for nothing."""
        self.problem.setText(sentence)
        self.problem.setVisible(bool(sentence))


class Unfolded(QObject):
    """Attributes:
    ids: of the folds that the user has left open.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.ids: set[str] = set()


unfolded = PerApplication(Unfolded)
"""The folds of the application that are open, also at the next start."""


class Fold(QToolButton):
    """Shows and hides rows that are rarely needed; it stays as it was left."""

    def __init__(self, id: str) -> None:
        super().__init__()
        self._id = id
        self.setProperty("kind", "fold")
        self.setCheckable(True)
        self.setChecked(id in unfolded().ids)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setIconSize(QSize(14, 14))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.toggled.connect(self._remember)
        theme.keeper().changed.connect(self._tint)
        self._tint()
        self.show_changed(0)

    def show_changed(self, count: int) -> None:
        """Say how many of the rows differ from their defaults, as folded ones cannot."""
        said = tr("Advanced · {count} changed").format(count=count) if count else tr("Advanced")
        self.setText(said)

    def _remember(self, opened: bool) -> None:
        (unfolded().ids.add if opened else unfolded().ids.discard)(self._id)
        self._tint()

    def _tint(self) -> None:
        name = "down" if self.isChecked() else "right"
        self.setIcon(icon(name, theme.current().colours["dim"], 14))
