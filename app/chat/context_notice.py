"""The line over the composer that says what happens when the context is nearly full."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from app import theme
from app.icons import pixmap
from app.widgets import label


class ContextNotice(QFrame):
    """Hidden unless there is something to say.

    Attributes:
        sentence: what will happen.
        button: continues in a new conversation.

    Signals:
        gone_on: the user wants to continue in a new conversation.
    """

    gone_on = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("contextNotice")
        self._sign = QLabel()
        self.sentence = label("", "dim", wrap=True)
        self.sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.button = QPushButton("New conversation")
        self.button.setProperty("kind", "small")
        self.button.setToolTip("Continue there with what is in the composer")
        self.button.clicked.connect(self.gone_on)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 8, 10, 8)
        row.setSpacing(10)
        row.addWidget(self._sign, alignment=Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.sentence, 1)
        row.addWidget(self.button)
        self.hide()
        self.restyle()

    def show_warning(self, sentence: str) -> None:
        """Say a sentence; "" says nothing."""
        if sentence != self.sentence.text():
            self.sentence.setText(sentence)
        self.setVisible(bool(sentence))

    def restyle(self) -> None:
        self._sign.setPixmap(pixmap("warning", theme.current().colours["replayed"], 16))
