"""Creates and recycles the widgets of turns, and keeps the state of turns without one."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QTextEdit, QWidget

from app.chat.answer_message import AnswerMessage
from app.chat.body import MessageBody
from app.chat.body_selection import BodySelection
from app.chat.logic.body_text import TurnMemory
from app.chat.logic.markdown_stream import Block
from app.chat.settled import settled_height
from app.chat.user_message import UserMessage
from app.core.session.fork import Fork
from app.core.session.records import Turn
from app.core.words.engine_words import said
from app.core.words.tr import tr
from app.ui import theme
from app.ui.icons import pixmap
from app.ui.widgets import label


class ErrorMessage(QFrame):
    """An error sentence in a frame; it does not fold, stream or edit.

    Attributes:
        turn: the turn shown.
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

    def reveal(self, *, near: bool, last: bool) -> None:
        pass

    def show_figures(self, on: bool) -> None:
        pass

    def focus_step(self, step: int) -> None:
        pass

    def show_turn(self, turn: Turn) -> None:
        self.turn = turn

    def restyle(self) -> None:
        self._sign.setPixmap(pixmap("warning", theme.current().colours["danger"], 18))


TurnWidget = UserMessage | AnswerMessage | ErrorMessage

# This many widgets that left the viewport are kept for reuse.
_SPARE = 8


class TurnWidgets(QObject):
    """Creates the widgets of a column and recycles them.

    Signals:
        made: a new widget, to be connected before it is shown.
    """

    made = Signal(object)

    def __init__(self, column: QWidget) -> None:
        """column: their parent, which also filters their events."""
        super().__init__(column)
        self._column = column
        self._memories: dict[int, TurnMemory] = {}
        # By turn: edits that were neither saved nor cancelled.
        self._unsaved: dict[int, str] = {}
        self._spare: list[UserMessage | AnswerMessage] = []

    def make(self, turn: Turn) -> TurnWidget:
        """A widget for a turn, in its last state on screen."""
        widget = self._widget(turn)
        if not isinstance(widget, ErrorMessage) and turn.id in self._unsaved:
            widget.resume_edit(self._unsaved.pop(turn.id))
        return widget

    def _widget(self, turn: Turn) -> TurnWidget:
        memory = self._memories.setdefault(turn.id, TurnMemory())
        # Reuse one: creating it takes far longer.
        for spare in self._spare:
            if spare.turn.role == turn.role:
                self._spare.remove(spare)
                spare.change_turn(turn, memory)
                return spare
        widget = self._new(turn, memory)
        widget.installEventFilter(self._column)
        self.made.emit(widget)
        return widget

    def take_back(self, widget: TurnWidget) -> None:
        """Recycle a widget that left the viewport, or whose turn is gone."""
        if not isinstance(widget, ErrorMessage) and widget.unsaved is not None:
            self._unsaved[widget.turn.id] = widget.unsaved
        widget.hide()
        if len(self._spare) < _SPARE and not isinstance(widget, ErrorMessage):
            self._spare.append(widget)
        else:
            widget.removeEventFilter(self._column)
            widget.deleteLater()

    def drop_spare(self) -> None:
        """Delete the recycled widgets, which do not follow the theme."""
        for spare in self._spare:
            spare.deleteLater()
        self._spare = []

    def blocks(self, turn: Turn) -> Sequence[Block] | None:
        """The parts of an answer, if cached."""
        memory = self._memories.get(turn.id) if turn.is_answer else None
        if memory is None or not memory.text.says(turn.text.lstrip()):
            return None
        return memory.text.blocks

    def forget_all_but(self, turns: Collection[int]) -> None:
        """Drop the state of turns that are gone; `turns`: ids of the existing ones."""
        self._memories = {id: kept for id, kept in self._memories.items() if id in turns}

    def _new(self, turn: Turn, memory: TurnMemory) -> TurnWidget:
        if turn.role == "user":
            return UserMessage(turn, self._column, memory)
        if turn.is_answer:
            return AnswerMessage(turn, self._column, memory)
        return ErrorMessage(turn, self._column)
