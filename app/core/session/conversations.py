"""The list of conversations, their order, and the one on screen."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from app.core.session.changes import NOTHING, Changed, Noted, Outcome
from app.core.session.forecast import Forecast
from app.core.session.names import copy_title
from app.core.session.recent import Recent
from app.core.session.records import Conversation, MessageTree, Turn
from app.core.words.context_words import left_out


@dataclass(slots=True)
class Conversations:
    """The conversations of a session; there is always one.

    Attributes:
        conversations: pinned ones first, then the one updated last.
        current: the conversation on screen.
        deleted: the last deleted conversation and its place.
        forecast: what prompts of the one on screen would reuse.
        numbers: unused ids, for conversations, turns, requests and probes alike.
        read_turns: loads all turns of a conversation that is not loaded yet.
        peek_turns: the same without loading it.
        read_firsts: the beginnings of all stored conversations' first messages.
        clock: seconds since 1970.
    """

    conversations: list[Conversation] = field(default_factory=list)
    current: Conversation = field(init=False)
    deleted: tuple[int, Conversation] | None = None
    forecast: Forecast = field(default_factory=Forecast)
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    read_turns: Callable[[Conversation], list[Turn]] = lambda _: []
    peek_turns: Callable[[Conversation], list[Turn]] = lambda _: []
    read_firsts: Callable[[], dict[int, tuple[str, ...]]] = dict
    clock: Callable[[], float] = time.time

    def __post_init__(self) -> None:
        self.current = self._made()
        self.conversations.append(self.current)

    def new_conversation(self) -> Outcome:
        """Open an empty conversation; an existing empty one is reused."""
        unnamed = (c for c in self.conversations if c.empty and not c.named and not c.pinned)
        empty = next(unnamed, None)
        if empty is None:
            empty = self._made(thinking=self.current.thinking)
            self.conversations.insert(0, empty)
        self._arrange()
        return self._open(empty)

    def adopt(self, conversations: list[Conversation], current: int | None) -> Outcome:
        """Begin with conversations of earlier runs; without `current` an empty one is shown."""
        found = next((c for c in conversations if c.id == current), None)
        if found is not None:
            self.conversations = []
        self.conversations += conversations
        self._arrange()
        return self._open(found or self.current)

    def select(self, conversation: int) -> Outcome:
        if conversation == self.current.id:
            return NOTHING
        return self._open(self.conversation(conversation))

    def rename(self, conversation: int, title: str) -> Outcome:
        """Give a conversation a title; an empty title restores the automatic one."""
        found = self.conversation(conversation)
        found.named = bool(title.strip())
        found.title = title.strip()
        found.retitle()
        return Outcome.of(Changed.CONVERSATIONS, Changed.SETTINGS.of(conversation))

    def pin(self, conversation: int, on: bool) -> Outcome:
        """Pin a conversation above the others, or unpin it."""
        self.conversation(conversation).pinned = on
        self._arrange()
        return Outcome.of(Changed.CONVERSATIONS, Changed.SETTINGS.of(conversation))

    def delete(self, conversation: int) -> Outcome:
        """Delete a conversation; the last one deleted can be restored."""
        found = self.conversation(conversation)
        # By identity: comparing thousands of conversations by value is slow.
        at = next(i for i, one in enumerate(self.conversations) if one is found)
        del self.conversations[at]
        if not found.empty:
            self.deleted = (at, found)
        if not self.conversations:
            self.conversations.append(self._made())
        if found is self.current:
            return self._open(self.conversations[min(at, len(self.conversations) - 1)])
        return Outcome.of(Changed.CONVERSATIONS)

    def restore(self) -> Outcome:
        """Restore the last deleted conversation."""
        if self.deleted is None:
            return NOTHING
        (at, found), self.deleted = self.deleted, None
        self.conversations.insert(at, found)
        self._arrange()
        return self._open(found)

    def fork(self, turn: int) -> Outcome:
        """Copy the branch on screen up to a turn into a conversation of its own.

        The cache holds that prefix already, so the copy is as warm as the original.
        """
        return self._copied(self.current.tree.path(turn), "fork")

    def continue_recent(self, recent: Recent) -> Outcome:
        """Continue the last messages of the branch on screen in a new conversation."""
        turns = [turn for turn in self.current.turns if turn.role != "error"]
        at = next((at for at, turn in enumerate(turns) if turn.id == recent.first), None)
        if at is None:
            return NOTHING
        title = self.current.title
        copied = self._copied(turns[at:], "continued")
        return copied | Outcome.of(Noted(left_out(at, title))) if copied.changes else NOTHING

    def _copied(self, path: Sequence[Turn], what: Literal["fork", "continued"]) -> Outcome:
        """Open a conversation with copied turns and the settings of the one on screen."""
        source = self.current
        if not path or path[-1].state.active:
            return NOTHING
        made = self._made(thinking=source.thinking)
        made.named = True
        made.title = copy_title(what, source.title, (one.title for one in self.conversations))
        made.system, made.sampling, made.model = source.system, source.sampling, source.model
        parent: int | None = None
        for original in path:
            copy = original.copied(next(self.numbers), parent)
            made.tree.add(copy)
            parent = copy.id
        made.show(parent)
        self.conversations.insert(0, made)
        self._arrange()
        return self._open(made)

    def show_sibling(self, turn: int, step: int) -> Outcome:
        """Switch to another branch: `step` siblings on from a turn of the branch on screen."""
        siblings = [sibling.id for sibling in self.current.tree.siblings(turn)]
        if turn not in siblings:
            return NOTHING
        at = siblings.index(turn) + step
        if not step or not 0 <= at < len(siblings):
            return NOTHING
        # Seek the sibling, not the branch's end: what one steps through must stay in view.
        return self._branch(siblings[at]) | Outcome.of(
            Changed.SOUGHT.of(self.current.id, siblings[at])
        )

    def show_message(self, conversation: int, message: int) -> Outcome:
        """Open a conversation on a message's branch, and scroll to the message."""
        outcome = self.select(conversation)
        current = self.current
        if current.id != conversation or message not in current.tree.turns:
            return outcome
        if all(turn.id != message for turn in current.turns):
            outcome |= self._branch(message)
        return outcome | Outcome.of(Changed.SOUGHT.of(conversation, message))

    def conversation(self, number: int) -> Conversation:
        found = self.known(number)
        assert found is not None
        return found

    def known(self, number: int) -> Conversation | None:
        """The conversation with an id; None if it was deleted."""
        # Checked first: it is usually this one, and there may be many.
        if self.current.id == number:
            return self.current
        return next((c for c in self.conversations if c.id == number), None)

    def tree_of(self, one: Conversation) -> MessageTree:
        """A conversation's messages; reads the turns without loading the conversation."""
        if one.loaded:
            return one.tree
        return MessageTree.of(turn for turn in self.peek_turns(one) if turn.role != "error")

    def set_thinking(self, on: bool) -> Outcome:
        self.current.thinking = on
        return Outcome.of(Changed.SETTINGS.of(self.current.id))

    def keep_draft(self, text: str) -> Outcome:
        """Keep the text in the composer."""
        if text == self.current.draft:
            return NOTHING
        self.current.draft = text
        return Outcome.of(Changed.SETTINGS.of(self.current.id))

    def set_system(self, text: str) -> Outcome:
        """Set the system prompt, which applies from the next message."""
        self.current.system = text.strip()
        return Outcome.of(Changed.CONVERSATIONS)

    def touch(self, conversation: Conversation) -> None:
        """Mark a conversation as updated now."""
        conversation.updated = self.clock()
        self._arrange()

    def _branch(self, turn: int) -> Outcome:
        current = self.current
        current.show(current.tree.leaf_below(turn))
        # The title follows the branch on screen.
        current.retitle()
        self.forecast.forget()
        told = Changed.TURNS.of(current.id), Changed.BRANCH.of(current.id), Changed.PREVIEW
        return Outcome.of(Changed.CONVERSATIONS, *told)

    def _open(self, conversation: Conversation) -> Outcome:
        self.current = conversation
        self.forecast.forget()
        if not conversation.loaded:
            turns = self.read_turns(conversation)
            conversation.tree = MessageTree.of(turn for turn in turns if turn.role != "error")
            conversation.show(conversation.leaf)
            conversation.turns += [turn for turn in turns if turn.role == "error"]
        return Outcome.of(Changed.CONVERSATIONS, Changed.TURNS.of(conversation.id), Changed.PREVIEW)

    def _made(self, *, thinking: bool = False) -> Conversation:
        now = self.clock()
        return Conversation(next(self.numbers), thinking=thinking, created=now, updated=now)

    def _arrange(self) -> None:
        # The same order as the store's.
        self.conversations.sort(key=lambda c: (not c.pinned, -c.updated, c.id))
