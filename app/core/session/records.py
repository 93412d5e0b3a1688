"""The records of a session: turns, conversations and the engine's state."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Literal

from app.core.session.attachments import Attachment, parted
from app.core.words.tr import tr
from engine.events import ModelInfo, StopReason
from engine.message import Message
from engine.net.client.connection import Connection
from engine.reuse import ReusePlan, ReuseReport

Role = Literal["user", "assistant", "error"]
# Where a model is: a folder here, or a server elsewhere.
Place = Path | Connection
UNTITLED = tr("New conversation")
NO_MODEL = tr("No model is open. Choose one with File > Open model.")
_TITLE_LENGTH = 48
_BUNDLED = ("assets", "demo_model")


class TurnState(Enum):
    """The progress of an answer. User turns and errors are always DONE.

    INTERRUPTED: the program ended in the middle of it.
    """

    WAITING = "waiting"
    QUEUED = "queued"
    READING = "reading"
    THINKING = "thinking"
    WRITING = "writing"
    DONE = "done"
    STOPPED = "stopped"
    INTERRUPTED = "interrupted"

    @property
    def active(self) -> bool:
        return self not in (TurnState.DONE, TurnState.STOPPED, TurnState.INTERRUPTED)


@dataclass(slots=True)
class Turn:
    """One message on screen.

    Attributes:
        text, thinking: the content so far.
        parent: the turn before it; None for the first one and for errors.
        token_ids: of a finished answer, passed back with the next prompt (faithful tokens).
        model: folder of the model that wrote it: to another one its ids mean nothing.
        request: the request that writes it; None for a user turn.
        ahead: requests that run before it, while QUEUED.
        done, total: prompt tokens run of those to run, while READING.
        tokens: generated so far, including thinking.
        carried: tokens it had before it was continued.
        edited: the user wrote this answer.
        thinking_tokens, thinking_s: of the thinking alone.
        thinking_since: time of its first piece, in seconds on the engine's clock.
        dropped: the open model's template leaves its thinking out of the next prompt.
        created: seconds since 1970.
    """

    id: int
    role: Role
    text: str = ""
    thinking: str = ""
    token_ids: tuple[int, ...] = ()
    model: str = ""
    request: int | None = None
    state: TurnState = TurnState.DONE
    ahead: int = 0
    done: int = 0
    total: int = 0
    tokens: int = 0
    thinking_tokens: int = 0
    thinking_s: float = 0.0
    thinking_since: float | None = None
    plan: ReusePlan | None = None
    report: ReuseReport | None = None
    stop: StopReason | None = None
    dropped: bool = False
    created: float = field(default_factory=time.time)
    parent: int | None = None
    carried: int = 0
    edited: bool = False

    @property
    def is_answer(self) -> bool:
        return self.role == "assistant"

    @property
    def unfinished(self) -> bool:
        """Whether an answer broke off, or is the user's wording, so that the model may go on."""
        if not self.is_answer or self.state.active or not (self.text or self.thinking):
            return False
        broke_off = self.state is not TurnState.DONE or self.stop == "length"
        return broke_off or self.edited

    @property
    def generated(self) -> int:
        """Tokens that its last request generated."""
        return self.tokens - self.carried

    def copied(self, number: int, parent: int | None) -> Turn:
        """The same turn in another place; no request writes it."""
        return replace(self, id=number, parent=parent, request=None)


@dataclass(frozen=True, slots=True)
class Queued:
    """A whole message, its files included, that is sent once the answer before it is there."""

    id: int
    text: str


@dataclass(slots=True)
class MessageTree:
    """Every kept turn of a conversation, whichever branch is on screen.

    It has the shape of the radix tree: two branches share the prompt up to their common parent.

    Attributes:
        turns: by id, in the order of writing; a parent stands before its children.
    """

    turns: dict[int, Turn] = field(default_factory=dict)
    _children: dict[int | None, list[int]] = field(default_factory=dict)
    # By parent, the child that was on screen last.
    _shown: dict[int | None, int] = field(default_factory=dict)

    @classmethod
    def of(cls, turns: Iterable[Turn]) -> MessageTree:
        tree = cls()
        for turn in turns:
            tree.add(turn)
        return tree

    def add(self, turn: Turn) -> None:
        """Add a turn below its parent, or replace the one of the same id."""
        if turn.id not in self.turns:
            self._children.setdefault(turn.parent, []).append(turn.id)
        self.turns[turn.id] = turn

    def remove(self, ids: Iterable[int]) -> None:
        """Remove turns that have no children left."""
        for one in ids:
            turn = self.turns.pop(one, None)
            if turn is not None:
                self._children[turn.parent].remove(one)
                self._shown = {p: child for p, child in self._shown.items() if child != one}

    def path(self, leaf: int | None) -> list[Turn]:
        """The branch that ends with `leaf`; damage that makes a loop or a gap ends it."""
        found: dict[int, Turn] = {}
        while leaf is not None and leaf in self.turns and leaf not in found:
            found[leaf] = self.turns[leaf]
            leaf = found[leaf].parent
        return list(found.values())[::-1]

    def show(self, leaf: int | None) -> list[Turn]:
        """The branch that ends with `leaf`, remembered as the one on screen."""
        path = self.path(leaf)
        self._shown |= {turn.parent: turn.id for turn in path}
        return path

    def children(self, turn: int | None) -> list[Turn]:
        """The turns that follow one, oldest first; None: the first turns."""
        return [self.turns[child] for child in self._children.get(turn, ())]

    def siblings(self, turn: int) -> list[Turn]:
        """A turn and its alternatives, oldest first; empty if it is not in the tree."""
        found = self.turns.get(turn)
        return self.children(found.parent) if found is not None else []

    def leaf_below(self, turn: int) -> int:
        """The end of the branch through a turn: the one on screen last, else the newest."""
        seen: set[int] = set()
        while turn not in seen and (below := self._children.get(turn)):
            seen.add(turn)
            shown = self._shown.get(turn)
            turn = shown if shown in below else below[-1]
        return turn

    def leaves(self) -> list[int]:
        """The ends of all branches."""
        return [turn for turn in self.turns if not self._children.get(turn)]


@dataclass(slots=True)
class Conversation:
    """A tree of turns, the branch of it that is on screen, and its settings.

    Attributes:
        named: the user gave the title; it no longer follows the first message.
        system: the system prompt, "" for none.
        thinking: whether the model is asked to think.
        draft: the text in the composer.
        files: those in the composer.
        queue: messages that wait for the running answer, the next one first.
        held: why they wait although no answer is running, "" if they do not.
        pinned: it stands before the others.
        created, updated: seconds since 1970; an answer updates it.
        sampling: its own sampling as a JSON object, "" for the defaults.
        system_draft: a system text that is not applied; None if there is none.
        model: folder of the model that it is with: that which answered last, or was chosen since.
        loaded: its turns are here; if not, they are in the store.
        leaf: the last turn in the store, as long as it is not loaded.
        turns: the branch on screen, and errors.
        tree: all turns but errors.
        answering: the answer that was asked for last.
    """

    id: int
    title: str = UNTITLED
    named: bool = False
    system: str = ""
    thinking: bool = False
    draft: str = ""
    pinned: bool = False
    created: float = field(default_factory=time.time)
    updated: float = field(default_factory=time.time)
    sampling: str = ""
    system_draft: str | None = None
    model: str = ""
    loaded: bool = True
    leaf: int | None = None
    turns: list[Turn] = field(default_factory=list)
    files: list[Attachment] = field(default_factory=list)
    queue: list[Queued] = field(default_factory=list)
    held: str = ""
    tree: MessageTree = field(default_factory=MessageTree)
    answering: Turn | None = None

    @property
    def empty(self) -> bool:
        """Nothing was ever said in it."""
        return not self.turns and self.leaf is None

    @property
    def running(self) -> Turn | None:
        """The answer that is being written or is waiting, on screen or on another branch."""
        answer = self.answering
        return answer if answer is not None and answer.state.active else None

    @property
    def last(self) -> Turn | None:
        """The end of the branch on screen."""
        return next((turn for turn in reversed(self.turns) if turn.role != "error"), None)

    def fits(self, folder: str) -> bool:
        """Whether the model in a folder is the one that the conversation is with, if any is."""
        if not self.model or not folder or self.model == folder:
            return True
        # The bundled one lies elsewhere in each installation.
        return all(Path(one).parts[-2:] == _BUNDLED for one in (self.model, folder))

    def show(self, leaf: int | None) -> None:
        """Put the branch that ends with a turn on screen."""
        self.turns = self.tree.show(leaf)

    def set_queue(self, queue: list[Queued]) -> None:
        """Let these messages wait; without any, nothing is held back."""
        self.queue = queue
        if not queue:
            self.held = ""

    def messages(self, model: str, turns: Iterable[Turn] | None = None) -> tuple[Message, ...]:
        """The conversation as the chat template sees it, without errors and empty answers.

        Args:
            model: folder of the model that will read it; ids of another one are left out.
            turns: of another branch than that on screen.
        """
        made = [Message("system", self.system)] if self.system.strip() else []
        for turn in self.turns if turns is None else turns:
            if turn.role == "user":
                made.append(Message("user", turn.text))
            elif turn.role == "assistant" and (turn.text or turn.thinking):
                ids = turn.token_ids if turn.model == model else ()
                made.append(Message("assistant", turn.text, thinking=turn.thinking, token_ids=ids))
        return tuple(made)

    def mark_thinking(self, model: ModelInfo | None) -> None:
        """Note whose thinking the next prompt will not contain."""
        drops = model is not None and model.drops_thinking
        for turn in self.tree.turns.values():
            thought = bool(turn.thinking) and not turn.thinking.isspace()
            turn.dropped = drops and thought and not turn.state.active

    def retitle(self) -> None:
        """Derive the title from the first user message, unless the user gave one."""
        if self.named or not self.loaded:
            return
        first = next((turn.text for turn in self.turns if turn.role == "user"), "")
        self.title = shorten(parted(first).title) or UNTITLED


def shorten(text: str) -> str:
    """The first line of a text, cut at a word boundary to fit a list row."""
    line = next((part.strip() for part in text.splitlines() if part.strip()), "")
    if len(line) <= _TITLE_LENGTH:
        return line
    cut = line[:_TITLE_LENGTH].rsplit(" ", 1)[0].rstrip(",.;:")
    return (cut or line[:_TITLE_LENGTH]) + "…"


class EnginePhase(Enum):
    NONE = "none"
    LOADING = "loading"
    READY = "ready"
    CLOSING = "closing"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class EngineState:
    """The state of the engine.

    Attributes:
        stage, fraction: while loading; fraction is None if unknown.
        total_bytes: of what it is the fraction; 0 if it is none of bytes.
        name: of the folder that is being opened; "" while none is.
        stopped: the model that was open when the engine failed; "" if none was.
        sentence: what to do, if it failed.
        elsewhere: it is, or was, to be on another computer or in another program.
    """

    phase: EnginePhase = EnginePhase.NONE
    model: ModelInfo | None = None
    stage: str = ""
    fraction: float | None = None
    sentence: str = ""
    total_bytes: int = 0
    name: str = ""
    stopped: str = ""
    elsewhere: bool = False

    @property
    def there(self) -> bool:
        """Whether an engine elsewhere is ready: its cache is not ours to draw."""
        return self.model is not None and bool(self.model.remote)

    @property
    def here(self) -> ModelInfo | None:
        """The model, if it is our own engine's: only of that the cache and layers are known."""
        return None if self.model is None or self.model.remote else self.model


@dataclass(frozen=True, slots=True)
class Coming:
    """A model that is being opened while another one is open.

    Attributes:
        name: of its folder.
        stage, fraction: its progress; fraction is None if unknown.
        total_bytes: of what it is the fraction; 0 if it is none of bytes.
    """

    name: str
    stage: str
    fraction: float | None = None
    total_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Refusal:
    """A model that could not replace the open one: its folder's name, and why."""

    name: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Preview:
    """What the text in the composer would reuse: the answer to a probe."""

    conversation: int
    plan: ReusePlan
