"""An answer: how far the prompt is read, the reasoning, the text, its figures and its actions."""

from __future__ import annotations

import time

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QProgressBar,
    QSizePolicy,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.chat.action_row import ActionRow
from app.chat.announcer import Announcer
from app.chat.body import MessageBody
from app.chat.body_selection import BodySelection
from app.chat.body_text import TurnMemory
from app.chat.ending import Ending
from app.chat.fork_arrows import ForkArrows
from app.chat.locate_button import locate_button
from app.chat.message_editor import MessageEditor
from app.chat.model_chip import ModelChip
from app.chat.prefill import PrefillClock
from app.chat.settled import settled_height
from app.chat.thinking import ThinkingFold
from app.chat.turn_words import progress_text
from app.session.fork import Fork
from app.session.records import Turn, TurnState
from app.widgets import CopyButton, IconButton, label
from app.words.stats_line import stats_detail, stats_line, wrapping_by_figure
from app.words.tr import tr


class AnswerMessage(QWidget):
    """An answer, while it is written and afterwards.

    Attributes:
        turn: what it shows.
        thinking: the folded reasoning.
        body: the text.
        ending: why it broke off, if it did.
        chip: where the demo model says that it cannot know, the way to a real one.
        stats: the line of figures.

    Signals:
        regenerate: turn id; the user asks for another answer.
        edited: (turn id, new text).
        continued: turn id; the model is to go on with the answer.
        forked: turn id; the conversation up to here is to go on in a conversation of its own.
        explained: request; why did it take this long?
        stepped: to the sibling before (-1) or after (+1) it.
        located: turn id; where is it in the cache?
        model_wanted: a real model is to be opened.
    """

    regenerate = Signal(int)
    edited = Signal(int, str)
    continued = Signal(int)
    forked = Signal(int)
    explained = Signal(int)
    stepped = Signal(int)
    located = Signal(int)
    model_wanted = Signal()

    def __init__(
        self, turn: Turn, parent: QWidget | None = None, memory: TurnMemory | None = None
    ) -> None:
        super().__init__(parent)
        self._announcer = Announcer(self)
        self.turn = turn
        memory = memory or TurnMemory()
        self._clock = PrefillClock()
        self._progress = label("", "dim")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setMaximumWidth(260)
        self._bar.setAccessibleName(tr("Reading the prompt"))
        self.thinking = ThinkingFold(self, memory)
        self.body = MessageBody(parent=self, text=memory.text)
        self.ending = Ending(self)
        self.ending.continued.connect(lambda: self.continued.emit(self.turn.id))
        self.chip = ModelChip(self)
        self.chip.clicked.connect(self.model_wanted)
        self.stats = label("", "figures", wrap=True, selectable=True)
        self.stats.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._editor = MessageEditor(
            tr("Edit the answer"), tr("Save as a new version"), "Enter", self
        )
        self._editor.saved.connect(self._save)
        self._editor.left.connect(self.cancel_edit)
        self._actions = self._action_row()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        shown = (self.thinking, self._progress, self._bar, self.body, self._editor)
        for widget in (*shown, self.ending, self.chip, self._actions):
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
        self.why = IconButton("why", tr("Why? Explain these figures"), self._ask_why, size=14)
        self.locate = locate_button(lambda: self.located.emit(self.turn.id))
        copy = CopyButton(lambda: self.turn.text, tr("Copy answer"))
        edit = IconButton("edit", tr("Edit as a new version"), self.start_edit, size=14)
        fork = IconButton(
            "fork",
            tr("Fork to a new conversation"),
            lambda: self.forked.emit(self.turn.id),
            size=14,
        )
        self._again = IconButton(
            "again",
            tr("Regenerate"),
            lambda: self.regenerate.emit(self.turn.id),
            command="regenerate",
            size=14,
        )
        tools = (self.why, self.locate, self._arrows, copy, edit, fork, self._again)
        return ActionRow(self.stats, tools, self)

    def _ask_why(self) -> None:
        if self.turn.request is not None:
            self.explained.emit(self.turn.request)

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

    def fields(self) -> dict[int, QTextEdit]:
        """The widgets that show the answer by part; the reasoning above it is not part of it."""
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

    @property
    def unsaved(self) -> str | None:
        """What is being written in its place; None if it is not being edited."""
        return self._editor.field.toPlainText() if self.editing else None

    def resume_edit(self, text: str) -> None:
        """Go on with an edit, without taking the focus."""
        self.body.hide()
        self._actions.hide()
        self._editor.resume(text)

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
        self._announcer.follow(text, finished=not turn.state.active)
        self.body.setVisible(bool(text) and not self.editing)
        if text or self.body.text.blocks:
            self.body.show_text(text, finished=not turn.state.active)
        self.ending.show_turn(turn)
        self.chip.show_turn(turn)
        self._actions.setVisible(not turn.state.active and not self.editing)
        if turn.report is not None:
            self.stats.setText(wrapping_by_figure(stats_line(turn.report)))
            self.stats.setToolTip(stats_detail(turn.report))
        else:
            self.stats.setText(tr("edited by you") if turn.edited else "")
        ours = turn.report is not None and not turn.report.plan.reported_by
        self.why.setVisible(ours and turn.request is not None)
        self._actions.fit(self.width())

    @property
    def selections(self) -> tuple[BodySelection, ...]:
        return (self.thinking.body.selection, self.body.selection)

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
