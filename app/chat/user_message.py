"""A user message: a bubble on the right, shortened if it is long, and its editor."""

from __future__ import annotations

from math import inf

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.chat.action_row import ActionRow, MoreButton
from app.chat.body import MessageBody
from app.chat.body_selection import BodySelection
from app.chat.file_chips import FileChips
from app.chat.logic.body_text import TurnMemory
from app.chat.logic.pasted import Shortened, shortened, unfolded, user_blocks
from app.chat.message_editor import MessageEditor
from app.chat.settled import settled_height
from app.core.session.attachments import joined, parted
from app.core.session.fork import Fork
from app.core.session.records import Turn
from app.core.words import format as fmt
from app.core.words.tr import tr
from app.ui.widgets import CopyButton, IconButton

_BUBBLE_PX = 14
# Height shown of an unfolded message until its visible span is known.
_FIRST_PX = 1500


class UserMessage(QWidget):
    """A user message, in a bubble on the right.

    Attributes:
        turn: the turn shown.
        body: the text, or its beginning.
        files: the attached ones.
        more: unfolds a long text.
        menu: opens the less common actions, such as `locate`.

    Signals:
        edited: (turn id, new text).
        stepped: to the sibling before (-1) or after (+1) it.
        located: turn id; show it in the cache.
    """

    edited = Signal(int, str)
    stepped = Signal(int)
    located = Signal(int)

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
        self.body = MessageBody(14, markdown=False, text=self._memory.text)
        self.body.setAccessibleName(tr("Your message"))
        self.files = FileChips(self._bubble, removable=False)
        self.files.opened.connect(self._toggle_whole)
        self.more = QPushButton(tr("Show all"))
        self.more.setProperty("kind", "small")
        self.more.setVisible(False)
        self.more.clicked.connect(self._toggle_whole)
        self._editor = MessageEditor(tr("Edit your message"), tr("Send"), "Enter")
        self._editor.saved.connect(self._save)
        self._editor.left.connect(self.cancel_edit)
        inner = QVBoxLayout(self._bubble)
        # Line spacing is added below each line, so the bottom margin is smaller.
        inner.setContentsMargins(_BUBBLE_PX, 12, _BUBBLE_PX, 7)
        inner.addWidget(self.files)
        inner.addWidget(self.body)
        inner.addWidget(self._editor)
        inner.addWidget(self.more, alignment=Qt.AlignmentFlag.AlignLeft)
        inner.setSpacing(6)
        self._edit_button = IconButton(
            "edit", tr("Edit and send as a new version"), self.start_edit, size=14
        )
        copy = CopyButton(lambda: self.turn.text, tr("Copy message"))
        self.menu = MoreButton()
        self.locate = self.menu.add(tr("Show in cache"), lambda: self.located.emit(self.turn.id))
        self._actions = ActionRow((self._edit_button, copy, self.menu), self)
        self._actions.stepped.connect(self.stepped)
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
        """Switch to another turn."""
        self._editor.hide()
        self._actions.show()
        self.turn, self._memory = turn, memory
        self._whole = memory.opened
        self.body.change_text(memory.text)
        self._show_text()

    def lay_out(self, width: int) -> None:
        """Compute the height for a width before it is shown."""
        self.resize(width, self.height())
        self._fit_bubble()
        self._actions.fit(width)

    @property
    def editing(self) -> bool:
        return self._editor.isVisibleTo(self)

    @property
    def bodies(self) -> tuple[MessageBody, ...]:
        """Its bodies that may be taller than the view."""
        return (self.body,) if self._long and not self.editing else ()

    @property
    def _long(self) -> bool:
        return self._whole and self._short is not None

    def height_for(self, width: int) -> int:
        """The height it needs at a width, with all its layouts updated."""
        return settled_height(width, self._bubble, self)

    def fields(self) -> dict[int, QTextEdit]:
        """The text widgets by part; none while it is shortened or being edited."""
        folded = not self._whole and self._short is not None
        return {} if self.editing or folded else self.body.fields()

    def unfold(self) -> None:
        """Show a shortened text in full."""
        if not self.editing and not self._whole:
            self._toggle_whole()

    def set_busy(self, busy: bool) -> None:
        self._edit_button.setEnabled(not busy)
        self._editor.set_ready(not busy)

    def show_fork(self, fork: Fork | None) -> None:
        """Show its position among its siblings."""
        self._actions.show_fork(fork)

    def reveal(self, *, near: bool, last: bool) -> None:
        """Show what is out of sight at rest; see ActionRow."""
        self._actions.reveal(near=near, last=last)

    def show_figures(self, on: bool) -> None:
        """Does nothing: it has no figures."""

    def focus_step(self, step: int) -> None:
        """Focus the arrow to a sibling."""
        self._actions.focus_step(step)

    def start_edit(self) -> None:
        self._make_way()
        self._editor.begin(parted(self.turn.text).text)
        self._fit_bubble()

    @property
    def unsaved(self) -> str | None:
        """The text in its editor; None if it is not being edited."""
        return self._editor.field.toPlainText() if self.editing else None

    def resume_edit(self, text: str) -> None:
        """Resume an edit, without taking the focus."""
        self._make_way()
        self._editor.resume(text)
        self._fit_bubble()

    def _make_way(self) -> None:
        """Hide all but the message's files while its editor is open."""
        self.files.show_files(parted(self.turn.text).files)
        self.body.hide()
        self.more.hide()
        self._actions.hide()

    def cancel_edit(self) -> None:
        if self.editing:
            self._editor.hide()
            self.body.show()
            self._actions.show()
            self._show_text()

    def _save(self, text: str) -> None:
        self.cancel_edit()
        # The files are kept.
        message = joined(parted(self.turn.text).files, text)
        if message:
            self.edited.emit(self.turn.id, message)

    def restyle(self) -> None:
        self.body.restyle()
        self.files.restyle()
        self._fit_bubble()

    def show_turn(self, turn: Turn) -> None:
        changed, self.turn = turn.text != self.turn.text, turn
        if changed and not self.editing:
            self._show_text()

    def _show_text(self) -> None:
        short = self._short = shortened(self.turn.text)
        self.more.setVisible(short is not None)
        if short is not None:
            lines = (
                tr("Show all {lines} lines").format(lines=fmt.count(short.lines))
                if short.lines > 1
                else tr("Show all")
            )
            self.more.setText(tr("Show less") if self._whole else lines)
        shown = unfolded(self.turn.text) if short is None or self._whole else short.text
        self.files.show_files(short.files if short is not None and not self._whole else ())
        if self._long:
            self.body.show_span(0, _FIRST_PX)
        if shown != self._memory.text.source:
            self._memory.text.source = shown
            self.body.show_blocks(user_blocks(shown))
        if not self._long:
            self.body.show_span(-inf, inf)
        self.body.setVisible(bool(shown.strip()))
        self._fit_bubble()

    def _toggle_whole(self) -> None:
        self._whole = self._memory.opened = not self._whole
        self._show_text()

    @property
    def selections(self) -> tuple[BodySelection, ...]:
        return (self.body.selection,)

    def _fit_bubble(self) -> None:
        room = max(120, int(self.width() * 0.85))
        if self.editing or self.more.isVisibleTo(self):
            wanted = room
        else:
            wanted = min(room, self.body.ideal_width() + 2 * _BUBBLE_PX + 2)
        self._bubble.setFixedWidth(wanted)
        self.body.lay_out(wanted - 2 * _BUBBLE_PX)
        self.files.lay_out(wanted - 2 * _BUBBLE_PX)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_bubble()
