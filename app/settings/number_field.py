"""A spin box that takes any text, so that a wrong number can be explained instead of refused."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QValidator, QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QStyle, QStyleOptionSpinBox, QWidget

from app import theme
from app.icons import icon
from app.words.settings_words import number_of, number_text

_ARROW_PX = 10


@dataclass(frozen=True, slots=True)
class Steps:
    """How the arrows move a number: by `by`, from `least` to `most`."""

    by: float
    least: float
    most: float
    whole: bool = False


class NumberField(QAbstractSpinBox):
    """A number with arrows.

    Signals:
        entered: a number, a text that is none, or None for an empty field.
        left: it lost the focus.
    """

    entered = Signal(object)
    left = Signal()

    def __init__(self, steps: Steps, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._steps = steps
        self.lineEdit().setTextMargins(4, 0, 0, 0)
        self._from: object = steps.least
        self._shown: object = None
        self.lineEdit().textEdited.connect(lambda _text: self.entered.emit(self.value))

    @property
    def value(self) -> object:
        text = self.lineEdit().text()
        return number_of(text, whole=self._steps.whole) if text.strip() else None

    def show_value(self, value: object) -> None:
        """Show a number, or nothing for None; a text that means it already stays as it is.

        A field that was just emptied is filled once the user has left it.
        """
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
            value = self._steps.least - (self._steps.by if steps > 0 else 0)
        moved = min(self._steps.most, max(self._steps.least, value + steps * self._steps.by))
        # Sums of tenths are not exact.
        self._shown = int(moved) if self._steps.whole else round(moved, 6)
        self._fill()
        self.lineEdit().selectAll()
        self.entered.emit(self.value)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        # A style sheet leaves the arrows to the platform, whose frames would show.
        option, control = QStyleOptionSpinBox(), QStyle.SubControl
        self.initStyleOption(option)
        colour = theme.current().colours["dim" if self.isEnabled() else "faint"]
        painter = QPainter(self)
        for part, name in ((control.SC_SpinBoxUp, "up"), (control.SC_SpinBoxDown, "down")):
            box = self.style().subControlRect(QStyle.ComplexControl.CC_SpinBox, option, part, self)
            spot = QRect(0, 0, _ARROW_PX, _ARROW_PX)
            spot.moveCenter(box.center())
            icon(name, colour, _ARROW_PX).paint(painter, spot)
        painter.end()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self.value is None:
            self._fill()
        self.left.emit()

    def _fill(self) -> None:
        self.lineEdit().setText("" if self._shown is None else number_text(self._shown))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Whoever scrolls past must not change it."""
        event.ignore()
