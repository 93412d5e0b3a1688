"""The sliders of the what-if panel: one row for each setting."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QSlider, QWidget

from app.debug.what_if.knobs import Knob
from app.drop_down import DropDown
from app.widgets import label
from app.words.tr import tr

_VALUE_PX = 78
_LEAST_SLIDER_PX = 56


class _Slider(QSlider):
    """The wheel scrolls the panel, and never changes a setting in passing."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class KnobRows(QWidget):
    """All settings in a grid.

    Signals:
        moved(str, object): the user gave the setting of this name that value.
    """

    moved = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.fields: dict[str, QSlider | DropDown] = {}
        self._knobs: dict[str, Knob] = {}
        self._values: dict[str, QLabel] = {}
        self._names: dict[str, QLabel] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)

    def show_knobs(self, knobs: tuple[Knob, ...]) -> None:
        """The settings; those with the same names keep their widgets."""
        for row, knob in enumerate(knobs):
            if knob.name not in self.fields:
                self._add(row, knob)
            self._knobs[knob.name] = knob
            field = self.fields[knob.name]
            with QSignalBlocker(field):
                if isinstance(field, QSlider):
                    field.setRange(0, len(knob.values) - 1)

    def show_values(self, values: dict[str, Any], today: dict[str, Any]) -> None:
        """What every setting is, and which ones differ from today's."""
        for name, value in values.items():
            knob, field = self._knobs[name], self.fields[name]
            with QSignalBlocker(field):
                if isinstance(field, QSlider):
                    field.setValue(knob.position(value))
                else:
                    field.setCurrentIndex(knob.position(value))
            told, was = knob.words(value), knob.words(today[name])
            changed = value != today[name]
            if name in self._values:
                self._values[name].setText(told)
            field.setAccessibleDescription(
                tr("{told}; {was} today").format(told=told, was=was) if changed else told
            )
            shown = self._names[name]
            shown.setText(f"{knob.label} •" if changed else knob.label)
            shown.setToolTip(tr("{hint}\nToday: {was}").format(hint=knob.hint, was=was))
            field.setToolTip(shown.toolTip())

    def _add(self, row: int, knob: Knob) -> None:
        name = self._names[knob.name] = label(knob.label, "dim")
        if knob.choice:
            box = DropDown()
            box.setMinimumContentsLength(6)
            box.addItems([str(value) for value in knob.values])
            box.activated.connect(lambda at, key=knob.name: self._moved(key, at))
            self.fields[knob.name] = box
            self._grid.addWidget(box, row, 1, 1, 2)
        else:
            slider = _Slider(Qt.Orientation.Horizontal)
            slider.setMinimumWidth(_LEAST_SLIDER_PX)
            slider.setPageStep(4)
            slider.valueChanged.connect(lambda at, key=knob.name: self._moved(key, at))
            value = self._values[knob.name] = label("", "figuresStrong")
            value.setMinimumWidth(_VALUE_PX)
            value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.fields[knob.name] = slider
            self._grid.addWidget(slider, row, 1)
            self._grid.addWidget(value, row, 2)
        self.fields[knob.name].setAccessibleName(knob.label)
        name.setBuddy(self.fields[knob.name])
        self._grid.addWidget(name, row, 0)

    def _moved(self, name: str, at: int) -> None:
        self.moved.emit(name, self._knobs[name].values[at])
