"""A button under an answer in which the demo model says that a real model could answer."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from app.session.records import Turn
from app.words.demo_answer import asks_for_a_real_model
from app.words.tr import tr


class ModelChip(QPushButton):
    """Leads from the demo model's honest answer to where real models are opened."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Open a real model…"), parent)
        self.setProperty("kind", "small")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Open a real model"))
        self.setToolTip(tr("This answer is from the small demo model; choose a real one"))

    def show_turn(self, turn: Turn) -> None:
        """Be there for a finished answer that says so."""
        self.setVisible(not turn.state.active and asks_for_a_real_model(turn.text))
