"""A spin box that accepts any text, so that an invalid number can be explained."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtGui import QFocusEvent, QPaintEvent, QValidator, QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QWidget

from app.core.preferences.kinds import Whole
from app.core.words.settings_words import number_of, number_text
from app.ui.widgets import indent, paint_arrows


@dataclass(frozen=True, slots=True)
class Real:
    """A real number whose bounds only apply to the arrows."""

    least: float
    most: float
    by: float


class NumberField(QAbstractSpinBox):
    """A number with arrows.

    Signals:
        entered: a number, a text that is no number, or None for an empty field.
        left: the field lost the focus.
    """

    entered = Signal(object)
    left = Signal()

    def __init__(self, kind: Whole | Real, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kind = kind
        self._whole = isinstance(kind, Whole)
        self._unit = kind.unit if isinstance(kind, Whole) else 1
        indent(self)
        self._from: object = kind.least
        self._shown: object = None
        self.lineEdit().textEdited.connect(lambda _text: self.entered.emit(self.value))

    @property
    def value(self) -> object:
        text = self.lineEdit().text()
        found = number_of(text, whole=self._whole) if text.strip() else None
        return found * self._unit if isinstance(found, int) else found

    def show_value(self, value: object) -> None:
        """Show a number, or nothing for None; a text with the same value is kept.

        A field that the user has just emptied is filled once it loses the focus.
        """
        self._shown = value
        emptied = self.value is None and self.hasFocus()
        if value != self.value and not emptied:
            self._fill()

    def show_default(self, default: object, word: str) -> None:
        """Set the default value of an empty field, and its placeholder."""
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
        # Sums of tenths are inexact.
        self._shown = int(moved) if self._whole else round(moved, 6)
        self._fill()
        self.lineEdit().selectAll()
        self.entered.emit(self.value)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        paint_arrows(self)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self.value is None:
            self._fill()
        self.left.emit()

    def _fill(self) -> None:
        shown = self._shown // self._unit if isinstance(self._shown, int) else self._shown
        self.lineEdit().setText("" if shown is None else number_text(shown))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ignore it: scrolling past must not change the number."""
        event.ignore()
