"""Removing deleted conversations from the cache, and what the window says about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from app.core.session.changes import NOTHING, Changed, Noted, Outcome
from app.core.session.conversations import Conversations
from app.core.session.ownership import MOST_COMPARED, MOST_KEPT_BRANCHES, Beginning, kin, prompts
from app.core.session.records import Conversation, MessageTree
from app.core.words import format as fmt
from app.core.words.engine_words import said
from app.core.words.joining import in_turn, listed, more
from app.core.words.tr import tr
from engine.commands import Command, Forget
from engine.events import Forgotten
from engine.message import PromptOptions
from engine.net.client.connection import Connection

Stage = Literal["offered", "waiting", "running", "done"]


@dataclass(frozen=True, slots=True)
class Removal:
    """How far the last deletion has come."""

    conversation: int
    stage: Stage = "offered"


@dataclass(slots=True)
class Due:
    """A deleted conversation still to be removed from some models' caches.

    Attributes:
        models: their folders; None: the next one opened.
    """

    conversation: Conversation
    tree: MessageTree
    models: set[str] | None


@dataclass(slots=True)
class Removals:
    """Deleted conversations to be removed from the cache. In memory only: their text is deleted.

    Attributes:
        shown: the last deletion, until the user undoes it.
        always: remove from the cache without being asked.
        due: by conversation.
        running: conversation and model by the number of the command.
    """

    shown: Removal | None = None
    always: bool = False
    due: dict[int, Due] = field(default_factory=dict)
    running: dict[int, tuple[int, str]] = field(default_factory=dict)

    def offer(self, one: Conversation) -> None:
        """A conversation was deleted."""
        self.shown = Removal(one.id)

    def undone(self, conversation: int) -> None:
        """The conversation was restored: what is still cached stays."""
        self.due.pop(conversation, None)
        if self.shown is not None and self.shown.conversation == conversation:
            self.shown = None

    def ask(self, session: Conversations, one: Conversation, model: str) -> Outcome:
        """Remove a deleted conversation from the cache, now or when its model is open.

        model: folder of the one that is ready; "" if none is.
        """
        tree = session.tree_of(one)
        if not tree.turns:
            self._tell(one.id, "done")
            return Outcome.of(Changed.REMOVAL, Noted(UNREADABLE))
        written = {turn.model for turn in tree.turns.values() if turn.model}
        # The cache of an engine elsewhere is not ours to clear.
        wrote = {folder for folder in written if Connection.parse(folder) is None}
        # Without an answer the model that read it is unknown; the first one opened may have.
        self.due[one.id] = Due(one, tree, wrote | {model} if model else wrote or None)
        if model:
            return Outcome.of(Changed.REMOVAL, commands=(self._command(session, model, one.id),))
        self._tell(one.id, "waiting")
        return Outcome.of(Changed.REMOVAL, Noted(WAITS))

    def evict(self, session: Conversations, one: Conversation, model: str) -> Outcome:
        """Remove a conversation that stays from the open model's cache."""
        number = next(session.numbers)
        self.running[number] = (one.id, model)
        tree = session.tree_of(one)
        return Outcome.of(commands=(forget_command(session, one, tree, model, number),))

    def opened(self, session: Conversations, model: str) -> tuple[Command, ...]:
        """Commands that make a model that became ready forget what is due."""
        due = [n for n, one in self.due.items() if one.models is None or model in one.models]
        return tuple(self._command(session, model, number) for number in due)

    def lost(self) -> None:
        """The engine is gone: commands without an answer are due again."""
        for conversation, _ in self.running.values():
            self._tell(conversation, "waiting")
        self.running = {}

    def answered(self, event: Forgotten) -> Outcome:
        """The engine has removed it, or reports what it could not remove."""
        if event.number not in self.running:
            return NOTHING
        conversation, model = self.running.pop(event.number)
        due = self.due.pop(conversation, None)
        sentence = said(event.sentence) or freed(event.bytes, event.files)
        left = (due.models or set()) - {model} if due is not None else set()
        if due is not None and left:
            self.due[conversation] = Due(due.conversation, due.tree, left)
            sentence = in_turn(sentence, _elsewhere(left))
        self._tell(conversation, "done")
        return Outcome.of(Changed.REMOVAL, Noted(sentence))

    def _command(self, session: Conversations, model: str, conversation: int) -> Forget:
        due, number = self.due[conversation], next(session.numbers)
        self.running[number] = (conversation, model)
        self._tell(conversation, "running")
        return forget_command(session, due.conversation, due.tree, model, number)

    def _tell(self, conversation: int, stage: Stage) -> None:
        if self.shown is not None and self.shown.conversation == conversation:
            self.shown = Removal(conversation, stage)


UNREADABLE = tr("Its messages cannot be read, so its cache stays; Cache > Clear cache removes all.")
WAITS = tr(
    "It is evicted from the cache when its model is opened, if that is before Biplane closes."
)


def freed(count: int, files: int) -> str:
    """What was removed, as a sentence."""
    if not count and not files:
        return tr("Nothing of it was left in the cache.")
    named = more(fmt.plural(files, "file")) if files else ""
    # A number and its unit stay on one line.
    figures = f"{fmt.byte_size(count)}{named}".replace(" ", "\u00a0").replace(",\u00a0", ", ")
    return tr("Evicted from the cache: {figures}.").format(figures=figures)


def _elsewhere(models: set[str]) -> str:
    names = listed(sorted(folder.rstrip("/").rsplit("/", 1)[-1] for folder in models))
    return tr(
        "Open {names} before closing Biplane to evict it from the files of that model, too."
    ).format(names=names)


def forget_command(
    session: Conversations, one: Conversation, tree: MessageTree, model: str, number: int
) -> Forget:
    """The command to remove a conversation from the cache, without what others share with it."""
    others = {other.id: other for other in session.conversations if other.id != one.id}
    firsts = session.read_firsts()
    mine = Beginning(one.id, one.system, _firsts(tree))
    known = (
        Beginning(o.id, o.system, _firsts(o.tree) if o.loaded else firsts.get(o.id, ()))
        for o in others.values()
        if not o.empty
    )
    kept = [
        prompt
        for other in kin(mine, known)
        for prompt in prompts(
            others[other], session.tree_of(others[other]), model, MOST_KEPT_BRANCHES
        )
    ]
    return Forget(
        number,
        prompts(one, tree, model),
        tuple(kept),
        PromptOptions(thinking=one.thinking),
        owner=one.id,
    )


def _firsts(tree: MessageTree) -> tuple[str, ...]:
    return tuple(turn.text[:MOST_COMPARED] for turn in tree.children(None))
