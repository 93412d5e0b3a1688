"""The line under an answer that broke off: why, and a button to go on."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.chat.turn_words import ending_text
from app.key_hints import KeyTip
from app.session.records import Turn
from app.widgets import label
from app.words.tr import tr


class Ending(QWidget):
    """Says how an answer ended, unless it simply did.

    Attributes:
        words: why it ended.
        button: lets the model go on; shown where it can.

    Signals:
        continued: the button was pressed.
    """

    continued = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = label("", "faint")
        self.button = QPushButton(tr("Continue"))
        self.button.setProperty("kind", "small")
        KeyTip(self.button, tr("Let the model go on where the answer ends"), "continue")
        self.button.setAccessibleName(tr("Continue the answer"))
        self.button.clicked.connect(self.continued)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        row.addWidget(self.words)
        row.addWidget(self.button)
        row.addStretch(1)

    def show_turn(self, turn: Turn) -> None:
        ending = ending_text(turn)
        self.words.setText(ending)
        self.words.setVisible(bool(ending))
        self.button.setVisible(turn.unfinished)
        self.setVisible(bool(ending) or turn.unfinished)
