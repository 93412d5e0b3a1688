"""One widget for each kind of turn: a user message, an answer, an error."""

from __future__ import annotations

import time
from math import inf

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.chat.action_row import ActionRow
from app.chat.body import MessageBody
from app.chat.body_selection import BodySelection
from app.chat.body_text import TurnMemory
from app.chat.ending import Ending
from app.chat.file_chips import FileChips
from app.chat.fork_arrows import ForkArrows
from app.chat.message_editor import MessageEditor
from app.chat.pasted import Shortened, shortened, unfolded, user_blocks
from app.chat.prefill import PrefillClock
from app.chat.settled import settled_height
from app.chat.thinking import ThinkingFold
from app.chat.turn_words import progress_text
from app.icons import pixmap
from app.session.attachments import joined, parted
from app.session.fork import Fork
from app.session.records import Turn, TurnState
from app.widgets import CopyButton, IconButton, label
from app.words import format as fmt
from app.words.stats_line import stats_detail, stats_line, wrapping_by_figure

_BUBBLE_PX = 14
# Of a message that is unfolded, before it is known what of it is in sight.
_FIRST_PX = 1500


class UserMessage(QWidget):
    """A user message, in a bubble on the right.

    Signals:
        edited: (turn id, new text).
        stepped: to the sibling before (-1) or after (+1) it.
    """

    edited = Signal(int, str)
    stepped = Signal(int)

    def __init__(
        self, turn: Turn, parent: QWidget | None = None, memory: TurnMemory | None = None
    ) -> None:
        super().__init__(parent)
        self.turn = turn
        self._memory = memory or TurnMemory()
        self._bubble = QFrame(self)
        self._bubble.setObjectName("bubble")
        self._bubble.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._whole = self._memory.opened
        self._short: Shortened | None = None
        self._text = MessageBody(14, markdown=False, text=self._memory.text)
        self._text.setAccessibleName("Your message")
        self._files = FileChips(self._bubble, removable=False)
        self._files.opened.connect(self._toggle_whole)
        self._more = QPushButton("Show all")
        self._more.setProperty("kind", "small")
        self._more.setVisible(False)
        self._more.clicked.connect(self._toggle_whole)
        self._editor = MessageEditor("Edit your message", "Send", "Enter")
        self._editor.saved.connect(self._save)
        self._editor.left.connect(self.cancel_edit)
        inner = QVBoxLayout(self._bubble)
        # Line spacing is added below each line, so the margin there is smaller.
        inner.setContentsMargins(_BUBBLE_PX, 12, _BUBBLE_PX, 7)
        inner.addWidget(self._files)
        inner.addWidget(self._text)
        inner.addWidget(self._editor)
        inner.addWidget(self._more, alignment=Qt.AlignmentFlag.AlignLeft)
        inner.setSpacing(6)
        self._edit_button = IconButton(
            "edit", "Edit and send as a new version", self.start_edit, size=14
        )
        self._arrows = ForkArrows(self)
        self._arrows.stepped.connect(self.stepped)
        self._actions = QWidget(self)
        actions = QHBoxLayout(self._actions)
        actions.setContentsMargins(0, 0, 0, 0)
        actions.setSpacing(2)
        actions.addStretch(1)
        actions.addWidget(self._arrows)
        actions.addWidget(self._edit_button)
        actions.addWidget(CopyButton(lambda: self.turn.text, "Copy message"))
        self._row = QHBoxLayout()
        self._row.addStretch(1)
        self._row.addWidget(self._bubble)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(self._row)
        column.addWidget(self._actions)
        self._show_text()

    def change_turn(self, turn: Turn, memory: TurnMemory) -> None:
        """Show another turn from now on."""
        self._editor.hide()
        self._actions.show()
        self.turn, self._memory = turn, memory
        self._whole = memory.opened
        self._text.change_text(memory.text)
        self._show_text()

    def lay_out(self, width: int) -> None:
        """Take the height for a width before it is shown."""
        self.resize(width, self.height())
        self._fit_bubble()

    @property
    def editing(self) -> bool:
        return self._editor.isVisibleTo(self)

    @property
    def bodies(self) -> tuple[MessageBody, ...]:
        """What of it may be longer than the view."""
        return (self._text,) if self._long and not self.editing else ()

    @property
    def body(self) -> MessageBody:
        return self._text

    @property
    def _long(self) -> bool:
        return self._whole and self._short is not None

    def height_for(self, width: int) -> int:
        """The height it needs, with everything in it laid out."""
        return settled_height(width, self._bubble, self)

    def text_fields(self) -> list[QTextEdit]:
        """The widgets that show the whole text; none while it is shortened or being edited."""
        fields = self.fields()
        return [fields[index] for index in sorted(fields)]

    def fields(self) -> dict[int, QTextEdit]:
        """The same by part."""
        folded = not self._whole and self._short is not None
        return {} if self.editing or folded else self._text.fields()

    def unfold(self) -> None:
        """Show a shortened text as a whole."""
        if not self.editing and not self._whole:
            self._toggle_whole()

    def set_busy(self, busy: bool) -> None:
        self._edit_button.setEnabled(not busy)
        if busy:
            self.cancel_edit()

    def show_fork(self, fork: Fork | None) -> None:
        """Show its place among its siblings."""
        self._arrows.show_fork(fork)

    def focus_step(self, step: int) -> None:
        """Give the focus to the arrow to a sibling."""
        self._arrows.focus_step(step)

    def start_edit(self) -> None:
        found = parted(self.turn.text)
        self._files.show_files(found.files)
        self._text.hide()
        self._more.hide()
        self._actions.hide()
        self._editor.begin(found.text)
        self._fit_bubble()

    def cancel_edit(self) -> None:
        if self.editing:
            self._editor.hide()
            self._text.show()
            self._actions.show()
            self._show_text()

    def _save(self, text: str) -> None:
        self.cancel_edit()
        # Its files stay.
        message = joined(parted(self.turn.text).files, text)
        if message:
            self.edited.emit(self.turn.id, message)

    def restyle(self) -> None:
        self._text.restyle()
        self._files.restyle()

    def show_turn(self, turn: Turn) -> None:
        changed, self.turn = turn.text != self.turn.text, turn
        if changed and not self.editing:
            self._show_text()

    def _show_text(self) -> None:
        short = self._short = shortened(self.turn.text)
        self._more.setVisible(short is not None)
        if short is not None:
            lines = f"Show all {fmt.count(short.lines)} lines" if short.lines > 1 else "Show all"
            self._more.setText("Show less" if self._whole else lines)
        shown = unfolded(self.turn.text) if short is None or self._whole else short.text
        self._files.show_files(short.files if short is not None and not self._whole else ())
        if self._long:
            self._text.show_span(0, _FIRST_PX)
        if shown != self._memory.text.source:
            self._memory.text.source = shown
            self._text.show_blocks(user_blocks(shown))
        if not self._long:
            self._text.show_span(-inf, inf)
        self._text.setVisible(bool(shown.strip()))
        self._fit_bubble()

    def _toggle_whole(self) -> None:
        self._whole = self._memory.opened = not self._whole
        self._show_text()

    @property
    def selections(self) -> tuple[BodySelection, ...]:
        return (self._text.selection,)

    @property
    def selected_text(self) -> str:
        return self._text.selection.text

    def _fit_bubble(self) -> None:
        room = max(120, int(self.width() * 0.85))
        if self.editing or self._more.isVisibleTo(self):
            wanted = room
        else:
            wanted = min(room, self._text.ideal_width() + 2 * _BUBBLE_PX + 2)
        self._bubble.setFixedWidth(wanted)
        self._text.lay_out(wanted - 2 * _BUBBLE_PX)
        self._files.lay_out(wanted - 2 * _BUBBLE_PX)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_bubble()


class AnswerMessage(QWidget):
    """An answer: progress, reasoning, text, and the line of figures.

    Signals:
        regenerate: turn id; the user asks for another answer.
        edited: (turn id, new text).
        continued: turn id; the model is to go on with the answer.
        forked: turn id; the conversation up to here is to go on in a conversation of its own.
        stepped: to the sibling before (-1) or after (+1) it.
    """

    regenerate = Signal(int)
    edited = Signal(int, str)
    continued = Signal(int)
    forked = Signal(int)
    stepped = Signal(int)

    def __init__(
        self, turn: Turn, parent: QWidget | None = None, memory: TurnMemory | None = None
    ) -> None:
        super().__init__(parent)
        self.turn = turn
        memory = memory or TurnMemory()
        self._clock = PrefillClock()
        self._progress = label("", "dim")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setMaximumWidth(260)
        self._bar.setAccessibleName("Reading the prompt")
        self.thinking = ThinkingFold(self, memory)
        self.body = MessageBody(parent=self, text=memory.text)
        self.ending = Ending(self)
        self.ending.continued.connect(lambda: self.continued.emit(self.turn.id))
        self.stats = label("", "figures", wrap=True, selectable=True)
        self.stats.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._editor = MessageEditor("Edit the answer", "Save as a new version", "Enter", self)
        self._editor.saved.connect(self._save)
        self._editor.left.connect(self.cancel_edit)
        self._actions = self._action_row()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        shown = (self.thinking, self._progress, self._bar, self.body, self._editor)
        for widget in (*shown, self.ending, self._actions):
            column.addWidget(widget)
        self.show_turn(turn)

    def change_turn(self, turn: Turn, memory: TurnMemory) -> None:
        """Show another turn from now on."""
        self._editor.hide()
        self._clock = PrefillClock()
        self.stats.setText("")
        self.stats.setToolTip("")
        self.thinking.change_turn(memory)
        self.body.change_text(memory.text)
        self.show_turn(turn)

    def _action_row(self) -> ActionRow:
        """The figures, and what can be done with the answer."""
        self._arrows = ForkArrows(self)
        self._arrows.stepped.connect(self.stepped)
        copy = CopyButton(lambda: self.turn.text, "Copy answer")
        self._edit = IconButton("edit", "Edit as a new version", self.start_edit, size=14)
        fork = IconButton(
            "fork", "Fork to a new conversation", lambda: self.forked.emit(self.turn.id), size=14
        )
        self._again = IconButton(
            "again",
            "Regenerate",
            lambda: self.regenerate.emit(self.turn.id),
            shortcut="Ctrl+R",
            size=14,
        )
        return ActionRow(self.stats, (self._arrows, copy, self._edit, fork, self._again), self)

    def lay_out(self, width: int) -> None:
        """Take the height for a width before it is shown."""
        self.resize(width, self.height())
        self.body.lay_out(width)
        self._actions.fit(width)

    @property
    def bodies(self) -> tuple[MessageBody, ...]:
        """What of it may be longer than the view."""
        thought = (self.thinking.body,) if self.thinking.unfolded else ()
        return thought if self.editing else (*thought, self.body)

    def height_for(self, width: int) -> int:
        """The height it needs, with everything in it laid out."""
        return settled_height(width, self.thinking.frame, self.thinking, self)

    def text_fields(self) -> list[QTextEdit]:
        """The widgets that show the answer; the reasoning above it is not part of it."""
        return self.body.text_fields()

    def fields(self) -> dict[int, QTextEdit]:
        """The same by part."""
        return self.body.fields()

    def unfold(self) -> None:
        """An answer is always shown as a whole."""

    def set_busy(self, busy: bool) -> None:
        self._again.setEnabled(not busy)
        self.ending.button.setEnabled(not busy)

    def show_fork(self, fork: Fork | None) -> None:
        """Show its place among its siblings."""
        self._arrows.show_fork(fork)
        self._actions.fit(self.width())

    def focus_step(self, step: int) -> None:
        """Give the focus to the arrow to a sibling."""
        self._arrows.focus_step(step)

    @property
    def editing(self) -> bool:
        return self._editor.isVisibleTo(self)

    def start_edit(self) -> None:
        self.body.hide()
        self._actions.hide()
        self._editor.begin(self.turn.text)

    def cancel_edit(self) -> None:
        if self.editing:
            self._editor.hide()
            self.body.setVisible(bool(self.turn.text.strip()))
            self._actions.setVisible(not self.turn.state.active)

    def _save(self, text: str) -> None:
        self.cancel_edit()
        if text.strip() and text.strip() != self.turn.text.strip():
            self.edited.emit(self.turn.id, text)

    def show_turn(self, turn: Turn) -> None:
        """Show what has changed in the turn."""
        self.turn = turn
        self._show_progress(turn)
        self.thinking.show_turn(turn)
        text = turn.text.lstrip()
        self.body.setVisible(bool(text) and not self.editing)
        if text or self.body.text.blocks:
            self.body.show_text(text, finished=not turn.state.active)
        self.ending.show_turn(turn)
        self._actions.setVisible(not turn.state.active and not self.editing)
        if turn.report is not None:
            self.stats.setText(wrapping_by_figure(stats_line(turn.report)))
            self.stats.setToolTip(stats_detail(turn.report))
        else:
            self.stats.setText("edited by you" if turn.edited else "")
        self._actions.fit(self.width())

    @property
    def selections(self) -> tuple[BodySelection, ...]:
        return (self.thinking.body.selection, self.body.selection)

    @property
    def selected_text(self) -> str:
        return self.thinking.body.selection.text or self.body.selection.text

    def _show_progress(self, turn: Turn) -> None:
        """What it is doing, until there is text; how far it has read the prompt, as a bar."""
        reading = turn.state is TurnState.READING
        now = time.monotonic()
        if reading:
            self._clock.note(turn.done, turn.total, now)
        left = self._clock.left_s(now)
        if left is None and turn.plan is not None:
            left = turn.plan.predicted_seconds
        progress = progress_text(turn, self._clock.tok_s, left)
        self._progress.setText(progress)
        self._progress.setVisible(bool(progress))
        self._bar.setVisible(reading)
        if reading:
            self._bar.setRange(0, max(1, turn.total))
            self._bar.setValue(turn.done)

    def restyle(self) -> None:
        self.thinking.restyle()
        self.body.restyle()


class ErrorMessage(QFrame):
    """A sentence that says what went wrong and what to do."""

    def __init__(self, turn: Turn, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("errorCard")
        self.turn = turn
        self._sign = QLabel()
        text = label(turn.text, wrap=True, selectable=True)
        text.setAccessibleName("Error")
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
    def selected_text(self) -> str:
        return ""

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

    def text_fields(self) -> list[QTextEdit]:
        return []

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


TurnWidget = UserMessage | AnswerMessage | ErrorMessage


def make_widget(turn: Turn, parent: QWidget, memory: TurnMemory) -> TurnWidget:
    """The widget of a turn, as it was when it was last in sight."""
    if turn.role == "user":
        return UserMessage(turn, parent, memory)
    return AnswerMessage(turn, parent, memory) if turn.is_answer else ErrorMessage(turn, parent)
