"""What a setting is changed with: a list, a switch, a number, bytes, a share."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QSlider, QWidget

from app.check_box import CheckBox
from app.drop_down import DropDown
from app.preferences.kinds import Choice, Flag, Share, Whole
from app.preferences.table import Spec
from app.preferences.words import WORDS, value_words
from app.settings.number_field import NumberField, Steps
from app.widgets import label

_FIELD_PX, _NUMBER_PX, _LIST_PX, _SLIDER_PX = 224, 112, 184, 152
_MIB = 1 << 20
_BY = {"interval": 64, "decode_interval": 32, "context": 1024, "threads": 1, "scale": 25}
_BYTES_BY = 256
_PAUSE_MS = 400
_WORD_PX = 44


class Field(QWidget):
    """Signals:
    entered: the value that the user gave; for a number also a text that is none.
    """

    entered = Signal(object)

    def __init__(self, spec: Spec, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.spec, self.words = spec, WORDS[spec.name]
        self.line = QHBoxLayout(self)
        self.line.setContentsMargins(0, 0, 0, 0)
        self.line.setSpacing(8)
        # Every field begins at the same place.
        self.setFixedWidth(_FIELD_PX)

    def take(self, part: QWidget) -> None:
        """What has the focus."""
        part.setAccessibleName(self.words.title)
        part.setAccessibleDescription(self.words.hint)
        self.setFocusProxy(part)
        self.line.addWidget(part)
        self.line.addStretch(1)

    def show_value(self, value: Any) -> None:
        """Show the value that is set; nothing is entered by that."""
        raise NotImplementedError


class _Slider(QSlider):
    """The wheel scrolls the page, and never changes a setting in passing."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class ChoiceField(Field):
    """One of a few names."""

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
    """On or off."""

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self.box = CheckBox()
        self.box.clicked.connect(lambda on: self.entered.emit(on))
        self.take(self.box)

    def show_value(self, value: Any) -> None:
        self.box.setChecked(value)


class NumbersField(Field):
    """A whole number; bytes are shown as MiB.

    What is typed is meant once the user presses Enter or leaves: on the way to 4096 stands 4, and a
    cache of 4 MiB would forget nearly everything.
    """

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        assert isinstance(spec.kind, Whole), "for whole numbers"
        bytes_ = spec.name.endswith("_bytes")
        self._unit = _MIB if bytes_ else 1
        by = _BYTES_BY if bytes_ else _BY.get(spec.name, 1)
        most = spec.kind.most // self._unit
        self.number = NumberField(Steps(by, spec.kind.least // self._unit, most, whole=True))
        self.number.setFixedWidth(_NUMBER_PX)
        self.number.show_default(spec.default // self._unit, "")
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
        # What is being typed stays.
        if self._pending is None:
            self.number.show_value(value // self._unit)
        unit = "MiB" if self._unit > 1 else "%" if self.spec.name == "scale" else ""
        zero = self.words.zero
        self._word.setText(f"= {zero}" if zero and not value else unit)

    def hideEvent(self, event: QHideEvent) -> None:
        self._mean()
        super().hideEvent(event)

    def _wait(self, value: object) -> None:
        self._pending = (value,)
        if not self.number.lineEdit().isModified():
            # An arrow moved it; perhaps not for the last time.
            self._pause.start()

    def _mean(self) -> None:
        self._pause.stop()
        if self._pending is None:
            return
        (value,), self._pending = self._pending, None
        if value is None:
            self.entered.emit(self.spec.default)
        else:
            self.entered.emit(value * self._unit if isinstance(value, int) else value)


class ShareField(Field):
    """A part of something, in steps of five percent."""

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
    """What changes a setting of this kind."""
    if isinstance(spec.kind, Choice):
        return ChoiceField(spec)
    if isinstance(spec.kind, Flag):
        return FlagField(spec)
    if isinstance(spec.kind, Share):
        return ShareField(spec)
    assert isinstance(spec.kind, Whole), "the other kinds have sections of their own"
    return NumbersField(spec)
