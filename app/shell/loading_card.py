"""The card over the conversation while a model is being opened: how far it is, and Cancel."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.session.loading import Loading, loading
from app.session.model import Session
from app.widgets import ElidedLabel, add_middle, label, show_share
from app.words.tr import tr

# A card that flashes up for a small model is alarming, and moves what one reads.
_SHOW_AFTER_MS = 400
_WIDEST_PX = 760


class LoadingCard(QWidget):
    """Hidden unless a model has been on its way for a moment.

    Attributes:
        title, stage, note: which model, what is being done, and what can be done meanwhile.
        bar: how far it is.
        button: gives the model up.

    Signals:
        cancelled: the button was pressed.
    """

    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: Loading | None = None
        self.title = ElidedLabel("title")
        self.stage = ElidedLabel("figures")
        self.note = label("", "dim", wrap=True)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.button = QPushButton(tr("Cancel"))
        self.button.setAccessibleName(tr("Cancel opening the model"))
        self.button.clicked.connect(self.cancelled)
        card = QFrame()
        card.setObjectName("card")
        card.setMaximumWidth(_WIDEST_PX)
        head = QHBoxLayout()
        head.setSpacing(16)
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addWidget(self.title)
        words.addWidget(self.stage)
        head.addLayout(words, 1)
        head.addWidget(self.button, alignment=Qt.AlignmentFlag.AlignVCenter)
        column = QVBoxLayout(card)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self.bar)
        column.addWidget(self.note)
        outer = QHBoxLayout(self)
        outer.setContentsMargins(24, 16, 24, 0)
        add_middle(outer, card)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(_SHOW_AFTER_MS)
        self._wait.timeout.connect(self.show)
        self.hide()

    def show_session(self, session: Session) -> None:
        """Show the model that is on its way, or nothing."""
        found = loading(session)
        if found is None:
            self._wait.stop()
            self.hide()
        elif self._shown is None:
            self._wait.start()
        if found is not None and found != self._shown:
            self.title.setText(found.title)
            self.stage.setText(found.stage)
            self.note.setText(found.note)
            show_share(self.bar, found.fraction)
            self.bar.setAccessibleName(found.title)
        self._shown = found
