"""One setting: its label, its field, a mark where it was changed, and a way back to the default."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.settings.number_field import NumberField, Steps
from app.settings.stop_field import StopField
from app.widgets import IconButton, label
from app.words.settings_words import LABELS, default_tip, field_tip, value_text
from app.words.tr import tr

_STEPS = {
    "temperature": Steps(0.1, 0, 100),
    "top_p": Steps(0.05, 0, 1),
    "top_k": Steps(1, 0, 1 << 30, whole=True),
    "min_p": Steps(0.01, 0, 1),
    "repetition_penalty": Steps(0.05, 0.01, 100),
    "presence_penalty": Steps(0.1, -100, 100),
    "max_tokens": Steps(256, 1, 1 << 30, whole=True),
    "seed": Steps(1, 0, 1 << 62, whole=True),
}
_FIELD_PX, _LABEL_PX, _FIRST_LINE_PX = 96, 84, 8
# These need the whole width of the panel.
WIDE = ("stop",)


class SettingRow(QWidget):
    """A setting of the sampling.

    Attributes:
        name: its field of `Sampling`.
        field: where it is typed.
        reset_button: shown while it was changed.
        held: its value before the user began to type, None for the default; what was typed on the
            way to a wrong value is not meant.

    Signals:
        entered: (name, value): a number, a tuple of texts, or a text that is no number.
        cleared: (name): it is to have its default.
    """

    entered = Signal(str, object)
    cleared = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        title = LABELS[name][0]
        self.field = StopField() if name == "stop" else NumberField(_STEPS[name])
        self.field.entered.connect(self._enter)
        self.held: tuple[object] | None = None
        self._now: tuple[object] | None = None
        self._typing = False
        if isinstance(self.field, NumberField):
            self.field.left.connect(self._left)
        self._dot = QFrame()
        self._dot.setObjectName("changedDot")
        self._dot.setFixedSize(6, 6)
        dot = QWidget()
        place = QVBoxLayout(dot)
        place.setContentsMargins(0, _FIRST_LINE_PX + 5 if name in WIDE else 0, 0, 0)
        place.addWidget(self._dot)
        words = label(title)
        words.setBuddy(self.field)
        words.setMinimumWidth(_LABEL_PX)
        self._words = words
        self.reset_button = IconButton("reset", tr("Reset {title}").format(title=title), size=14)
        self.reset_button.clicked.connect(self._reset)
        self._sentence = label("", "danger", wrap=True)
        self._sentence.hide()
        line = QHBoxLayout()
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(6)
        top = Qt.AlignmentFlag.AlignTop if name in WIDE else Qt.AlignmentFlag.AlignVCenter
        if name in WIDE:
            # Level with the first line of the field.
            words.setContentsMargins(0, _FIRST_LINE_PX, 0, 0)
        line.addWidget(dot, alignment=top)
        line.addWidget(words, alignment=top)
        if isinstance(self.field, StopField):
            line.addWidget(self.field, 1)
        else:
            self.field.setFixedWidth(_FIELD_PX)
            line.addWidget(self.field)
        line.addWidget(self.reset_button, alignment=top)
        if not isinstance(self.field, StopField):
            line.addStretch(1)
        for part in (self._dot, self.reset_button):
            policy = part.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            part.setSizePolicy(policy)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(line)
        column.addWidget(self._sentence)

    @property
    def sentence(self) -> str:
        """What is wrong with what was typed, "" if nothing is."""
        return self._sentence.text()

    def show_problem(self, sentence: str) -> None:
        self._sentence.setText(sentence)
        self._sentence.setVisible(bool(sentence))

    def show_value(self, value: object, *, changed: bool, default: object, source: str) -> None:
        """Show the value that holds, unless the user is typing one that cannot."""
        self._now = (value,) if changed else None
        if not self._typing:
            self.held = self._now
        title = LABELS[self.name][0]
        self.field.show_default(
            default, tr("random") if self.name == "seed" else value_text(default)
        )
        if not self.sentence:
            self.field.show_value(value)
        self._dot.setVisible(changed)
        self.reset_button.setVisible(changed or bool(self.sentence))
        tip = default_tip(default, source)
        self.reset_button.setToolTip(tip)
        self.reset_button.setAccessibleDescription(tip)
        self.field.setToolTip(field_tip(self.name, default, source))
        self.field.setAccessibleName(
            tr("{title}, changed").format(title=title) if changed else title
        )
        self._words.setToolTip(self.field.toolTip())

    def forget_typed(self) -> None:
        """Another conversation is shown: what was typed and cannot hold is gone."""
        self._typing = False
        self.show_problem("")

    def _left(self) -> None:
        self._typing, self.held = False, self._now

    def _enter(self, value: object) -> None:
        self._typing = True
        if value is None and self.name != "seed":
            self.show_problem("")
            self.cleared.emit(self.name)
        else:
            self.entered.emit(self.name, value)

    def _reset(self) -> None:
        self.show_problem("")
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.cleared.emit(self.name)
