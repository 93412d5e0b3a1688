"""The list of stop strings: one on each line."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from app import theme
from app.words.settings_words import stop_lines, stop_strings
from app.words.tr import tr

_LINES = 2


class StopField(QPlainTextEdit):
    """A field for several short texts.

    Signals:
        entered: the stop strings, as a tuple.
    """

    entered = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "field")
        self.setFont(theme.mono_font())
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # The lines, the document's margin, and the frame of the style sheet.
        self.setFixedHeight(self.fontMetrics().lineSpacing() * _LINES + 8 + 18)
        self.textChanged.connect(lambda: self.entered.emit(self.value))

    @property
    def value(self) -> tuple[str, ...]:
        return stop_strings(self.toPlainText())

    def show_value(self, value: object) -> None:
        assert isinstance(value, tuple)
        if value != self.value:
            self.blockSignals(True)
            self.setPlainText(stop_lines(value))
            self.blockSignals(False)

    def show_default(self, default: object, word: str) -> None:
        """Nothing else is shown for an empty list."""
        self.setPlaceholderText(tr("none"))
