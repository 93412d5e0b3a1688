"""What the lab looks at: the conversation on screen, or a text typed here; and how far it is."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QWidget

from app.drop_down import DropDown
from app.session.lab import LabAnswers
from app.widgets import ElidedLabel
from app.words import format as fmt
from app.words.tr import tr

CONVERSATION, TYPED = tr("This conversation"), tr("A text of my own")
# More is a conversation's business.
_MOST_LETTERS = 20_000


class SourceRow(QWidget):
    """Chooses the source, asks, and stops.

    Attributes:
        source: the conversation, or a text.
        text: of one's own.
        button: asks, or stops what is running.
        status: what is going on, in one sentence.

    Signals:
        asked: read what `typed` says.
        stopped: the running question is not wanted any more.
    """

    asked = Signal()
    stopped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.source = DropDown()
        self.source.addItems([CONVERSATION, TYPED])
        self.source.setAccessibleName(tr("What to look at"))
        self.source.currentIndexChanged.connect(self._chosen)
        self.text = QLineEdit()
        self.text.setAccessibleName(tr("A text to look at"))
        self.text.setPlaceholderText(tr("Type a text and press Enter"))
        self.text.setMaxLength(_MOST_LETTERS)
        self.text.returnPressed.connect(self.asked)
        self.text.hide()
        self.button = QPushButton(tr("Read"))
        self.button.setProperty("kind", "small")
        self.button.setAutoDefault(False)
        self.button.clicked.connect(self._clicked)
        self.status = ElidedLabel("dim")
        self._running = False
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        for part, stretch in ((self.source, 0), (self.text, 3), (self.button, 0), (self.status, 4)):
            row.addWidget(part, stretch)

    @property
    def own(self) -> bool:
        """Whether it is a text of one's own."""
        return self.source.currentText() == TYPED

    @property
    def typed(self) -> str:
        """The text; "" for the conversation."""
        return self.text.text() if self.own else ""

    @property
    def ready(self) -> bool:
        """Whether there is something to ask about."""
        return not self.own or bool(self.text.text().strip())

    def show_state(self, lab: LabAnswers, running: bool, done: str) -> None:
        """How far the question is; `done` is said once it is answered."""
        self._running = running
        self.button.setText(tr("Stop") if running else tr("Read"))
        if running:
            at, of = fmt.count(lab.done), fmt.plural(lab.total, "token")
            self.status.setText(
                tr("Reading: {at} of {of} have run.").format(at=at, of=of)
                if lab.total
                else tr("Reading.")
            )
        else:
            self.status.setText(lab.refused or done)

    def _clicked(self) -> None:
        if self._running:
            self.stopped.emit()
        else:
            self.asked.emit()

    def _chosen(self) -> None:
        self.text.setVisible(self.own)
        if self.own:
            self.text.setFocus()
        else:
            self.asked.emit()
