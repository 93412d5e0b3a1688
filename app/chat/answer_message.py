"""An answer's widget: prefill progress, reasoning, text, figures and actions."""

from __future__ import annotations

import re
import time

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QTextEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.chat.action_row import ActionRow, MoreButton
from app.chat.body import MessageBody
from app.chat.body_selection import BodySelection
from app.chat.logic.body_text import TurnMemory
from app.chat.logic.turn_words import PrefillClock, ending_text, progress_text, thinking_title
from app.chat.message_editor import MessageEditor
from app.chat.remark import Remark
from app.chat.settled import settled_height
from app.core.session.fork import Fork
from app.core.session.records import Turn, TurnState
from app.core.words.remarks import miss_text
from app.core.words.stats_line import (
    figures_text,
    speed_text,
    stats_detail,
    wrapping_by_figure,
)
from app.core.words.tr import tr
from app.ui import theme
from app.ui.icons import icon
from app.ui.key_hints import KeyTip
from app.ui.widgets import CopyButton, IconButton, label, set_tip

# A sentence ends before a space or a line break; in Chinese and Japanese at its full stop.
_END = re.compile(r"[.!?:…][\"”’)*]*(?=\s)|[。！？]|\n")
# Height shown of an unfolded text until its visible span is known.
_FIRST_PX = 1500
_DROPPED = tr(
    "The model's template leaves this reasoning out of the next prompt. The "
    "model will not see it again; the answer below it stays."
)


class ThinkingFold(QWidget):
    """A header that shows how long thinking took, with the reasoning below it on demand.

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
        """Switch to the reasoning of another turn."""
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
        """Show the title, or a shorter one if Qt would clip it."""
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


class Ending(QWidget):
    """Says how an answer ended, unless it finished normally.

    Attributes:
        words: the reason.
        button: continues the answer; shown if that is possible.

    Signals:
        continued: the button was pressed.
    """

    continued = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = label("", "faint")
        self.button = QPushButton(tr("Continue"))
        self.button.setProperty("kind", "small")
        KeyTip(self.button, tr("Let the model go on where the answer ends"), "continue")
        self.button.setAccessibleName(tr("Continue the answer"))
        self.button.clicked.connect(self.continued)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        row.addWidget(self.words)
        row.addWidget(self.button)
        row.addStretch(1)

    def show_turn(self, turn: Turn) -> None:
        ending = ending_text(turn)
        self.words.setText(ending)
        self.words.setVisible(bool(ending))
        self.button.setVisible(turn.unfinished)
        self.setVisible(bool(ending) or turn.unfinished)


def told_to(text: str, start: int) -> int:
    """The end of the last whole sentence after `start`; `start` if there is none."""
    end = start
    for found in _END.finditer(text, start):
        end = found.end()
    return end


class Announcer:
    """Announces one answer's new text; text from before it was watched is skipped."""

    def __init__(self, widget: QWidget) -> None:
        self._widget = widget
        self._announced: int | None = None

    def follow(self, text: str, *, finished: bool) -> None:
        """Announce what is new in an answer; all of the rest once it is finished."""
        if self._announced is None:
            if finished:
                return
            self._announced = 0
        end = len(text) if finished else told_to(text, self._announced)
        said = text[self._announced : end].strip()
        self._announced = None if finished else end
        if said:
            self._announce(said)

    def _announce(self, said: str) -> None:
        if QAccessible.isActive():
            event = QAccessibleAnnouncementEvent(self._widget, said)
            QAccessible.updateAccessibility(event)


_BEGINNING, _WAY_OUT = "That is more than a small demo model ", "open a real model"


def asks_for_a_real_model(answer: str) -> bool:
    """Whether an answer consists of the demo model's sentence about itself."""
    stripped = answer.strip()
    return stripped.startswith(_BEGINNING) and _WAY_OUT in stripped and len(stripped) < 200


class ModelChip(QPushButton):
    """Leads from the demo model's honest answer to opening a real model."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Open a real model…"), parent)
        self.setProperty("kind", "small")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Open a real model"))
        self.setToolTip(tr("This answer is from the small demo model; choose a real one"))

    def show_turn(self, turn: Turn) -> None:
        """Show the chip for a finished answer that says so."""
        self.setVisible(not turn.state.active and asks_for_a_real_model(turn.text))


class AnswerMessage(QWidget):
    """Shows an answer, streaming or finished.

    Attributes:
        turn: the turn shown.
        thinking: the folded reasoning.
        body: the text.
        ending: why it was cut off, if it was.
        chip: opens a real model, below the demo model's sentence about itself.
        stats: the line of figures.
        menu: opens the less common actions, `why` and `locate` among them.
        miss: what was read again, and why; None until there is such an answer.
        note: what the cache has saved; None unless it is told here.

    Signals:
        regenerate: turn id; the user asks for another answer.
        edited: (turn id, new text).
        continued: turn id; let the model continue the answer.
        forked: turn id; copy the branch up to here into a new conversation.
        explained: request; why did it take this long?
        stepped: to the sibling before (-1) or after (+1) it.
        located: turn id; show it in the cache.
        model_wanted: the user wants to open a real model.
        note_closed: the note was read, or led to the cache.
    """

    regenerate = Signal(int)
    edited = Signal(int, str)
    continued = Signal(int)
    forked = Signal(int)
    explained = Signal(int)
    stepped = Signal(int)
    located = Signal(int)
    model_wanted = Signal()
    note_closed = Signal()

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
        self.miss: Remark | None = None
        self.note: Remark | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        shown = (self.thinking, self._progress, self._bar, self.body, self._editor)
        for widget in (*shown, self.ending, self.chip, self._actions):
            column.addWidget(widget)
        self.show_turn(turn)

    def change_turn(self, turn: Turn, memory: TurnMemory) -> None:
        """Switch to another turn."""
        self._editor.hide()
        self._clock = PrefillClock()
        self._actions.say("")
        self.stats.setToolTip("")
        self.thinking.change_turn(memory)
        self.body.change_text(memory.text)
        self.show_turn(turn)

    def _action_row(self) -> ActionRow:
        """The figures, and the actions on the answer."""
        copy = CopyButton(lambda: self.turn.text, tr("Copy answer"))
        self._again = IconButton(
            "again",
            tr("Regenerate"),
            lambda: self.regenerate.emit(self.turn.id),
            command="regenerate",
            size=14,
        )
        edit = IconButton("edit", tr("Edit as a new version"), self.start_edit, size=14)
        self.menu = MoreButton()
        self.why = self.menu.add(tr("Why? Explain these figures"), self._ask_why)
        self.locate = self.menu.add(tr("Show in cache"), self._ask_where)
        self.menu.add(tr("Fork to a new conversation"), lambda: self.forked.emit(self.turn.id))
        row = ActionRow((copy, self._again, edit, self.menu), self, self.stats)
        row.stepped.connect(self.stepped)
        return row

    def _ask_why(self) -> None:
        if self.turn.request is not None:
            self.explained.emit(self.turn.request)

    def _ask_where(self) -> None:
        self.located.emit(self.turn.id)

    def lay_out(self, width: int) -> None:
        """Compute the height for a width before it is shown."""
        self.resize(width, self.height())
        self.body.lay_out(width)
        self._actions.fit(width)
        for remark in self._remarks:
            remark.fit(width)

    @property
    def _remarks(self) -> tuple[Remark, ...]:
        return tuple(one for one in (self.miss, self.note) if one is not None)

    @property
    def bodies(self) -> tuple[MessageBody, ...]:
        """Its bodies that may be taller than the view."""
        thought = (self.thinking.body,) if self.thinking.unfolded else ()
        return thought if self.editing else (*thought, self.body)

    def height_for(self, width: int) -> int:
        """The height it needs at a width, with all its layouts updated."""
        return settled_height(width, self.thinking.frame, self.thinking, *self._remarks, self)

    def fields(self) -> dict[int, QTextEdit]:
        """The text widgets of the answer by part, without the reasoning above it."""
        return self.body.fields()

    def unfold(self) -> None:
        """Does nothing: an answer is always shown in full."""

    def set_busy(self, busy: bool) -> None:
        self._again.setEnabled(not busy)
        self.ending.button.setEnabled(not busy)

    def show_fork(self, fork: Fork | None) -> None:
        """Show its position among its siblings."""
        self._actions.show_fork(fork)

    def reveal(self, *, near: bool, last: bool) -> None:
        """Show what is out of sight at rest; see ActionRow."""
        self._actions.reveal(near=near, last=last)

    def show_figures(self, on: bool) -> None:
        """Whether all figures show even at rest; call `lay_out` afterwards."""
        self._actions.show_figures(on)

    def show_note(self, text: str) -> None:
        """Tell what the cache has saved; "" takes the note away."""
        if text and self.note is None:
            self.note = self._add_remark(tr("See how"), note=True)
            self.note.setToolTip(tr("An estimate, from how fast this model has read prompts"))
            self.note.followed.connect(self.note_closed)
            self.note.followed.connect(self._ask_where)
            self.note.dismissed.connect(self.note_closed)
        if self.note is not None:
            self._show_remark(self.note, text)

    def focus_step(self, step: int) -> None:
        """Focus the arrow to a sibling."""
        self._actions.focus_step(step)

    @property
    def editing(self) -> bool:
        return self._editor.isVisibleTo(self)

    def start_edit(self) -> None:
        self.body.hide()
        self._actions.hide()
        self._editor.begin(self.turn.text)

    @property
    def unsaved(self) -> str | None:
        """The text in its editor; None if it is not being edited."""
        return self._editor.field.toPlainText() if self.editing else None

    def resume_edit(self, text: str) -> None:
        """Resume an edit, without taking the focus."""
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
        """Update to the turn's current state."""
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
        if not turn.state.active:
            self._show_figures(turn)
        elif self.miss is not None:
            self.miss.hide()

    def _show_figures(self, turn: Turn) -> None:
        """Show what a finished answer took, and what of it was a miss."""
        report = turn.report
        ours = report is not None and not report.plan.reported_by
        explainable = ours and turn.request is not None
        self.why.setVisible(explainable)
        if report is not None:
            whole = wrapping_by_figure(figures_text(report))
            most = wrapping_by_figure(figures_text(report, drafts=False))
            self._actions.say(wrapping_by_figure(speed_text(report)), whole, most)
            self.stats.setToolTip(stats_detail(report))
            self.stats.setAccessibleName(whole)
        else:
            edited = tr("edited by you") if turn.edited else ""
            self._actions.say(edited)
            self.stats.setAccessibleName(edited)
        self._actions.fit(self.width())
        miss = miss_text(report)
        if miss and self.miss is None:
            self.miss = self._add_remark(tr("Why?"))
            self.miss.link.setAccessibleName(tr("Why was this read again?"))
            self.miss.followed.connect(self._ask_why)
        if self.miss is not None:
            self.miss.link.setVisible(explainable)
            self._show_remark(self.miss, miss)

    def _add_remark(self, link: str, *, note: bool = False) -> Remark:
        """A remark above the actions; most answers have none."""
        made = Remark(link, self, note=note)
        column = self.layout()
        assert isinstance(column, QVBoxLayout)
        column.insertWidget(column.indexOf(self._actions), made)
        return made

    def _show_remark(self, remark: Remark, text: str) -> None:
        remark.say(text)
        remark.setVisible(bool(text))
        remark.fit(self.width())

    @property
    def selections(self) -> tuple[BodySelection, ...]:
        return (self.thinking.body.selection, self.body.selection)

    def _show_progress(self, turn: Turn) -> None:
        """Show its state until there is text; prefill progress as a bar."""
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
