"""Which model answers in a conversation: the one it used last, until the user chooses another.

A request of a conversation that uses another model than the open one waits, with its answer on
screen, until one of the two is chosen.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.core.session.changes import NOTHING, Changed, Outcome
from app.core.session.context_use import context_tokens
from app.core.session.model import Session
from app.core.session.records import Conversation, EnginePhase
from app.core.words.model_words import SwitchCost, switch_sentence
from app.core.words.tr import tr
from engine.net.client.connection import Connection

# Shorter prompts are too noisy to measure prefill speed.
_LEAST_READ = 32


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The conversation on screen uses another model than the open one.

    Attributes:
        folder, name: of its model.
        open_name: the open one; "" if none is.
        sentence: the situation, and the cost of switching.
        waits: a message waits for the decision.
    """

    folder: str
    name: str
    open_name: str
    sentence: str
    waits: bool


def elsewhere(session: Session) -> Elsewhere | None:
    """None if the right model is open or being opened."""
    current, engine = session.current, session.engine
    settled = engine.phase in (EnginePhase.READY, EnginePhase.NONE, EnginePhase.FAILED)
    open_one = engine.model if engine.phase is EnginePhase.READY else None
    if not current.model or not settled or session.coming is not None:
        return None
    if open_one is not None and current.fits(open_one.folder):
        return None
    name = _name(current.model)
    open_name = "" if open_one is None else open_one.name
    held = {submit.request for submit in session.waiting}
    waits = current.running is not None and current.running.request in held
    sentence = switch_sentence(name, open_name, _cost(session, current), waits=waits)
    return Elsewhere(current.model, name, open_name, sentence, waits)


def _name(model: str) -> str:
    """The name of a folder's model, or of a remote one with its place."""
    there = Connection.parse(model)
    if there is None:
        return Path(model).name
    return tr("{name} at {place}").format(name=there.name, place=there.address.place)


def stay(session: Session) -> Outcome:
    """Use the open model for the conversation on screen; what waits is sent."""
    current = session.current
    if elsewhere(session) is None or not session.model_folder:
        return NOTHING
    current.model = session.model_folder
    current.mark_thinking(session.engine.model)
    session.forecast.forget()
    told = Changed.CONVERSATIONS, Changed.TURNS.of(current.id), Changed.PREVIEW
    return Outcome.of(*told, commands=session.held_back())


def _cost(session: Session, conversation: Conversation) -> SwitchCost:
    """The cost of opening a conversation's model, from earlier measurements."""
    answers = [turn for turn in conversation.turns if turn.report is not None]
    tokens = context_tokens(answers[-1]) if answers else 0
    read, spent_ms = 0, 0.0
    for turn in answers:
        report = turn.report
        assert report is not None, "filtered above"
        read += report.plan.replayed + report.plan.computed
        spent_ms += report.prefill_ms + report.replay_ms
    applied = session.applied.remembered(conversation.model).get("disk_bytes")
    files = session.disk_bytes if applied is None else session.disk_bytes and applied
    read_s = None
    if read >= _LEAST_READ and spent_ms:
        read_s = tokens * spent_ms / read / 1e3
    load_s = session.load_times.of(conversation.model)
    return SwitchCost(load_s, tokens, read_s, files=bool(files))
