"""Requests to a model in conversations: messages to answer, and probes of what prompts reuse."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace

from app.core.session.changes import NOTHING, Changed, Outcome
from app.core.session.forecast import CannotRun, Subject
from app.core.session.ledger import Ledger
from app.core.session.records import NO_MODEL, Conversation, EnginePhase, Preview, Turn, TurnState
from app.core.session.settings import Overrides, effective
from app.core.session.unsent import CLOSED, FAILED, FULL, STOPPED, Unsent, hold, message_of
from engine import events
from engine.commands import Cancel, Probe, Submit
from engine.config import Sampling
from engine.message import Message, PromptOptions

# Probed branch points: the last ones of the branch on screen.
_MOST_FORKS = 3
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
        made: turns added for it, each one after its parent.
        before: the answer that it continues, as it was before.
        draft: the text to give back to the composer.
    """

    conversation: int
    leaf: int | None
    made: tuple[int, ...]
    before: Turn | None
    draft: str

    def restore(self, answer: Turn) -> None:
        """Restore an answer that was being continued."""
        if self.before is not None:
            for one in fields(Turn):
                setattr(answer, one.name, getattr(self.before, one.name))

    def undo(self, conversation: Conversation, answer: Turn) -> Outcome:
        """Restore the conversation as it was before the request; the caller returns the draft."""
        conversation.answering = None
        self.restore(answer)
        conversation.tree.remove(reversed(self.made))
        if not any(turn.model for turn in conversation.tree.turns.values()):
            # The model that was to answer first has not.
            conversation.model = ""
        conversation.show(self.leaf)
        conversation.retitle()
        return Outcome.of(*(Changed.DROPPED.of(conversation.id, turn) for turn in self.made))


@dataclass(slots=True)
class Requests(Unsent):
    """Requests in the conversations, and the answers.

    Attributes:
        sampling: the defaults: the model's, overridden by `given`.
        given: sampling options of the start.
        waiting: submits held back until a model is ready, or the right one.
        attempts: unfinished requests, by number.
        rate: the decoding speed of the running answer.
        ledger: the requests run since the model was opened.
    """

    sampling: Sampling = field(default_factory=Sampling)
    given: Overrides = field(default_factory=dict)
    waiting: list[Submit] = field(default_factory=list)
    attempts: dict[int, Attempt] = field(default_factory=dict)
    rate: RateMeter = field(default_factory=RateMeter)
    ledger: Ledger = field(default_factory=Ledger)

    @property
    def model_folder(self) -> str:
        """Folder of the open model; "" if there is none."""
        return self.engine.model.folder if self.engine.model is not None else ""

    @property
    def ready_folder(self) -> str:
        """Folder of the model that is ready; "" if none is."""
        return self.model_folder if self.engine.phase is EnginePhase.READY else ""

    # Asking

    def send(self, text: str) -> Outcome:
        """Add a user message to the branch on screen and ask for the answer.

        Empties the composer.
        """
        current = self.current
        if not text.strip() or current.running is not None:
            return NOTHING
        current.draft, current.files = "", []
        last = current.last
        said = self.say(current, text, last.id if last is not None else None)
        return Outcome.of(Changed.UNSENT.of(current.id)) | said

    def edit(self, turn: int, text: str) -> Outcome:
        """Replace a user message: add a branch next to it, and ask for an answer."""
        found = self.current.tree.turns.get(turn)
        if found is None or found.role != "user" or not text.strip():
            return NOTHING
        return self.say(self.current, text, found.parent)

    def regenerate(self, turn: int | None = None) -> Outcome:
        """Ask for an alternative to an answer, or to the last one of the branch on screen."""
        asked = self._question(turn)
        return self._ask(self.current, asked) if asked is not None else NOTHING

    def edit_answer(self, turn: int, text: str) -> Outcome:
        """Add the user's wording as an alternative to an answer; the chat continues from there."""
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
        """Let the model continue an answer, or the last one of the branch on screen.

        One that other messages follow is continued in a new branch.
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
        """Add a user message after a turn and ask for the answer; the composer is not read."""
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
        """Let a request write an answer, or continue one."""
        # If its turns could not be read, new ones are all there is.
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
        """The request that writes an answer; its existing text is part of the prompt."""
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
        """The requests that waited for this model, rebuilt so that they carry its token ids."""
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
        return Outcome.of(Changed.CONVERSATIONS, Changed.TURNS.of(conversation.id), Changed.PREVIEW)

    # Stopping

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
            held_back = hold(conversation, STOPPED)
            changed = Outcome.of(Changed.TURN.of(conversation.id, turn.id), Changed.CONVERSATIONS)
            return changed | held_back
        return Outcome.of(commands=(Cancel(turn.request),))

    @property
    def busy(self) -> bool:
        """Whether an answer is being written or pending, in any conversation."""
        # Does not scan all conversations: this runs each frame.
        asked = (self.known(attempt.conversation) for attempt in self.attempts.values())
        return any(c is not None and c.running is not None for c in (self.current, *asked))

    @property
    def writing(self) -> bool:
        """Whether the engine has an answer to write; those that wait for a model do not count."""
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
        outcome = Outcome.of(Changed.CONVERSATIONS, Changed.TURNS.of(conversation.id))
        outcome |= hold(conversation, FAILED)
        if attempt is None or turn.generated:
            turn.state = TurnState.STOPPED
        else:
            outcome |= attempt.undo(conversation, turn)
            if attempt.draft:
                outcome |= self.give_back(conversation, attempt.draft)
        conversation.turns.append(Turn(next(self.numbers), "error", sentence))
        return outcome

    def release(self) -> Outcome:
        """Send the queue of the conversation on screen, one message after the other."""
        current = self.current
        current.held = ""
        return Outcome.of(Changed.UNSENT.of(current.id)) | self._follow(current, current.last)

    def _follow(self, conversation: Conversation, last: Turn | None) -> Outcome:
        """Send the next message that waits after a turn, if the conversation is ready for it."""
        ready = self.engine.phase is EnginePhase.READY and conversation.running is None
        if not conversation.queue or conversation.held or not ready:
            return NOTHING
        first, *left = conversation.queue
        conversation.set_queue(left)
        said = self.say(conversation, first.text, last.id if last is not None else None)
        return Outcome.of(Changed.UNSENT.of(conversation.id)) | said

    def _ended(self, conversation: Conversation, answer: Turn) -> Outcome:
        """An answer ended: send the next message, or hold the queue and say why."""
        if answer.stop == "cancelled":
            return hold(conversation, STOPPED)
        if answer.stop == "context":
            return hold(conversation, FULL)
        if self.engine.phase is not EnginePhase.READY:
            return hold(conversation, CLOSED)
        return self._follow(conversation, answer)

    # What would be reused

    def probe_draft(self, text: str) -> Outcome:
        """Keep the composer's text, and probe the message that it makes."""
        kept = self.keep_draft(text)
        message = message_of(self.current, text)
        if not message:
            return kept | Outcome.of(Changed.PREVIEW) if self.forecast.drop_draft() else kept
        return kept | self._probe("draft", self.current.turns, message)

    def probe_conversation(self) -> Outcome:
        """Probe the conversation on screen, without the composer."""
        if not self.current.turns:
            return NOTHING
        return self._probe("conversation", self.current.turns)

    def probe_next(self) -> Outcome:
        """Probe the next prompt, with the composer's text and without."""
        if self.busy:
            return NOTHING
        asked = self.probe_conversation() | self.probe_draft(self.current.draft)
        return asked | self.count_tokens()

    def probe_sibling(self) -> Outcome:
        """Probe continuing from another branch, if one is not known yet."""
        tree, forecast = self.current.tree, self.forecast
        forks = [turn for turn in self.current.turns if len(tree.siblings(turn.id)) > 1]
        for turn in reversed(forks[-_MOST_FORKS:]):
            siblings = [sibling.id for sibling in tree.siblings(turn.id)]
            at = siblings.index(turn.id)
            for other in (*siblings[max(0, at - 1) : at], *siblings[at + 1 : at + 2]):
                if other not in forecast.siblings and not forecast.asked(other):
                    return self._probe(other, tree.path(tree.leaf_below(other)))
        return NOTHING

    def _probe(self, subject: Subject, turns: list[Turn], question: str = "") -> Outcome:
        if self.busy or self.engine.phase is not EnginePhase.READY:
            return NOTHING
        number, current = next(self.numbers), self.current
        self.forecast.ask(number, subject)
        prompt = with_question(current.messages(self.model_folder, turns), question)
        options = PromptOptions(thinking=current.thinking)
        return Outcome.of(commands=(Probe(number, prompt, options, current.id),))

    def probed(self, event: events.ProbeAnswered) -> Outcome:
        """Take in a probe's answer, and probe another branch."""
        subject = self.forecast.answered(event.probe)
        outdated = self.busy or (subject == "draft" and self._nothing_written)
        if subject is None or outdated:
            return NOTHING
        self.forecast.learn(subject, Preview(self.current.id, event.plan))
        learnt = Outcome.of(Changed.PREVIEW)
        # One at a time, so that a message need not wait for more than one of them.
        return learnt if subject == "draft" else learnt | self.probe_sibling()

    @property
    def _nothing_written(self) -> bool:
        return not (self.current.files or self.current.draft.strip())

    def probe_refused(self, event: events.ProbeRefused) -> Outcome:
        """Take in that a prompt cannot run, and probe another branch."""
        subject = self.forecast.refused(event.probe, CannotRun(event.sentence, event.tokens))
        if subject is None or self.busy:
            return NOTHING
        if subject == "draft" and self._nothing_written:
            self.forecast.drop_draft()
            return NOTHING
        changed = Outcome.of(Changed.PREVIEW)
        return changed if subject == "draft" else changed | self.probe_sibling()

    # Answering

    def advance(
        self,
        event: events.RequestQueued
        | events.RequestWaits
        | events.RequestStarted
        | events.PrefillProgress
        | events.TextDelta
        | events.RequestFinished,
    ) -> Outcome:
        """Apply an event of a request; stale requests are ignored."""
        found = self.find(event.request)
        if isinstance(event, events.RequestFinished):
            self.ledger.add(event, "" if found is None else found[0].title)
        if found is None or not found[1].state.active:
            return NOTHING
        conversation, turn = found
        outcome = Outcome.of(Changed.TURN.of(conversation.id, turn.id))
        match event:
            case events.RequestQueued():
                turn.ahead = event.ahead
                turn.state = TurnState.QUEUED if event.ahead else TurnState.WAITING
            case events.RequestWaits():
                turn.state, turn.waits_for = TurnState.WAITING, event.sentence
            case events.RequestStarted():
                turn.plan = event.plan
                turn.state = TurnState.READING
                turn.total = event.plan.replayed + event.plan.computed
                # Not only at the end, which a crash may prevent.
                conversation.model = self.model_folder
                outcome |= Outcome.of(Changed.PLAN)
            case events.PrefillProgress():
                turn.done, turn.total = event.done, event.total
            case events.TextDelta():
                if not turn.generated:
                    turn.model = self.model_folder
                _write(turn, event)
                self.rate.read(event.request, event.time, event.tokens)
                outcome |= Outcome.of(Changed.RATE)
            case events.RequestFinished():
                _finish(turn, event)
                turn.model = conversation.model = self.model_folder
                conversation.mark_thinking(self.engine.model)
                self.touch(conversation)
                self.rate.stop(event.report.decode_tok_s)
                self.attempts.pop(event.request, None)
                outcome |= Outcome.of(Changed.PLAN, Changed.RATE, Changed.CONVERSATIONS)
                outcome |= self._ended(conversation, turn)
        return outcome


def _write(turn: Turn, event: events.TextDelta) -> None:
    if not turn.generated:
        # The previous ids no longer cover the text; the complete ones come at the end.
        turn.token_ids, turn.thinking_since = (), None
    turn.tokens = turn.carried + event.tokens
    if event.channel == "thinking":
        if turn.thinking_since is None:
            turn.thinking_since = event.time - turn.thinking_s
        turn.thinking += event.text
        turn.thinking_tokens = turn.tokens
        turn.thinking_s = event.time - turn.thinking_since
        turn.state = TurnState.THINKING
        return
    if turn.state is TurnState.THINKING and turn.thinking_since is not None:
        turn.thinking_s = event.time - turn.thinking_since
    turn.text += event.text
    turn.state = TurnState.WRITING


def _finish(turn: Turn, event: events.RequestFinished) -> None:
    # The engine's complete text wins; a cancelled answer without one keeps what was shown.
    turn.text = event.text or turn.text
    turn.thinking = event.thinking or turn.thinking
    turn.token_ids = event.token_ids or turn.token_ids
    turn.report, turn.plan, turn.stop = event.report, event.report.plan, event.stop
    turn.tokens = turn.carried + event.report.generated
    if turn.state is TurnState.THINKING:
        turn.thinking_tokens = turn.tokens
    turn.state = TurnState.STOPPED if event.stop == "cancelled" else TurnState.DONE


def with_question(messages: Sequence[Message], question: str = "") -> tuple[Message, ...]:
    """A prompt to probe: with a question at the end, the template drops old thinking."""
    return (*messages, Message("user", question))
