"""The session: conversations, what is running, and the user's actions. No Qt, no threads.

Actions return an `Outcome`: what to refresh and what to ask of the engine. Events are applied by
`app.session.reducer`.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from app.session.changes import (
    NOTHING,
    Change,
    ConversationsChanged,
    DraftReturned,
    Noted,
    Outcome,
    PreviewChanged,
    SettingsChanged,
    TurnChanged,
    TurnsChanged,
    TurnsDropped,
)
from app.session.event_log import EventLog
from app.session.presets import Presets
from app.session.rate import RateMeter
from app.session.records import (
    NO_MODEL,
    Coming,
    Conversation,
    EnginePhase,
    EngineState,
    Preview,
    Refusal,
    Turn,
    TurnState,
)
from app.session.settings import Overrides, effective, merged
from app.session.weighing import Weighing
from engine.commands import Cancel, Probe, StopVerify, Submit, VerifyNode
from engine.config import Sampling
from engine.events import NodeText
from engine.message import Message, PromptOptions
from engine.reuse import ReusePlan
from engine.snapshot import CacheSnapshot


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a request changed in its conversation, so that a failure can undo it.

    Attributes:
        turns: of the conversation before the attempt.
        draft: the text to give back to the composer.
    """

    conversation: int
    turns: tuple[Turn, ...]
    draft: str


@dataclass(slots=True)
class Session:
    """Everything the window shows.

    Attributes:
        sampling: the defaults: the model's, overridden by `given`.
        given: options of the start.
        conversations: pinned ones first, then the one updated last.
        current: the conversation on screen; there is always one.
        numbers: unused ids, for conversations, turns, requests and probes alike.
        read_turns: the turns of a conversation that is not loaded.
        clock: seconds since 1970.
        waiting: submits held back until a model is ready.
        snapshot: the cache, None until one arrived.
        plan: of the last request that started.
        node_text: the last answer to DescribeNode.
        preview: what the composer's text would reuse.
        gauged: what the conversation on screen would reuse without that text.
        returned: drafts given back by failed requests, by conversation.
        log: the engine's notices and the evictions.
        deleted: the last deleted conversation and its place.
        verifying: nodes whose checkpoints the user wants verified, without a verdict yet.
        coming: a model that is being opened while another one is open.
        refused: one that could not be opened while another one is open.
        recording: a trace is being written.
        previous: name of the last usable model, "" for none.
        weighing: the system text whose cost was asked for last.
    """

    sampling: Sampling = field(default_factory=Sampling)
    given: Overrides = field(default_factory=dict)
    presets: Presets = field(default_factory=Presets)
    weighing: Weighing | None = None
    conversations: list[Conversation] = field(default_factory=list)
    current: Conversation = field(init=False)
    engine: EngineState = field(default_factory=EngineState)
    snapshot: CacheSnapshot | None = None
    plan: ReusePlan | None = None
    node_text: NodeText | None = None
    preview: Preview | None = None
    rate: RateMeter = field(default_factory=RateMeter)
    waiting: list[Submit] = field(default_factory=list)
    attempts: dict[int, Attempt] = field(default_factory=dict)
    returned: dict[int, str] = field(default_factory=dict)
    log: EventLog = field(default_factory=EventLog)
    deleted: tuple[int, Conversation] | None = None
    coming: Coming | None = None
    refused: Refusal | None = None
    recording: bool = False
    previous: str = ""
    probes: dict[int, int] = field(default_factory=dict)
    gauged: Preview | None = None
    gauging: int | None = None
    verifying: set[int] = field(default_factory=set)
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    read_turns: Callable[[Conversation], list[Turn]] = lambda _: []
    clock: Callable[[], float] = time.time

    def __post_init__(self) -> None:
        self.sampling = merged(self.sampling, self.given)
        self.current = self._made()
        self.conversations.append(self.current)

    @property
    def model_folder(self) -> str:
        """Of the model that is ready; "" if none is."""
        return self.engine.model.folder if self.engine.model is not None else ""

    # Conversations

    def new_conversation(self) -> Outcome:
        """Open an empty conversation; an existing empty one is reused."""
        unnamed = (c for c in self.conversations if c.empty and not c.named and not c.pinned)
        empty = next(unnamed, None)
        if empty is None:
            empty = self._made(thinking=self.current.thinking)
            self.conversations.insert(0, empty)
        self._arrange()
        return self._show(empty)

    def adopt(self, conversations: list[Conversation], current: int | None) -> Outcome:
        """Begin with conversations of earlier runs; without `current` an empty one is shown."""
        found = next((c for c in conversations if c.id == current), None)
        if found is not None:
            self.conversations = []
        self.conversations += conversations
        self._arrange()
        return self._show(found or self.current)

    def select(self, conversation: int) -> Outcome:
        if conversation == self.current.id:
            return NOTHING
        return self._show(self.conversation(conversation))

    def rename(self, conversation: int, title: str) -> Outcome:
        """Give a conversation a title; an empty title restores the automatic one."""
        found = self.conversation(conversation)
        found.named = bool(title.strip())
        found.title = title.strip()
        found.retitle()
        return Outcome.of(ConversationsChanged())

    def pin(self, conversation: int, on: bool) -> Outcome:
        """Let a conversation stand before the others, or no longer."""
        self.conversation(conversation).pinned = on
        self._arrange()
        return Outcome.of(ConversationsChanged())

    def delete(self, conversation: int) -> Outcome:
        """Delete a conversation and stop its running answer."""
        found = self.conversation(conversation)
        stopped = self._cancel(found)
        at = self.conversations.index(found)
        self.conversations.remove(found)
        if not found.empty:
            self.deleted = (at, found)
        for request in [r for r, a in self.attempts.items() if a.conversation == found.id]:
            del self.attempts[request]
        self.returned.pop(found.id, None)
        if not self.conversations:
            self.conversations.append(self._made())
        if found is self.current:
            left = self.conversations[min(at, len(self.conversations) - 1)]
            return stopped | self._show(left)
        return stopped | Outcome.of(ConversationsChanged())

    def restore(self) -> Outcome:
        """Restore the last deleted conversation."""
        if self.deleted is None:
            return NOTHING
        (at, found), self.deleted = self.deleted, None
        for turn in found.turns:
            if turn.state.active:
                turn.state = TurnState.STOPPED
        self.conversations.insert(at, found)
        self._arrange()
        return self._show(found)

    def conversation(self, number: int) -> Conversation:
        return next(c for c in self.conversations if c.id == number)

    def set_thinking(self, on: bool) -> Outcome:
        self.current.thinking = on
        return Outcome.of(SettingsChanged(self.current.id))

    def keep_draft(self, text: str) -> Outcome:
        """Keep the text in the composer."""
        if text == self.current.draft:
            return NOTHING
        self.current.draft = text
        return Outcome.of(SettingsChanged(self.current.id))

    def set_system(self, text: str) -> Outcome:
        """Set the system prompt, which applies from the next message."""
        self.current.system = text.strip()
        return Outcome.of(ConversationsChanged())

    def _show(self, conversation: Conversation) -> Outcome:
        self.current = conversation
        self.preview = self.gauged = self.gauging = None
        if not conversation.loaded:
            conversation.turns = self.read_turns(conversation)
        return Outcome.of(ConversationsChanged(), TurnsChanged(conversation.id), PreviewChanged())

    def _made(self, *, thinking: bool = False) -> Conversation:
        now = self.clock()
        return Conversation(next(self.numbers), thinking=thinking, created=now, updated=now)

    def _arrange(self) -> None:
        self.conversations.sort(key=lambda c: (not c.pinned, -c.updated))

    def touch(self, conversation: Conversation) -> None:
        """Something was said in a conversation."""
        conversation.updated = self.clock()
        self._arrange()

    # Asking

    def send(self, text: str) -> Outcome:
        """Add a user message and ask for the answer."""
        if not text.strip() or self.current.running is not None:
            return NOTHING
        return self._ask(list(self.current.turns), text.strip(), draft=text)

    def regenerate(self) -> Outcome:
        """Regenerate the answer to the last user message."""
        turns = self.current.turns
        at = _last_user(turns)
        if at is None or self.current.running is not None:
            return NOTHING
        return self._ask(turns[:at], turns[at].text, draft="", keep=turns[at])

    def edit(self, turn: int, text: str) -> Outcome:
        """Replace a user message, drop everything after it, and ask again."""
        turns = self.current.turns
        at = next((i for i, t in enumerate(turns) if t.id == turn and t.role == "user"), None)
        if at is None or not text.strip() or self.current.running is not None:
            return NOTHING
        return self._ask(turns[:at], text.strip(), draft=text)

    def _ask(
        self, before: list[Turn], text: str, *, draft: str, keep: Turn | None = None
    ) -> Outcome:
        conversation = self.current
        # If its turns could not be read, what is said now is all there is.
        conversation.loaded = True
        request = next(self.numbers)
        attempt = Attempt(conversation.id, tuple(conversation.turns), draft)
        asked = keep or Turn(next(self.numbers), "user", text)
        conversation.turns = [*(turn for turn in before if turn.role != "error"), asked]
        submit = Submit(
            request,
            conversation.messages(self.model_folder),
            effective(self.sampling, conversation),
            PromptOptions(thinking=conversation.thinking),
        )
        answer = Turn(next(self.numbers), "assistant", request=request, state=TurnState.WAITING)
        conversation.turns.append(answer)
        conversation.retitle()
        self.touch(conversation)
        conversation.draft = ""
        self.attempts[request] = attempt
        self.preview = self.gauged = self.gauging = None
        changes: tuple[Change, ...] = (
            ConversationsChanged(),
            TurnsChanged(conversation.id),
            PreviewChanged(),
        )
        if self.engine.phase is EnginePhase.READY:
            return Outcome.of(*changes, commands=(submit,))
        if self.engine.phase in (EnginePhase.FAILED, EnginePhase.NONE):
            sentence = self.engine.sentence or NO_MODEL
            return Outcome.of(*changes) | self.fail(request, sentence)
        self.waiting.append(submit)
        return Outcome.of(*changes)

    def stop(self) -> Outcome:
        """Stop the answer of the current conversation; its text so far stays.

        If there is none, stop the running verification.
        """
        if self.current.running is None and self.verifying:
            return Outcome.of(commands=(StopVerify(),))
        return self._cancel(self.current)

    @property
    def can_stop(self) -> bool:
        """Whether `stop` has something to do."""
        return self.current.running is not None or bool(self.verifying)

    def verify(self, node: int) -> Outcome:
        """Verify the checkpoint of a node against a cold run."""
        self.verifying.add(node)
        note = Noted("Verifying the checkpoint; Esc stops it.")
        return Outcome.of(note, commands=(VerifyNode(node),))

    def _cancel(self, conversation: Conversation) -> Outcome:
        turn = conversation.running
        if turn is None or turn.request is None:
            return NOTHING
        held = [submit for submit in self.waiting if submit.request == turn.request]
        if held:
            self.waiting.remove(held[0])
            self.attempts.pop(turn.request, None)
            turn.state = TurnState.STOPPED
            return Outcome.of(TurnChanged(conversation.id, turn.id), ConversationsChanged())
        return Outcome.of(commands=(Cancel(turn.request),))

    def probe(self, text: str) -> Outcome:
        """Ask what the composer's text would reuse, unless something is running."""
        conversation = self.current
        kept = self.keep_draft(text)
        if self.preview is not None and not text.strip():
            self.preview = None
            return kept | Outcome.of(PreviewChanged())
        if not text.strip() or self.busy or self.engine.phase is not EnginePhase.READY:
            return kept
        number = next(self.numbers)
        self.probes = {number: conversation.id}
        prompt = (*conversation.messages(self.model_folder), Message("user", text.strip()))
        options = PromptOptions(thinking=conversation.thinking)
        return kept | Outcome.of(commands=(Probe(number, prompt, options),))

    def gauge(self) -> Outcome:
        """Ask what the conversation as it stands would reuse, unless something is running."""
        messages = self.current.messages(self.model_folder)
        if not self.current.turns or self.busy or self.engine.phase is not EnginePhase.READY:
            return NOTHING
        self.gauging = next(self.numbers)
        # A question has to follow: what the template drops of an answer, it drops then.
        prompt = (*messages, Message("user", ""))
        options = PromptOptions(thinking=self.current.thinking)
        return Outcome.of(commands=(Probe(self.gauging, prompt, options),))

    @property
    def busy(self) -> bool:
        return any(c.running is not None for c in self.conversations)

    def find(self, request: int) -> tuple[Conversation, Turn] | None:
        """The answer that a request is writing, if it still exists."""
        for conversation in self.conversations:
            for turn in reversed(conversation.turns):
                if turn.request == request:
                    return conversation, turn
        return None

    def fail(self, request: int, sentence: str) -> Outcome:
        """A request failed: keep what it wrote, else undo it; report why."""
        found = self.find(request)
        attempt = self.attempts.pop(request, None)
        self.rate.stop()
        if found is None:
            return NOTHING
        conversation, turn = found
        error = Turn(next(self.numbers), "error", sentence)
        changes: set[Change] = {ConversationsChanged(), TurnsChanged(conversation.id)}
        if turn.text or turn.thinking or attempt is None:
            turn.state = TurnState.STOPPED
            conversation.turns.append(error)
            return Outcome(frozenset(changes))
        before = [t for t in attempt.turns if t.role != "error"]
        stay = {t.id for t in before}
        dropped = tuple(t.id for t in conversation.turns if t.id not in stay)
        changes.add(TurnsDropped(conversation.id, dropped))
        conversation.turns = [*before, error]
        conversation.retitle()
        if attempt.draft:
            self.returned[conversation.id] = attempt.draft
            conversation.draft = attempt.draft
            changes.add(DraftReturned(conversation.id))
        return Outcome(frozenset(changes))


def _last_user(turns: list[Turn]) -> int | None:
    return next((i for i in reversed(range(len(turns))) if turns[i].role == "user"), None)
