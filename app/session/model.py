"""The session: conversations, what is running, and the user's actions. No Qt, no threads.

Actions return an `Outcome`: what to refresh and what to ask of the engine. Events are applied by
`app.session.reducer`; `app.session.probes` looks ahead.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace

from app.session import unsent
from app.session.acts import Acts
from app.session.applied import Applied
from app.session.cache_actions import remove_deleted
from app.session.changes import (
    NOTHING,
    ConversationsChanged,
    Outcome,
    PreviewChanged,
    RemovalChanged,
    SnapshotChanged,
    TurnChanged,
    TurnsChanged,
    TurnsDropped,
    UnsentChanged,
)
from app.session.conversations import Conversations
from app.session.counters import Counters
from app.session.event_log import EventLog
from app.session.lab import LabAnswers
from app.session.ledger import Ledger
from app.session.ownership import claim
from app.session.presets import Presets
from app.session.records import (
    NO_MODEL,
    Coming,
    Conversation,
    EnginePhase,
    EngineState,
    Refusal,
    Turn,
    TurnState,
)
from app.session.removal import Removals, tree_of
from app.session.served import Served
from app.session.settings import Overrides, effective
from app.session.weighing import Weighing
from app.store.load_times import LoadTimes
from engine.commands import Cancel, StopActs, StopVerify, Submit
from engine.config import Sampling
from engine.events import InvariantsChecked, NodeText
from engine.message import PromptOptions
from engine.snapshot import CacheSnapshot
from engine.trace.tape import Follower, Tape

# Older ones are hardly in the cache any more.
MOST_CLAIMED = 30
WINDOW_S = 1.0


class RateMeter:
    """Tokens per second over the last second of one request.

    Attributes:
        value: None before two readings.
    """

    def __init__(self) -> None:
        self.value: float | None = None
        self._request: int | None = None
        self._readings: deque[tuple[float, int]] = deque()
        self._mean: float | None = None

    def read(self, request: int, time: float, tokens: int) -> None:
        """Record how many tokens a request had generated at a time, in seconds."""
        if request != self._request:
            self._request = request
            self._readings.clear()
        self._readings.append((time, tokens))
        while len(self._readings) > 2 and time - self._readings[0][0] > WINDOW_S:
            self._readings.popleft()
        first_time, first_tokens = self._readings[0]
        if time > first_time:
            self.value = (tokens - first_tokens) / (time - first_time)

    def take(self) -> float | None:
        """For the plot: `value`, and once after each request its mean, however short it was."""
        mean, self._mean = self._mean, None
        return mean if self.value is None else self.value

    def stop(self, mean: float | None = None) -> None:
        """The request ended, at `mean` tokens per second overall."""
        self.value = None
        self._mean = mean
        self._request = None
        self._readings.clear()


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a request changed in its conversation, so that a failure can undo it.

    Attributes:
        leaf: the end of the branch that was on screen.
        made: turns that were added for it, each one after its parent.
        before: the answer that it continues, as it was.
        draft: the text to give back to the composer.
    """

    conversation: int
    leaf: int | None
    made: tuple[int, ...]
    before: Turn | None
    draft: str

    def restore(self, answer: Turn) -> None:
        """Let an answer that was continued be as it was."""
        if self.before is not None:
            for one in fields(Turn):
                setattr(answer, one.name, getattr(self.before, one.name))

    def undo(self, conversation: Conversation, answer: Turn) -> Outcome:
        """Leave the conversation as it was before the request; the draft is still to be given."""
        conversation.answering = None
        self.restore(answer)
        conversation.tree.remove(reversed(self.made))
        if not any(turn.model for turn in conversation.tree.turns.values()):
            # The model that was to answer first has not.
            conversation.model = ""
        conversation.show(self.leaf)
        conversation.retitle()
        return Outcome.of(TurnsDropped(conversation.id, self.made)) if self.made else NOTHING


@dataclass(slots=True)
class Claims:
    """Which conversations the engine was told of since the model was opened."""

    told: set[int] = field(default_factory=set)

    def restart(self) -> None:
        """Another engine knows nothing."""
        self.told = set()

    def next(self, session: Conversations, model: str) -> Outcome:
        """Tell of the conversation on screen, else of a recent one; NOTHING if all are known.

        model: folder of the one that is ready.
        """
        recent = sorted(session.conversations, key=lambda one: -one.updated)
        for one in (session.current, *recent[:MOST_CLAIMED]):
            if one.id in self.told or one.empty:
                continue
            self.told.add(one.id)
            tree = tree_of(session, one)
            last = one.last if one.loaded else None
            leaf = last.id if last is not None else one.leaf
            command = claim(one, tree, leaf, model)
            if command is not None:
                return Outcome.of(commands=(command,))
        return NOTHING


@dataclass(slots=True)
class Session(Conversations):
    """Everything the window shows.

    Attributes:
        sampling: the defaults: the model's, overridden by `given`.
        given: options of the start.
        waiting: submits held back until a model is ready, or the right one.
        attempts: requests that are not over, by their number.
        snapshot: the cache as it was looked at last; None before that.
        watched: any view of the cache is on screen, so that it is looked at whenever it changes.
        cache_clock: of the engine's caches, in seconds.
        node_text: the last answer to DescribeNode.
        returned: drafts given back by failed requests, by conversation.
        counting: files whose tokens are being counted, by the number of the question.
        log: the engine's notices and the evictions.
        lab: what the memory lab asked for, and the answers.
        ledger: what requests have run since the model was opened.
        removals: deleted conversations that are to leave the cache.
        served: the clients of the window's server.
        claims: whose prompts of earlier starts the engine knows.
        acts: what was done to the cache by hand.
        counters: of the engine elsewhere, if it is one.
        applied: settings of the cache that What if applied, by model.
        checked: how the invariants of the cache were when they were checked last.
        verifying: nodes whose checkpoints the user wants verified, without a verdict yet.
        coming: a model that is being opened while another one is open.
        refused: one that could not be opened while another one is open.
        follower: looks at the newest moment of everything that happened in the cache since the
            model was opened.
        astray: its tape does not fit what the engine tells; a new one was asked for.
        recording: a trace is being written.
        previous: name of the last usable model, "" for none.
        weighing: the system text whose cost was asked for last.
        choosing: the conversation in which the user asked for the model that is being opened.
        disk_bytes: that models may keep in files between two starts of the engine; 0 keeps none.
        load_times: how long models took to open.
    """

    sampling: Sampling = field(default_factory=Sampling)
    given: Overrides = field(default_factory=dict)
    presets: Presets = field(default_factory=Presets)
    weighing: Weighing | None = None
    engine: EngineState = field(default_factory=EngineState)
    snapshot: CacheSnapshot | None = None
    watched: bool = False
    cache_clock: Callable[[], float] = time.monotonic
    node_text: NodeText | None = None
    rate: RateMeter = field(default_factory=RateMeter)
    waiting: list[Submit] = field(default_factory=list)
    attempts: dict[int, Attempt] = field(default_factory=dict)
    returned: dict[int, str] = field(default_factory=dict)
    counting: dict[int, tuple[int, ...]] = field(default_factory=dict)
    log: EventLog = field(default_factory=EventLog)
    lab: LabAnswers = field(default_factory=LabAnswers)
    ledger: Ledger = field(default_factory=Ledger)
    coming: Coming | None = None
    refused: Refusal | None = None
    follower: Follower = field(default_factory=lambda: Follower(Tape()))
    astray: bool = False
    recording: bool = False
    previous: str = ""
    verifying: set[int] = field(default_factory=set)
    checked: InvariantsChecked | None = None
    removals: Removals = field(default_factory=Removals)
    served: Served = field(default_factory=Served)
    claims: Claims = field(default_factory=Claims)
    acts: Acts = field(default_factory=Acts)
    counters: Counters = field(default_factory=Counters)
    applied: Applied = field(default_factory=Applied)
    choosing: int | None = None
    disk_bytes: int = 0
    load_times: LoadTimes = field(default_factory=LoadTimes)

    @property
    def tape(self) -> Tape:
        """Everything that happened in the cache since the model was opened."""
        return self.follower.tape

    def follow(self, tape: Tape) -> None:
        """Follow another tape from its beginning."""
        self.follower, self.astray = Follower(tape, self.cache_clock), False

    def look(self) -> Outcome:
        """Look at the cache now, if its engine has told anything yet."""
        return self.see(self.follower.snapshot()) if len(self.tape) else NOTHING

    def see(self, snapshot: CacheSnapshot) -> Outcome:
        """A newer snapshot of the cache, whose evictions are logged."""
        before, self.snapshot = self.snapshot, snapshot
        self.log.add_evictions(snapshot, time.time(), before)
        return Outcome.of(SnapshotChanged())

    @property
    def model_folder(self) -> str:
        """Of the model that is ready; "" if none is."""
        return self.engine.model.folder if self.engine.model is not None else ""

    def delete(self, conversation: int) -> Outcome:
        """Delete a conversation and stop its running answer."""
        found = self.conversation(conversation)
        stopped = self._cancel(found)
        for request in [r for r, a in self.attempts.items() if a.conversation == found.id]:
            del self.attempts[request]
        self.returned.pop(found.id, None)
        outcome = stopped | Conversations.delete(self, conversation)
        if found.empty:
            return outcome
        self.removals.offer(found)
        if self.removals.always:
            outcome |= remove_deleted(self)
        return outcome | Outcome.of(RemovalChanged())

    def restore(self) -> Outcome:
        """Restore the last deleted conversation."""
        if self.deleted is None:
            return NOTHING
        self.removals.undone(self.deleted[1].id)
        self.claims.told.discard(self.deleted[1].id)
        return Conversations.restore(self) | Outcome.of(RemovalChanged())

    def _open(self, conversation: Conversation) -> Outcome:
        opened = Conversations._open(self, conversation)
        conversation.mark_thinking(self.engine.model)
        return opened

    # Asking

    def send(self, text: str) -> Outcome:
        """Add a user message to the branch on screen and ask for the answer.

        Nothing is left in the composer then.
        """
        current = self.current
        if not text.strip() or current.running is not None:
            return NOTHING
        current.draft, current.files = "", []
        last = current.last
        said = self.say(current, text, last.id if last is not None else None)
        return Outcome.of(UnsentChanged(current.id)) | said

    def edit(self, turn: int, text: str) -> Outcome:
        """Say something else in place of a user message: a branch beside it, and an answer."""
        found = self.current.tree.turns.get(turn)
        if found is None or found.role != "user" or not text.strip():
            return NOTHING
        return self.say(self.current, text, found.parent)

    def regenerate(self, turn: int | None = None) -> Outcome:
        """Ask for another answer beside one, or beside the last one of the branch on screen."""
        asked = self._question(turn)
        return self._ask(self.current, asked) if asked is not None else NOTHING

    def edit_answer(self, turn: int, text: str) -> Outcome:
        """Put the user's wording beside an answer; the conversation goes on from there."""
        current = self.current
        found = current.tree.turns.get(turn)
        if found is None or not found.is_answer or found.state.active or not text.strip():
            return NOTHING
        edited = replace(
            found.copied(next(self.numbers), found.parent),
            text=text.strip(),
            token_ids=(),
            state=TurnState.DONE,
            report=None,
            plan=None,
            stop=None,
            edited=True,
            created=self.clock(),
        )
        current.tree.add(edited)
        current.show(edited.id)
        self.touch(current)
        self.forecast.forget()
        return self._told(current)

    def continue_answer(self, turn: int | None = None) -> Outcome:
        """Let the model go on with an answer, or with the last one of the branch on screen.

        One that other messages follow is continued in a branch beside it.
        """
        current = self.current
        found = current.last if turn is None else current.tree.turns.get(turn)
        if found is None or not found.is_answer or current.running is not None:
            return NOTHING
        if not found.text and not found.thinking:
            return self.regenerate(found.id)
        if current.tree.children(found.id):
            found = found.copied(next(self.numbers), found.parent)
            return self._request(current, found, made=(found.id,), before=None)
        return self._request(current, found, made=(), before=replace(found))

    def _question(self, turn: int | None) -> Turn | None:
        """The user message before an answer, or the last one of the branch on screen."""
        tree = self.current.tree
        if turn is None:
            users = (t for t in reversed(self.current.turns) if t.role == "user")
            return next(users, None)
        found = tree.turns.get(turn)
        if found is None or found.role == "user":
            return found
        return tree.turns.get(found.parent) if found.parent is not None else None

    def say(self, conversation: Conversation, text: str, parent: int | None) -> Outcome:
        """Add a user message after a turn and ask for the answer, whatever the composer holds."""
        said = Turn(next(self.numbers), "user", text.strip(), created=self.clock(), parent=parent)
        return self._ask(conversation, said, draft=text)

    def _ask(self, conversation: Conversation, asked: Turn, draft: str = "") -> Outcome:
        if conversation.running is not None:
            return NOTHING
        new = asked.id not in conversation.tree.turns
        if new:
            conversation.tree.add(asked)
        answer = Turn(next(self.numbers), "assistant", created=self.clock(), parent=asked.id)
        made = (asked.id, answer.id) if new else (answer.id,)
        return self._request(conversation, answer, made=made, before=None, draft=draft)

    def _request(
        self,
        current: Conversation,
        answer: Turn,
        *,
        made: tuple[int, ...],
        before: Turn | None,
        draft: str = "",
    ) -> Outcome:
        """Let a request write an answer, which may have begun already."""
        # If its turns could not be read, what is said now is all there is.
        current.loaded = True
        last = current.last
        number = next(self.numbers)
        self.attempts[number] = Attempt(
            current.id, last.id if last is not None else None, made, before, draft
        )
        answer.request, answer.state, answer.carried = number, TurnState.WAITING, answer.tokens
        answer.report = answer.stop = None
        current.tree.add(answer)
        current.show(answer.id)
        current.answering = answer
        current.retitle()
        self.touch(current)
        self.forecast.forget()
        return self._told(current) | self._submit(self._submitted(current, answer))

    def _submitted(self, conversation: Conversation, answer: Turn) -> Submit:
        """The request that writes an answer; what there is of it is part of the prompt."""
        assert answer.request is not None
        branch = conversation.tree.path(answer.id)
        return Submit(
            answer.request,
            conversation.messages(self.model_folder, branch),
            effective(self.sampling, conversation),
            PromptOptions(
                thinking=conversation.thinking, continues=bool(answer.text or answer.thinking)
            ),
            owner=conversation.id,
        )

    def _submit(self, submit: Submit) -> Outcome:
        found = self.find(submit.request)
        right = found is None or found[0].fits(self.model_folder)
        if self.engine.phase is EnginePhase.READY and right:
            return Outcome.of(commands=(submit,))
        if self.engine.phase in (EnginePhase.FAILED, EnginePhase.NONE):
            return self.fail(submit.request, self.engine.sentence or NO_MODEL)
        self.waiting.append(submit)
        return NOTHING

    def held_back(self) -> tuple[Submit, ...]:
        """The requests that waited for this model: only now it is known whose ids they carry."""
        answers = [(submit, self.find(submit.request)) for submit in self.waiting]
        self.waiting = [
            submit
            for submit, found in answers
            if found is not None and not found[0].fits(self.model_folder)
        ]
        return tuple(
            self._submitted(*found)
            for submit, found in answers
            if found is not None and submit not in self.waiting
        )

    def _told(self, conversation: Conversation) -> Outcome:
        return Outcome.of(ConversationsChanged(), TurnsChanged(conversation.id), PreviewChanged())

    # Stopping

    def stop(self) -> Outcome:
        """Stop the answer of the current conversation; its text so far stays.

        If there is none, stop the running verification and what is done to the cache by hand.
        """
        if self.current.running is not None:
            return self._cancel(self.current)
        verify = (StopVerify(),) if self.verifying else ()
        acts = (StopActs(),) if self.acts.waiting else ()
        return Outcome.of(commands=(*verify, *acts))

    @property
    def can_stop(self) -> bool:
        """Whether `stop` has something to do."""
        return self.current.running is not None or bool(self.verifying or self.acts.waiting)

    def _cancel(self, conversation: Conversation) -> Outcome:
        turn = conversation.running
        if turn is None or turn.request is None:
            return NOTHING
        held = [submit for submit in self.waiting if submit.request == turn.request]
        if held:
            self.waiting.remove(held[0])
            attempt = self.attempts.pop(turn.request, None)
            turn.state = TurnState.STOPPED
            if attempt is not None:
                attempt.restore(turn)
            held_back = unsent.hold(conversation, unsent.STOPPED)
            changed = Outcome.of(TurnChanged(conversation.id, turn.id), ConversationsChanged())
            return changed | held_back
        return Outcome.of(commands=(Cancel(turn.request),))

    @property
    def busy(self) -> bool:
        """Whether an answer is being written or waits, in any conversation."""
        # Not a look at all conversations: this is asked at each frame.
        asked = (self.known(attempt.conversation) for attempt in self.attempts.values())
        return any(c is not None and c.running is not None for c in (self.current, *asked))

    @property
    def writing(self) -> bool:
        """Whether the engine has an answer to write: those that wait for a model do not count."""
        held = {submit.request for submit in self.waiting}
        found = (self.find(request) for request in self.attempts if request not in held)
        return any(one is not None and one[1].state.active for one in found)

    def find(self, request: int) -> tuple[Conversation, Turn] | None:
        """The answer that a request is writing, if it still exists."""
        attempt = self.attempts.get(request)
        conversation = self.known(attempt.conversation) if attempt is not None else None
        answer = conversation.answering if conversation is not None else None
        if conversation is None or answer is None or answer.request != request:
            return None
        return conversation, answer

    def fail(self, request: int, sentence: str) -> Outcome:
        """A request failed: keep what it wrote, else undo it; report why."""
        found = self.find(request)
        attempt = self.attempts.pop(request, None)
        self.rate.stop()
        if found is None:
            return NOTHING
        conversation, turn = found
        outcome = Outcome.of(ConversationsChanged(), TurnsChanged(conversation.id))
        outcome |= unsent.hold(conversation, unsent.FAILED)
        if attempt is None or turn.generated:
            turn.state = TurnState.STOPPED
        else:
            outcome |= attempt.undo(conversation, turn)
            if attempt.draft:
                outcome |= unsent.give_back(self, conversation, attempt.draft)
        conversation.turns.append(Turn(next(self.numbers), "error", sentence))
        return outcome
