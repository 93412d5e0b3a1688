"""Finds a text in the conversation on screen, highlights it and steps through the hits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from time import perf_counter

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit

from app.chat.find_bar import FindBar, Found, Hit, Hits, Likely, Wanted, find_hits, occurrences
from app.chat.logic.markdown_stream import Block
from app.chat.prose import ProseView
from app.chat.rendered import block_text, turn_blocks
from app.chat.view import ChatView
from app.core.session.records import Conversation, Turn
from app.ui import theme

# Interval for searching a streaming answer again.
_AGAIN_MS = 300
# Time slice of a frame.
_SLICE_S = 0.012
_FOUND_ALPHA = 0.28


class Finding(QObject):
    """Connects the bar with the messages.

    Attributes:
        hits: all of them, in reading order.
        at: the index of the current one; -1 without any.
    """

    def __init__(self, bar: FindBar, view: ChatView) -> None:
        super().__init__(view)
        self.hits = Hits()
        self.at = -1
        self._bar, self._view = bar, view
        self._conversation: Conversation | None = None
        # Caches: the parts of turns with the source they were split from, and the text of parts.
        self._split: dict[int, tuple[str, Sequence[Block]]] = {}
        self._read: dict[Block, str] = {}
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(_AGAIN_MS)
        self._again.timeout.connect(self.search)
        self._work: Iterator[Found | None] = iter(())
        self._found = Hits()
        self._goal = Hit(0, -1, 0, 0)
        # Searched in place of the bar's text, until the user changes that.
        self._words: tuple[str, ...] = ()
        self._fresh = True
        self._slice = QTimer(self)
        self._slice.setSingleShot(True)
        self._slice.setInterval(0)
        self._slice.timeout.connect(self._search_on)
        bar.changed.connect(self._changed)
        bar.stepped.connect(self.step)
        bar.closed.connect(self.close)
        view.filled.connect(self._mark_new)
        bar.hide()

    @property
    def searching(self) -> bool:
        """Whether the search is still running."""
        return self._slice.isActive()

    @property
    def active(self) -> bool:
        return not self._bar.isHidden()

    def open(self, text: str = "") -> None:
        """Show the bar, with a text to find if one is given."""
        self._bar.show()
        field = self._bar.field
        if text:
            field.setText(text)
        field.setFocus()
        field.selectAll()
        self._start()

    def show_words(self, turn: int, text: str, words: Sequence[str]) -> None:
        """Highlight each of some words everywhere, and go to the first one in a turn.

        text: shown in the bar for them.
        """
        field = self._bar.field
        field.blockSignals(True)
        field.setText(text)
        field.blockSignals(False)
        self._words = tuple(words)
        self._bar.show()
        self._begin(Hit(self._place(turn), -1, 0, 0), fresh=True)

    def close(self) -> None:
        """Hide the bar and the highlights; the scroll position stays."""
        self._bar.hide()
        self._again.stop()
        self._slice.stop()
        self.hits, self.at, self._words = Hits(), -1, ()
        self._forget()
        self._mark()

    def show_conversation(self, conversation: Conversation) -> None:
        """Update after the conversation on screen, or its turns, changed."""
        changed = self._conversation is None or conversation.id != self._conversation.id
        self._conversation = conversation
        if self.active:
            if changed:
                self._forget()
                self.at = -1
            self.search()

    def text_changed(self) -> None:
        """Update after the text of a turn changed."""
        if self.active and not self._again.isActive():
            self._again.start()

    def search(self) -> None:
        """Search again, keeping the current hit."""
        self._begin(self.hits[self.at] if self.at >= 0 else self._reading(), fresh=False)

    def step(self, forward: bool) -> None:
        """Go to the next or previous hit, wrapping around."""
        if self.hits:
            self.at = (self.at + (1 if forward else -1)) % len(self.hits)
            self._show()
            self._reveal()

    def restyle(self) -> None:
        self._mark()

    @property
    def _wanted(self) -> Wanted:
        return self._words or self._bar.field.text()

    def _changed(self) -> None:
        self._words = ()
        if self.active:
            self._start()

    def _start(self) -> None:
        """Search for a changed text, from the first hit after the reading position."""
        # Restart at the part's first hit: a text growing as it is typed must not move on.
        stood = replace(self.hits[self.at], number=0) if self.at >= 0 else None
        self._begin(stood or self._reading(), fresh=True)

    def _begin(self, goal: Hit, *, fresh: bool) -> None:
        """Search for the bar's text. `goal`: select the hit there, or the next one.

        `fresh`: the text is a new one, so go to the hit, and show hits as they are found.
        """
        turns = self._conversation.turns if self._conversation is not None else []
        self._work = find_hits(turns, self._wanted, self._texts)
        self._found, self._goal, self._fresh = Hits(), goal, fresh
        if fresh:
            self.hits, self.at = self._found, -1
        self._search_on()

    def _search_on(self) -> None:
        """Search for part of a frame, and schedule the rest for the next one."""
        until = perf_counter() + _SLICE_S
        for found in self._work:
            if found is not None:
                self._found.add(found)
            if perf_counter() > until:
                self._slice.start()
                if self._fresh and self.at < 0:
                    self._arrive(done=False)
                self._bar.show_count(self.at, len(self.hits))
                return
        self._slice.stop()
        self._arrive(done=True)

    def _arrive(self, *, done: bool) -> None:
        """Select the first hit from the goal on; if there is none, the last or the first."""
        at = self._found.first_from(self._goal)
        if at == len(self._found) and not done:
            return
        was = self.at
        self.hits = self._found
        if not self._fresh:
            self.at = min(at, len(self.hits) - 1)
        elif was < 0:
            self.at = at if at < len(self.hits) else min(0, len(self.hits) - 1)
        self._show()
        if self._fresh and was < 0:
            self._reveal()

    def _reading(self) -> Hit:
        """A place before every hit of the uppermost turn on screen."""
        return Hit(self._place(self._view.first_on_screen()), -1, 0, 0)

    def _place(self, turn: int | None) -> int:
        turns = self._conversation.turns if self._conversation is not None else []
        return next((i for i, t in enumerate(turns) if t.id == turn), 0)

    def _texts(self, turn: Turn, likely: Likely) -> Iterator[str | None]:
        """The text of a turn by part; None for parts without one of the words."""
        for block in self._blocks(turn):
            if not likely(block.text):
                yield None
                continue
            if block not in self._read:
                self._read[block] = block_text(block, markdown=turn.is_answer)
            yield self._read[block]

    def _blocks(self, turn: Turn) -> Sequence[Block]:
        shown = self._view.column.blocks(turn)
        if shown is not None:
            return shown
        known = self._split.get(turn.id)
        if known is None or known[0] != turn.text:
            known = self._split[turn.id] = turn.text, turn_blocks(turn)
        return known[1]

    def _forget(self) -> None:
        self._split.clear()
        self._read.clear()

    def _show(self) -> None:
        self._bar.show_count(self.at, len(self.hits))
        self._mark()

    def _mark_new(self) -> None:
        if self.active and self.hits:
            self._mark()

    def _mark(self) -> None:
        """Highlight every hit near the viewport, the current one more strongly."""
        current = self.hits[self.at] if 0 <= self.at < len(self.hits) else None
        wanted = self._wanted if self.hits else ""
        for turn, widget in self._view.widgets.items():
            for part, field in widget.fields().items():
                here = current is not None and (current.turn, current.part) == (turn, part)
                number = current.number if current is not None and here else -1
                cursors = _cursors(field, wanted)
                marks = [_mark(cursor, n == number) for n, cursor in enumerate(cursors)]
                if marks or field.extraSelections():
                    field.setExtraSelections(marks)

    def _reveal(self) -> None:
        """Scroll to the current hit."""
        if not 0 <= self.at < len(self.hits):
            return
        hit = self.hits[self.at]
        field = self._view.reveal(hit.turn, hit.part)
        if field is not None:
            cursors = _cursors(field, self._wanted)
            if hit.number < len(cursors):
                self._mark()
                self._view.aim(field, cursors[hit.number])


def _cursors(field: QTextEdit, wanted: Wanted) -> list[QTextCursor]:
    """Cursors for the occurrences of a text in a field."""
    made: list[QTextCursor] = []
    for start, end in occurrences(field.toPlainText(), wanted) if wanted else ():
        if isinstance(field, ProseView):
            made.append(field.found(start, end))
            continue
        cursor = QTextCursor(field.document())
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        made.append(cursor)
    return made


def _mark(cursor: QTextCursor, current: bool) -> QTextEdit.ExtraSelection:
    look = theme.current()
    made = QTextEdit.ExtraSelection()
    made.cursor = cursor
    shape = QTextCharFormat()
    if current:
        shape.setBackground(look.colour("accent"))
        shape.setForeground(look.colour("on_accent"))
    else:
        shape.setBackground(look.colour("accent", _FOUND_ALPHA))
    made.format = shape
    return made
