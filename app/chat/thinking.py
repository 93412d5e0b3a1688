"""The folded reasoning above an answer."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QToolButton, QVBoxLayout, QWidget

from app import theme
from app.chat.body import MessageBody
from app.chat.body_text import TurnMemory
from app.chat.turn_words import thinking_title
from app.icons import icon
from app.session.records import Turn, TurnState
from app.widgets import set_tip
from app.words.tr import tr

# Of what is unfolded, before it is known what of it is in sight.
_FIRST_PX = 1500
_DROPPED = tr(
    "The model's template leaves this reasoning out of the next prompt. The "
    "model will not see it again; the answer below it stays."
)


class ThinkingFold(QWidget):
    """A header that shows how long it took; the reasoning below it on demand.

    Attributes:
        frame, body: the reasoning; it is only drawn while unfolded.
    """

    def __init__(self, parent: QWidget | None = None, memory: TurnMemory | None = None) -> None:
        super().__init__(parent)
        self._turn: Turn | None = None
        self._memory = memory or TurnMemory()
        self._header = QToolButton(self)
        self._header.setProperty("kind", "fold")
        self._header.setCheckable(True)
        self._header.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._header.setIconSize(QSize(14, 14))
        self._header.setCursor(Qt.CursorShape.PointingHandCursor)
        self._header.setAccessibleName(tr("Show or hide the reasoning"))
        self._header.setChecked(self._memory.opened)
        self._header.toggled.connect(self._fold)
        self.frame = QFrame(self)
        self.frame.setObjectName("thinking")
        self.frame.setVisible(self._memory.opened)
        self.body = MessageBody(13, "dim", self.frame, text=self._memory.thought)
        inner = QVBoxLayout(self.frame)
        inner.setContentsMargins(12, 2, 0, 2)
        inner.addWidget(self.body)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self._header, alignment=Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.frame)
        self.restyle()

    def change_turn(self, memory: TurnMemory) -> None:
        """Show the reasoning of another turn from now on."""
        self._memory = TurnMemory()
        self._turn = None
        self._header.setChecked(False)
        self.body.change_text(memory.thought)
        self._memory = memory
        self._header.setChecked(memory.opened)

    @property
    def unfolded(self) -> bool:
        return self._header.isChecked()

    @property
    def title(self) -> str:
        return self._header.text()

    def toggle(self) -> None:
        self._header.toggle()

    def show_turn(self, turn: Turn) -> None:
        self._turn = turn
        self.setVisible(bool(turn.thinking.strip()))
        self._show_title()
        set_tip(self._header, _DROPPED if turn.dropped else "")
        self._header.setAccessibleDescription(_DROPPED if turn.dropped else "")
        if self.unfolded:
            self._write()

    def _show_title(self) -> None:
        """The title, or a shorter one where Qt would cut a piece out of it."""
        if self._turn is None:
            return
        self._header.setText(thinking_title(self._turn))
        if self.isVisible() and self._header.sizeHint().width() > self.width():
            self._header.setText(thinking_title(self._turn, short=True))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_title()

    def restyle(self) -> None:
        name = "down" if self.unfolded else "right"
        self._header.setIcon(icon(name, theme.current().colours["dim"], 14))
        self.body.restyle()

    def _fold(self, shown: bool) -> None:
        self._memory.opened = shown
        self.frame.setVisible(shown)
        self.restyle()
        if shown:
            self.body.show_span(0, _FIRST_PX)
            self._write()

    def _write(self) -> None:
        if self._turn is not None:
            over = self._turn.state is not TurnState.THINKING
            self.body.show_text(self._turn.thinking.lstrip(), finished=over)
