"""The card that stands over the composer while there is no model to talk to."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app import theme
from app.icons import pixmap
from app.session.records import EnginePhase, EngineState
from app.widgets import label

_WELCOME = (
    "Choose the folder of a Qwen3.5, Qwen3.6 or Qwen3-Next model: the one with config.json, "
    "tokenizer.json and *.safetensors."
)


class FailureCard(QWidget):
    """Says why there is no model, and offers to choose one.

    Signals:
        choose: another folder is wanted.
    """

    choose = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sign = QLabel()
        self._title = label("", "title")
        self.sentence = label("", "dim", wrap=True, selectable=True)
        self.button = QPushButton("Choose another folder…")
        self.button.setProperty("kind", "primary")
        self.button.clicked.connect(self.choose)
        card = QFrame()
        card.setObjectName("card")
        card.setMaximumWidth(760)
        words = QVBoxLayout()
        words.setSpacing(6)
        words.addWidget(self._title)
        words.addWidget(self.sentence)
        words.addSpacing(6)
        words.addWidget(self.button, alignment=Qt.AlignmentFlag.AlignLeft)
        row = QHBoxLayout(card)
        row.setContentsMargins(16, 16, 16, 16)
        row.setSpacing(14)
        row.addWidget(self._sign, alignment=Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        outer = QHBoxLayout(self)
        outer.setContentsMargins(24, 16, 24, 0)
        outer.addStretch(1)
        outer.addWidget(card, 1000)
        outer.addStretch(1)
        self.hide()

    def show_engine(self, engine: EngineState) -> None:
        failed = engine.phase is EnginePhase.FAILED
        missing = engine.phase is EnginePhase.NONE
        self.setVisible(failed or missing)
        self._title.setText("The model could not be used" if failed else "Open a model")
        self.sentence.setText(engine.sentence if failed else _WELCOME)
        self.button.setText("Choose another folder…" if failed else "Choose a folder…")
        self._sign.setVisible(failed)
        self.restyle()

    def restyle(self) -> None:
        self._sign.setPixmap(pixmap("warning", theme.current().colours["danger"], 20))
