"""What the engine tells of a request, on the message that is its answer."""

from __future__ import annotations

from app.session import unsent
from app.session.changes import (
    NOTHING,
    ConversationsChanged,
    Outcome,
    PlanChanged,
    RateChanged,
    TurnChanged,
)
from app.session.model import Session
from app.session.records import Turn, TurnState
from engine import events


def advance(
    session: Session,
    event: events.RequestQueued
    | events.RequestStarted
    | events.PrefillProgress
    | events.TextDelta
    | events.RequestFinished,
) -> Outcome:
    """Apply an event of a request; one that nobody waits for any more changes nothing."""
    found = session.find(event.request)
    if isinstance(event, events.RequestFinished):
        session.ledger.add(event, "" if found is None else found[0].title)
    if found is None or not found[1].state.active:
        return NOTHING
    conversation, turn = found
    outcome = Outcome.of(TurnChanged(conversation.id, turn.id))
    match event:
        case events.RequestQueued():
            turn.ahead = event.ahead
            turn.state = TurnState.QUEUED if event.ahead else TurnState.WAITING
        case events.RequestStarted():
            turn.plan = event.plan
            turn.state = TurnState.READING
            turn.total = event.plan.replayed + event.plan.computed
            # Not only at its end, which a crash may prevent.
            conversation.model = session.model_folder
            outcome |= Outcome.of(PlanChanged())
        case events.PrefillProgress():
            turn.done, turn.total = event.done, event.total
        case events.TextDelta():
            if not turn.generated:
                turn.model = session.model_folder
            _write(turn, event)
            session.rate.read(event.request, event.time, event.tokens)
            outcome |= Outcome.of(RateChanged())
        case events.RequestFinished():
            _finish(turn, event)
            turn.model = conversation.model = session.model_folder
            conversation.mark_thinking(session.engine.model)
            session.touch(conversation)
            session.rate.stop(event.report.decode_tok_s)
            session.attempts.pop(event.request, None)
            outcome |= Outcome.of(PlanChanged(), RateChanged(), ConversationsChanged())
            outcome |= unsent.ended(session, conversation, turn)
    return outcome


def _write(turn: Turn, event: events.TextDelta) -> None:
    if not turn.generated:
        # Those it had are no longer all of it; the complete ones come at the end.
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
