"""The session: conversations, what is running, and the user's actions. No Qt, no threads.

Actions and events return an `Outcome`: what to refresh, and commands for the engine. The session
extends `Tailored`, which extends `Requests`, `Unsent` and `Conversations`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

from app.core.session.acts import Acts
from app.core.session.applied import Applied
from app.core.session.cache_watch import CacheWatch
from app.core.session.changes import NOTHING, Changed, Noted, Outcome
from app.core.session.conversations import Conversations
from app.core.session.counters import Counters
from app.core.session.event_log import EventLog
from app.core.session.lab import LabAnswers
from app.core.session.ownership import claim, owned_message
from app.core.session.records import (
    NO_MODEL,
    Coming,
    Conversation,
    EnginePhase,
    EngineState,
    Place,
    Refusal,
    TurnState,
)
from app.core.session.removal import Removals
from app.core.session.served import Served
from app.core.session.settings import merged
from app.core.session.tailored import Tailored
from app.core.session.unsent import STOPPED, hold
from app.core.store.load_times import LoadTimes
from app.core.words import format as fmt
from app.core.words.engine_words import said
from app.core.words.tr import tr
from engine import events
from engine.commands import Action, StopActs, StopVerify
from engine.events import NodeOwner
from engine.journal.feed import JournalFed
from engine.net.client.connection import Connection
from engine.net.counters.reading import CountersRead

# Older ones are unlikely to be cached still.
MOST_CLAIMED = 30


@dataclass(slots=True)
class Session(Tailored):
    """All state that the window shows.

    Attributes:
        cache: as the window sees it.
        lab: the memory lab's questions and answers.
        removals: deleted conversations to be removed from the cache.
        served: the clients of the window's server.
        claimed: the conversations that the engine was told of since the model was opened.
        acts: what was done to the cache by hand.
        counters: of the engine elsewhere, if it is one.
        applied: settings of the cache that What if applied, by model.
        coming: a model that is being opened while another one is open.
        refused: one that could not be opened while another one is open.
        recording: a trace is being written.
        previous: name of the last usable model, "" for none.
        choosing: the conversation for which the user asked for the model being opened.
        disk_bytes: disk space for models' caches between two starts of the engine; 0 keeps none.
        load_times: how long models took to open.
    """

    cache: CacheWatch = field(default_factory=CacheWatch)
    lab: LabAnswers = field(default_factory=LabAnswers)
    coming: Coming | None = None
    refused: Refusal | None = None
    recording: bool = False
    previous: str = ""
    removals: Removals = field(default_factory=Removals)
    served: Served = field(default_factory=Served)
    claimed: set[int] = field(default_factory=set)
    acts: Acts = field(default_factory=Acts)
    counters: Counters = field(default_factory=Counters)
    applied: Applied = field(default_factory=Applied)
    choosing: int | None = None
    disk_bytes: int = 0
    load_times: LoadTimes = field(default_factory=LoadTimes)

    @property
    def log(self) -> EventLog:
        """The engine's notices and the evictions."""
        return self.cache.log

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
            outcome |= self.remove_deleted()
        return outcome | Outcome.of(Changed.REMOVAL)

    def restore(self) -> Outcome:
        """Restore the last deleted conversation."""
        if self.deleted is None:
            return NOTHING
        found = self.deleted[1]
        if found.running is not None:
            found.running.state = TurnState.STOPPED
            hold(found, STOPPED)
        self.removals.undone(found.id)
        self.claimed.discard(found.id)
        return Conversations.restore(self) | Outcome.of(Changed.REMOVAL)

    def _open(self, conversation: Conversation) -> Outcome:
        opened = Conversations._open(self, conversation)
        conversation.mark_thinking(self.engine.model)
        return opened

    # The cache

    def stop(self) -> Outcome:
        """Stop the answer of the current conversation; its text so far stays.

        Without one, stop the running verification and manual cache actions.
        """
        if self.current.running is not None:
            return self._cancel(self.current)
        verify = (StopVerify(),) if self.cache.verifying else ()
        acts = (StopActs(),) if self.acts.waiting else ()
        return Outcome.of(commands=(*verify, *acts))

    @property
    def can_stop(self) -> bool:
        """Whether `stop` has something to do."""
        return self.current.running is not None or bool(self.cache.verifying or self.acts.waiting)

    def act(self, action: Action, node: int, position: int) -> Outcome:
        """Run a manual action on a cached node; see Act."""
        return Outcome.of(Changed.ACTS, commands=(self.acts.act(action, node, position),))

    def remove_deleted(self) -> Outcome:
        """Remove from the cache what only the last deleted conversation used, files included."""
        shown = self.removals.shown
        if shown is None or shown.stage != "offered" or self.deleted is None:
            return NOTHING
        return self.removals.ask(self, self.deleted[1], self.ready_folder)

    @property
    def can_evict(self) -> bool:
        """Whether the conversation on screen may be in the cache of a model that is ready."""
        here = bool(self.ready_folder) and not self.engine.there
        return here and not self.current.empty and self.current.running is None

    def evict_current(self) -> Outcome:
        """Remove from the cache what only the conversation on screen used; its messages stay."""
        if not self.can_evict:
            return NOTHING
        return self.removals.evict(self, self.current, self.ready_folder)

    def always_remove(self, on: bool) -> Outcome:
        """Remove deleted conversations from the cache unasked, the last one too; or stop it."""
        self.removals.always = on
        return Outcome.of(Changed.REMOVAL) | (self.remove_deleted() if on else NOTHING)

    def claim_next(self) -> Outcome:
        """Send the engine a claim for one more conversation of an earlier start, unless it is busy.

        The one on screen comes first, then recent ones.
        """
        if self.busy or not self.ready_folder:
            return NOTHING
        recent = sorted(self.conversations, key=lambda one: -one.updated)
        for one in (self.current, *recent[:MOST_CLAIMED]):
            if one.id in self.claimed or one.empty:
                continue
            self.claimed.add(one.id)
            last = one.last if one.loaded else None
            leaf = last.id if last is not None else one.leaf
            command = claim(one, self.tree_of(one), leaf, self.ready_folder)
            if command is not None:
                return Outcome.of(commands=(command,))
        return NOTHING

    def open_owner(self, owner: NodeOwner) -> Outcome:
        """Open the conversation that a node belongs to, at the message at the node's end."""
        found = next((one for one in self.conversations if one.id == owner.owner), None)
        if found is None:
            return NOTHING
        opened = self.select(found.id)
        leaf = found.last.id if found.last is not None else None
        message = owned_message(found.tree, leaf, owner)
        return opened if message is None else opened | self.show_message(found.id, message)

    # The model

    def opening(self, place: Place) -> Outcome:
        """A model is being opened: show it at once."""
        self.engine = EngineState(
            EnginePhase.LOADING,
            stage=tr("Opening {name}").format(name=place.name),
            name=place.name,
            elsewhere=isinstance(place, Connection),
        )
        self.cache.forget()
        self.coming = self.refused = None
        self.counters.clear()
        self.forecast.forget()
        self.rate.stop()
        shown = Outcome.of(Changed.ENGINE, Changed.SNAPSHOT, Changed.PLAN, Changed.PREVIEW)
        return shown | self._recording(False)

    def closing(self, to_open: str = "") -> Outcome:
        """The model is being closed to make room for another, in the folder of that name."""
        self.engine = replace(
            self.engine,
            phase=EnginePhase.CLOSING,
            stage=tr("Closing the model"),
            fraction=None,
            total_bytes=0,
            name=to_open,
        )
        return Outcome.of(Changed.ENGINE)

    def show_coming(self, state: Coming | None) -> Outcome:
        """Show the progress of another model; None when it ends. The open one stays in use."""
        if self.coming == state:
            return NOTHING
        if state is not None:
            self.refused = None
        self.coming = state
        return Outcome.of(Changed.ENGINE)

    def refuse(self, place: Place, sentence: str) -> Outcome:
        """The other model cannot be opened; the open one stays in use."""
        self.coming = None
        self.log.add_notices(
            (
                tr("{name} could not be opened: {sentence}").format(
                    name=place.name, sentence=said(sentence)
                ),
            ),
            time.time(),
        )
        if self.engine.phase is EnginePhase.READY:
            self.refused = Refusal(place.name, sentence)
            return Outcome.of(Changed.ENGINE)
        # The open one stopped meanwhile: no model is left.
        return self._gone(sentence)

    def dismiss_refusal(self) -> Outcome:
        """The user dismissed the refusal."""
        self.refused = None
        return Outcome.of(Changed.ENGINE)

    def opening_cancelled(self, sentence: str = NO_MODEL) -> Outcome:
        """Opening was cancelled: there is no model, and messages waiting for it are returned.

        sentence: shown below them.
        """
        self.engine = EngineState()
        given_up = self.abandon(sentence) | self._recording(False)
        return given_up | Outcome.of(Changed.ENGINE)

    # Events

    def apply(self, event: events.Event) -> Outcome:
        """Apply an event; events of requests that no longer exist change nothing."""
        match event:
            case events.LoadProgress():
                if self.engine.phase is not EnginePhase.LOADING:
                    return NOTHING
                self.engine = replace(
                    self.engine,
                    stage=event.stage,
                    fraction=event.fraction,
                    total_bytes=event.total_bytes,
                )
                return Outcome.of(Changed.ENGINE)
            case events.EngineReady():
                return self._ready(event)
            case events.ClosingProgress():
                return self._saving(event)
            case events.EngineFailed():
                return self._gone(event.sentence)
            case events.EngineClosed():
                if self.engine.phase in (EnginePhase.FAILED, EnginePhase.NONE):
                    return NOTHING
                return self._gone(tr("The engine has stopped. Open a model to continue."))
            case (
                JournalFed()
                | events.NodeText()
                | events.InvariantsChecked()
                | events.NodeVerified()
                | events.VerifyStopped()
            ):
                return self.cache.take(event)
            case CountersRead():
                self.counters.take(event)
                return Outcome.of(Changed.COUNTERS)
            case events.TokensCounted() | events.ProbeAnswered() | events.ProbeRefused() if (
                self.weighing is not None and self.weighing.take(event)
            ):
                return Outcome.of(Changed.WEIGHING)
            case events.ProbeAnswered():
                return self.probed(event)
            case events.TokensCounted():
                return self.tokens_counted(event)
            case events.ProbeRefused():
                return self.probe_refused(event)
            case events.RecordingBegan():
                begun = self._recording(True)
                return begun | self.log.note(tr("Recording. Token ids are written as hashes."))
            case events.RecordingEnded():
                ended = self._recording(False)
                return ended | self.log.note(tr("The trace was saved.")) if event.written else ended
            case events.Forgotten():
                return self.removals.answered(event)
            case (
                events.InspectProgress()
                | events.MemoryInspected()
                | events.RecallInspected()
                | events.InspectRefused()
            ):
                return self.lab.take(event)
            case events.ActProgress():
                self.acts.take(event)
                return Outcome.of(Changed.ACTS)
            case events.Acted():
                self.acts.take(event)
                return Outcome.of(Changed.ACTS, Noted(event.sentence))
            case events.Notice():
                return self.log.note(event.sentence)
            case events.Tuned():
                said = event.sentence or tr("Other settings apply from the next request on.")
                return self.log.note(said)
            case events.RequestFailed():
                return self.fail(event.request, event.sentence) | Outcome.of(Changed.RATE)
            case (
                events.RequestQueued()
                | events.RequestWaits()
                | events.RequestStarted()
                | events.PrefillProgress()
                | events.TextDelta()
                | events.RequestFinished()
            ):
                return self.advance(event)
        return NOTHING

    def _saving(self, event: events.ClosingProgress) -> Outcome:
        """The engine is closing and still writing; show it if the user waits for that."""
        if self.engine.phase is not EnginePhase.CLOSING or not event.total:
            return NOTHING
        written = min(event.written, event.total)
        amount = fmt.shared_unit(
            tr("{amount} of {total}").format(
                amount=fmt.byte_size(written), total=fmt.byte_size(event.total)
            )
        )
        stage = tr("Saving the cache: {amount}").format(amount=amount)
        self.engine = replace(self.engine, stage=stage, fraction=written / event.total)
        return Outcome.of(Changed.ENGINE)

    def _recording(self, on: bool) -> Outcome:
        self.recording = on
        return Outcome.of(Changed.RECORDING)

    def _ready(self, event: events.EngineReady) -> Outcome:
        elsewhere = bool(event.model.remote)
        self.engine = EngineState(EnginePhase.READY, model=event.model, elsewhere=elsewhere)
        if not elsewhere:
            self.load_times.add(event.model.folder, event.load_s)
        self._go_on_with(event.model.folder)
        self.previous = event.model.name
        self.log.models += 1
        self.ledger.clear()
        self.lab.forget()
        self.log.add_notices(event.model.notes, time.time())
        # The model's own defaults, overridden by the options given at the start.
        self.sampling = merged(event.model.sampling, self.given)
        self.claimed = set()
        self.removals.lost()
        self.current.mark_thinking(event.model)
        due = self.removals.opened(self, event.model.folder)
        changed = Outcome.of(Changed.ENGINE, Changed.REMOVAL)
        ready = changed | Outcome.of(commands=(*due, *self.held_back()))
        return ready | self.forget_counts()

    def _go_on_with(self, folder: str) -> None:
        """Switch the conversation for which the user asked for this model to it."""
        asked_in, self.choosing = self.choosing, None
        found = self.known(asked_in) if asked_in is not None else None
        if found is not None and found.model:
            found.model = folder

    def _gone(self, sentence: str) -> Outcome:
        engine = self.engine
        was = engine.stopped or (engine.model.name if engine.model is not None else "")
        self.engine = EngineState(
            EnginePhase.FAILED, sentence=sentence, stopped=was, elsewhere=engine.elsewhere
        )
        self.refused = None
        ended = self.abandon(sentence) | self._recording(False)
        return ended | Outcome.of(Changed.ENGINE)

    def abandon(self, sentence: str, *, waiting: bool = True) -> Outcome:
        """No pending request will be answered any more.

        waiting: nor will those that wait for a model.
        """
        kept = set() if waiting else {submit.request for submit in self.waiting}
        self.waiting = [] if waiting else self.waiting
        self.lab.forget()
        self.removals.lost()
        self.forecast.forget()
        self.cache.give_up()
        self.acts.forget()
        outcome = Outcome.of(Changed.RATE)
        for conversation in self.conversations:
            turn = conversation.running
            if turn is not None and turn.request is not None and turn.request not in kept:
                outcome |= self.fail(turn.request, sentence)
        return outcome
