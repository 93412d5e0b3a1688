"""An error: a sentence that says what went wrong and what to do."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QTextEdit, QWidget

from app import theme
from app.chat.body import MessageBody
from app.chat.body_selection import BodySelection
from app.chat.settled import settled_height
from app.icons import pixmap
from app.session.fork import Fork
from app.session.records import Turn
from app.widgets import label
from app.words.engine_words import said
from app.words.tr import tr


class ErrorMessage(QFrame):
    """The sentence in a frame; nothing of it folds, streams or can be edited.

    Attributes:
        turn: what it shows.
    """

    def __init__(self, turn: Turn, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("errorCard")
        self.turn = turn
        self._sign = QLabel()
        text = label(said(turn.text), wrap=True, selectable=True)
        text.setAccessibleName(tr("Error"))
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 12, 14, 12)
        row.setSpacing(12)
        row.addWidget(self._sign, alignment=Qt.AlignmentFlag.AlignTop)
        row.addWidget(text, 1)
        self.restyle()

    @property
    def selections(self) -> tuple[BodySelection, ...]:
        return ()

    @property
    def editing(self) -> bool:
        return False

    @property
    def bodies(self) -> tuple[MessageBody, ...]:
        return ()

    @property
    def body(self) -> None:
        return None

    def lay_out(self, width: int) -> None:
        pass

    def height_for(self, width: int) -> int:
        return settled_height(width, self)

    def fields(self) -> dict[int, QTextEdit]:
        return {}

    def unfold(self) -> None:
        pass

    def set_busy(self, busy: bool) -> None:
        pass

    def show_fork(self, fork: Fork | None) -> None:
        pass

    def focus_step(self, step: int) -> None:
        pass

    def show_turn(self, turn: Turn) -> None:
        self.turn = turn

    def restyle(self) -> None:
        self._sign.setPixmap(pixmap("warning", theme.current().colours["danger"], 18))
