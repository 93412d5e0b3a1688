"""Where a request's path is in a snapshot, and whose message it is. Without Qt."""

from __future__ import annotations

from app.debug.entry_place import path_end
from engine.events import NodeOwner
from engine.snapshot import CacheSnapshot, NodeView
from engine.trace.tape import Tape
from engine.trace.why.evidence import Evidence


def fork_in(tape: Tape, evidence: Evidence, snapshot: CacheSnapshot | None) -> int | None:
    """The node at whose end the prompt left what was known; None if its path is not there."""
    end = _end_node(tape, evidence)
    if end is None or snapshot is None:
        return None
    nodes = {node.id: node for node in snapshot.nodes}
    at = nodes.get(end)
    found: NodeView | None = None
    while at is not None and at.parent is not None:
        if at.end < evidence.known:
            break
        found = at
        at = nodes.get(at.parent)
    if found is None or found.end > len(evidence.request.ran.sequence):
        return None
    return found.id


def _end_node(tape: Tape, evidence: Evidence) -> int | None:
    """The deepest node of a request's path at its end, by what it locked and stored."""
    at = path_end(tape, evidence.request.index)
    return None if at is None else getattr(tape.entry(at).what, "node", None)


def owner_of(evidence: Evidence) -> NodeOwner | None:
    """The message that the request answered, as the engine names it; None if nobody's."""
    ran = evidence.request.ran
    return NodeOwner(ran.owner, len(ran.prompt), ran.request) if ran.owner else None
