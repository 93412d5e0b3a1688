"""The user's actions on the cache and on what conversations have in it; each returns an Outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.session.changes import NOTHING, ActsChanged, Noted, Outcome, RemovalChanged
from app.session.ownership import owned_message
from app.session.records import EnginePhase
from app.words.tr import tr
from engine.commands import Action, VerifyNode
from engine.events import NodeOwner

if TYPE_CHECKING:
    from app.session.model import Session


def verify(session: Session, node: int) -> Outcome:
    """Verify the checkpoint of a node against a cold run."""
    session.verifying.add(node)
    note = Noted(tr("Verifying the checkpoint; Esc stops it."))
    return Outcome.of(note, commands=(VerifyNode(node),))


def act(session: Session, action: Action, node: int, position: int) -> Outcome:
    """Do something to a cached node by hand; see Act."""
    return Outcome.of(ActsChanged(), commands=(session.acts.act(action, node, position),))


def remove_deleted(session: Session) -> Outcome:
    """Remove what only the last deleted conversation used from the cache, files included."""
    shown = session.removals.shown
    if shown is None or shown.stage != "offered" or session.deleted is None:
        return NOTHING
    return session.removals.ask(session, session.deleted[1], _ready_model(session))


def always_remove(session: Session, on: bool) -> Outcome:
    """Let deleted conversations leave the cache unasked, the last one included, or no longer."""
    session.removals.always = on
    return Outcome.of(RemovalChanged()) | (remove_deleted(session) if on else NOTHING)


def claim_next(session: Session) -> Outcome:
    """Tell the engine of one more conversation of an earlier start, unless it is busy."""
    if session.busy or not _ready_model(session):
        return NOTHING
    return session.claims.next(session, _ready_model(session))


def open_owner(session: Session, owner: NodeOwner) -> Outcome:
    """Open the conversation that a node belongs to, at the message at the node's end."""
    found = next((one for one in session.conversations if one.id == owner.owner), None)
    if found is None:
        return NOTHING
    opened = session.select(found.id)
    leaf = found.last.id if found.last is not None else None
    message = owned_message(found.tree, leaf, owner)
    return opened if message is None else opened | session.show_message(found.id, message)


def _ready_model(session: Session) -> str:
    """Its folder; "" if none is ready."""
    return session.model_folder if session.engine.phase is EnginePhase.READY else ""
