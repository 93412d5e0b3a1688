"""The page of an empty conversation: what this is, prompts to try, and real models for the demo."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.core.session.model import Session
from app.core.session.records import is_bundled
from app.core.words.tr import tr
from app.ui.widgets import FlowRow, add_middle, label

_ABOUT = tr(
    "Chat with a model on this computer. What it has read once is reused, so that the next answer "
    "starts sooner."
)
# What is sent, by what the button says. The demo model understands English only.
_DEMO_PROMPTS = {
    tr("My name is Ada and my lucky number is 27."): "My name is Ada and my lucky number is 27.",
    tr("How does the cache work?"): "How does the cache work?",
    tr("Tell me a joke."): "Tell me a joke.",
}
_PROMPTS = {
    prompt: prompt
    for prompt in (
        tr("Explain in three sentences why the sky is blue."),
        tr("Write a haiku about an old biplane."),
        tr("Give me three ideas for a quick dinner."),
    )
}
_WIDEST_PX, _MARGIN_PX, _GAP_PX, _PROMPT_GAP_PX = 460, 24, 16, 8


class FirstPage(QWidget):
    """Invites to write a message, once a model is open.

    Attributes:
        prompts: what is sent, by its button; shown until there is a first conversation.
        get: leads to the models there are, on the bundled demo.
        models: buttons of some that fit this machine, by key.

    Signals:
        asked: a prompt to send.
        model_wanted: the key of a model to show; "" for all of them.
    """

    asked = Signal(str)
    model_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._invites = self._demo = False
        self._title = label(tr("Ask something"), "headline")
        self._about = label(_ABOUT, "dim", wrap=True)
        self.prompts: dict[QPushButton, str] = {}
        self._prompt_column = QVBoxLayout()
        self._prompt_column.setContentsMargins(0, 0, 0, 0)
        self._prompt_column.setSpacing(_PROMPT_GAP_PX)
        self._prompt_box = QWidget()
        self._prompt_box.setLayout(self._prompt_column)
        self.get = _link(tr("Get a real one"))
        self.get.clicked.connect(lambda: self.model_wanted.emit(""))
        self.models: dict[str, QPushButton] = {}
        told = FlowRow(4)
        told.add(label(tr("This is a small demo model."), "faint"))
        told.add(self.get)
        self._models = FlowRow(4)
        self._note = QWidget()
        note = QVBoxLayout(self._note)
        note.setContentsMargins(0, 0, 0, 0)
        note.setSpacing(4)
        note.addWidget(told)
        note.addWidget(self._models)
        self._parts = (self._title, self._about, self._prompt_box, self._note)
        column = QVBoxLayout()
        column.setSpacing(_GAP_PX)
        column.addStretch(1)
        for part in self._parts:
            column.addWidget(part)
        column.addStretch(1)
        inner = QWidget()
        inner.setLayout(column)
        inner.setMaximumWidth(_WIDEST_PX)
        row = QHBoxLayout(self)
        row.setContentsMargins(_MARGIN_PX, 0, _MARGIN_PX, 0)
        column.setContentsMargins(0, 0, 0, 0)
        add_middle(row, inner)

    def show_session(self, session: Session) -> None:
        """Show what suits the open model; nothing without one."""
        model = session.engine.model
        self._demo = model is not None and is_bundled(model.folder)
        self._invites = model is not None
        first = all(one.empty for one in session.conversations)
        self._offer((_DEMO_PROMPTS if self._demo else _PROMPTS) if first else {})
        self._show()

    def show_models(self, offers: Sequence[tuple[str, str]]) -> None:
        """Name models that fit this machine: their keys and texts."""
        for button in self.models.values():
            self._models.remove(button)
        self.models = {}
        for key, text in offers:
            button = self.models[key] = _link(text)
            button.setAccessibleName(tr("Show the model {name}").format(name=text))
            button.clicked.connect(lambda _on=False, key=key: self.model_wanted.emit(key))
            self._models.add(button)
        self._show()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show()

    def _offer(self, prompts: dict[str, str]) -> None:
        if list(self.prompts.values()) == list(prompts.values()):
            return
        for button in self.prompts:
            button.deleteLater()
        self.prompts = {}
        for text, sent in prompts.items():
            button = QPushButton(text)
            button.setProperty("kind", "prompt")
            button.setToolTip(tr("Send this"))
            button.clicked.connect(lambda _on=False, sent=sent: self.asked.emit(sent))
            self._prompt_column.addWidget(button)
            self.prompts[button] = sent

    def _show(self) -> None:
        """Show as many parts as fit, the first ones first."""
        wanted = (True, True, bool(self.prompts), self._demo)
        width = min(_WIDEST_PX, self.width() - 2 * _MARGIN_PX)
        room = self.height()
        for part, shown in zip(self._parts, wanted, strict=True):
            tall = part.heightForWidth(width) if part.hasHeightForWidth() else 0
            needed = max(tall, part.sizeHint().height()) + _GAP_PX
            fits = self._invites and shown and needed <= room
            part.setVisible(fits)
            room -= needed if fits else 0


def _link(text: str) -> QPushButton:
    made = QPushButton(text)
    made.setProperty("kind", "link")
    made.setCursor(Qt.CursorShape.PointingHandCursor)
    return made
