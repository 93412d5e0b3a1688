"""Applies one event of the engine to the session and returns what changed."""

from __future__ import annotations

import time
from dataclasses import replace

from app.session import answering, unsent
from app.session.changes import (
    NOTHING,
    ActsChanged,
    CacheChecked,
    CountersChanged,
    EngineChanged,
    NodeDescribed,
    Noted,
    Outcome,
    PlanChanged,
    PreviewChanged,
    RateChanged,
    RecordingChanged,
    RemovalChanged,
    SnapshotChanged,
    SystemWeighed,
    TapeGrown,
)
from app.session.forecast import CannotRun
from app.session.model import Session
from app.session.model_choice import chosen
from app.session.probes import probe_sibling
from app.session.records import (
    NO_MODEL,
    Coming,
    EnginePhase,
    EngineState,
    Place,
    Preview,
    Refusal,
)
from app.session.settings import merged
from app.words import format as fmt
from app.words.engine_words import said
from app.words.explain import verdict_sentence
from app.words.tr import tr
from engine import commands, events
from engine.errors import TraceError
from engine.remote.chat.connection import Connection
from engine.remote.counters.reading import CountersRead
from engine.trace.feed import JournalFed
from engine.trace.tape import Tape

# Of the open engine's tape; the oldest are forgotten.
MOST_ENTRIES = 1_000_000
INVARIANTS_HOLD = tr("Cache checked: every invariant holds.")


def opening(session: Session, place: Place) -> Outcome:
    """A model is being opened: show it at once."""
    session.engine = EngineState(
        EnginePhase.LOADING,
        stage=tr("Opening {name}").format(name=place.name),
        name=place.name,
        elsewhere=isinstance(place, Connection),
    )
    session.snapshot = session.node_text = None
    session.follow(Tape())
    session.coming = session.refused = None
    session.counters.clear()
    session.forecast.forget()
    session.rate.stop()
    shown = Outcome.of(EngineChanged(), SnapshotChanged(), PlanChanged(), PreviewChanged())
    return shown | _recording(session, False)


def closing(session: Session, to_open: str = "") -> Outcome:
    """The model is being closed to make room for another, in the folder of that name."""
    session.engine = replace(
        session.engine,
        phase=EnginePhase.CLOSING,
        stage=tr("Closing the model"),
        fraction=None,
        total_bytes=0,
        name=to_open,
    )
    return Outcome.of(EngineChanged())


def coming(session: Session, state: Coming | None) -> Outcome:
    """Another model is being opened, or no longer; the open one stays in use."""
    if session.coming == state:
        return NOTHING
    if state is not None:
        session.refused = None
    session.coming = state
    return Outcome.of(EngineChanged())


def refused(session: Session, place: Place, sentence: str) -> Outcome:
    """The other model cannot be opened; the open one stays in use."""
    session.coming = None
    session.log.add_notices(
        (
            tr("{name} could not be opened: {sentence}").format(
                name=place.name, sentence=said(sentence)
            ),
        ),
        time.time(),
    )
    if session.engine.phase is EnginePhase.READY:
        session.refused = Refusal(place.name, sentence)
        return Outcome.of(EngineChanged())
    # The open one stopped meanwhile: no model is left to use.
    return _gone(session, sentence)


def dismissed(session: Session) -> Outcome:
    """The user dismissed the refusal."""
    session.refused = None
    return Outcome.of(EngineChanged())


def cancelled(session: Session, sentence: str = NO_MODEL) -> Outcome:
    """Opening was cancelled: there is no model, and messages waiting for it are returned.

    sentence: said below them.
    """
    session.engine = EngineState()
    given_up = abandon(session, sentence) | _recording(session, False)
    return given_up | Outcome.of(EngineChanged())


def apply(session: Session, event: events.Event) -> Outcome:
    """Apply an event; events of requests that no longer exist change nothing."""
    match event:
        case events.LoadProgress():
            if session.engine.phase is not EnginePhase.LOADING:
                return NOTHING
            session.engine = replace(
                session.engine,
                stage=event.stage,
                fraction=event.fraction,
                total_bytes=event.total_bytes,
            )
            return Outcome.of(EngineChanged())
        case events.EngineReady():
            return _ready(session, event)
        case events.ClosingProgress():
            return _saving(session, event)
        case events.EngineFailed():
            return _gone(session, event.sentence)
        case events.EngineClosed():
            if session.engine.phase in (EnginePhase.FAILED, EnginePhase.NONE):
                return NOTHING
            return _gone(session, tr("The engine has stopped. Open a model to continue."))
        case JournalFed():
            return _fed(session, event)
        case CountersRead():
            session.counters.take(event)
            return Outcome.of(CountersChanged())
        case events.NodeText():
            session.node_text = event
            return Outcome.of(NodeDescribed(event.node))
        case events.TokensCounted() | events.ProbeAnswered() | events.ProbeRefused() if (
            session.weighing is not None and session.weighing.take(event)
        ):
            return Outcome.of(SystemWeighed())
        case events.ProbeAnswered():
            return _probed(session, event)
        case events.TokensCounted():
            return unsent.tokens_counted(session, event)
        case events.ProbeRefused():
            return _probe_refused(session, event)
        case events.RecordingBegan():
            begun = _recording(session, True)
            return begun | note(session, tr("Recording. Token ids are written as hashes."))
        case events.RecordingEnded():
            ended = _recording(session, False)
            return ended | note(session, tr("The trace was saved.")) if event.written else ended
        case events.Forgotten():
            return session.removals.answered(event)
        case (
            events.InspectProgress()
            | events.MemoryInspected()
            | events.RecallInspected()
            | events.InspectRefused()
        ):
            return session.lab.take(event)
        case events.ActProgress():
            session.acts.take(event)
            return Outcome.of(ActsChanged())
        case events.Acted():
            session.acts.take(event)
            return Outcome.of(ActsChanged(), Noted(event.sentence))
        case events.InvariantsChecked():
            session.checked = event
            if event.number:
                return Outcome.of(CacheChecked())
            return Outcome.of(Noted(event.broken or INVARIANTS_HOLD), CacheChecked())
        case events.Notice():
            return note(session, event.sentence)
        case events.NodeVerified():
            if not event.background:
                session.verifying.discard(event.node)
            status = "" if event.verdict is None else event.verdict.status
            # A clean result is worth a notice only if the user asked for it.
            right = status in ("verified", "unclear")
            return NOTHING if event.background and right else note(session, _verified(event))
        case events.Tuned():
            said = event.sentence or tr("Other settings apply from the next request on.")
            return note(session, said)
        case events.VerifyStopped():
            session.verifying.discard(event.node)
            return note(session, event.sentence)
        case events.RequestFailed():
            return session.fail(event.request, event.sentence) | Outcome.of(RateChanged())
        case (
            events.RequestQueued()
            | events.RequestStarted()
            | events.PrefillProgress()
            | events.TextDelta()
            | events.RequestFinished()
        ):
            return answering.advance(session, event)
    return NOTHING


def _fed(session: Session, event: JournalFed) -> Outcome:
    """The next lines of what happened in the cache."""
    if event.header is not None:
        session.follow(Tape(event.header, MOST_ENTRIES))
    elif session.astray:
        return NOTHING
    try:
        session.tape.append(event.lines)
    except TraceError as error:
        # What was told before stays on screen until everything is told anew.
        session.astray = True
        anew = (commands.WatchJournal(on=True),) if len(session.tape) else ()
        sentence = tr("What happened in the cache cannot be followed: {error}")
        return note(session, sentence.format(error=said(str(error)))) | Outcome.of(commands=anew)
    grown = Outcome.of(TapeGrown())
    return session.look() | grown if session.watched else grown


def _saving(session: Session, event: events.ClosingProgress) -> Outcome:
    """The engine is ending and still writing; shown to whoever waits for it."""
    if session.engine.phase is not EnginePhase.CLOSING or not event.total:
        return NOTHING
    written = min(event.written, event.total)
    amount = fmt.shared_unit(
        tr("{amount} of {total}").format(
            amount=fmt.byte_size(written), total=fmt.byte_size(event.total)
        )
    )
    stage = tr("Saving the cache: {amount}").format(amount=amount)
    session.engine = replace(session.engine, stage=stage, fraction=written / event.total)
    return Outcome.of(EngineChanged())


def note(session: Session, sentence: str) -> Outcome:
    """Show a notice and add it to the event log."""
    session.log.add_notices((sentence,), time.time())
    return Outcome.of(Noted(sentence))


def _recording(session: Session, on: bool) -> Outcome:
    session.recording = on
    return Outcome.of(RecordingChanged())


def _verified(event: events.NodeVerified) -> str:
    verdict = event.verdict
    if verdict is None:
        return tr("That node has no checkpoint to verify.")
    return verdict_sentence(verdict)


def _ready(session: Session, event: events.EngineReady) -> Outcome:
    elsewhere = bool(event.model.remote)
    session.engine = EngineState(EnginePhase.READY, model=event.model, elsewhere=elsewhere)
    if not elsewhere:
        session.load_times.add(event.model.folder, event.load_s)
    chosen(session, event.model.folder)
    session.previous = event.model.name
    session.log.models += 1
    session.ledger.clear()
    session.lab.forget()
    session.log.add_notices(event.model.notes, time.time())
    # The model's own defaults, overridden by the options given at the start.
    session.sampling = merged(event.model.sampling, session.given)
    session.claims.restart()
    session.removals.lost()
    session.current.mark_thinking(event.model)
    due = session.removals.opened(session, event.model.folder)
    changed = Outcome.of(EngineChanged(), RemovalChanged())
    ready = changed | Outcome.of(commands=(*due, *session.held_back()))
    return ready | unsent.forget_counts(session)


def _gone(session: Session, sentence: str) -> Outcome:
    engine = session.engine
    was = engine.stopped or (engine.model.name if engine.model is not None else "")
    session.engine = EngineState(
        EnginePhase.FAILED, sentence=sentence, stopped=was, elsewhere=engine.elsewhere
    )
    session.refused = None
    ended = abandon(session, sentence) | _recording(session, False)
    return ended | Outcome.of(EngineChanged())


def abandon(session: Session, sentence: str, *, waiting: bool = True) -> Outcome:
    """No pending request will be answered any more; `waiting`: nor those that wait for a model."""
    kept = set() if waiting else {submit.request for submit in session.waiting}
    session.waiting = [] if waiting else session.waiting
    session.lab.forget()
    session.removals.lost()
    session.forecast.forget()
    session.checked = None
    session.verifying = set()
    session.acts.forget()
    outcome = Outcome.of(RateChanged())
    for conversation in session.conversations:
        turn = conversation.running
        if turn is not None and turn.request is not None and turn.request not in kept:
            outcome |= session.fail(turn.request, sentence)
    return outcome


def _probed(session: Session, event: events.ProbeAnswered) -> Outcome:
    subject = session.forecast.answered(event.probe)
    outdated = session.busy or (subject == "draft" and _nothing_written(session))
    if subject is None or outdated:
        return NOTHING
    session.forecast.learn(subject, Preview(session.current.id, event.plan))
    learnt = Outcome.of(PreviewChanged())
    # One at a time, so that a message need not wait for more than one of them.
    return learnt if subject == "draft" else learnt | probe_sibling(session)


def _nothing_written(session: Session) -> bool:
    return not (session.current.files or session.current.draft.strip())


def _probe_refused(session: Session, event: events.ProbeRefused) -> Outcome:
    subject = session.forecast.refused(event.probe, CannotRun(event.sentence, event.tokens))
    if subject is None or session.busy:
        return NOTHING
    if subject == "draft" and _nothing_written(session):
        session.forecast.drop_draft()
        return NOTHING
    changed = Outcome.of(PreviewChanged())
    return changed if subject == "draft" else changed | probe_sibling(session)
