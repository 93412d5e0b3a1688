"""A node and its checkpoint as described by records, and their views."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.snapshot import CheckpointView, NodeView, PoolView
from engine.stored_state import StoredState


@dataclass(slots=True)
class HeldState:
    """A checkpoint; see CheckpointView."""

    state: StoredState
    slot: int
    created: float
    last_used: float
    hits: int


@dataclass(slots=True)
class Span:
    """A node; the fields are those of NodeView."""

    id: int
    parent: int | None
    start: int
    end: int
    created: float
    last_used: float
    hits: int = 0
    kv_lock: int = 0
    state_lock: int = 0
    pinned: bool = False
    held: HeldState | None = None
    children: dict[int, None] = field(default_factory=dict)


def node_view(span: Span, kv_bytes: int, state_bytes: int) -> NodeView:
    held = span.held
    checkpoint = None
    if held is not None:
        checkpoint = CheckpointView(
            state=held.state,
            slot=held.slot,
            bytes=state_bytes,
            created=held.created,
            last_used=held.last_used,
            hits=held.hits,
        )
    return NodeView(
        id=span.id,
        parent=span.parent,
        start=span.start,
        end=span.end,
        kv_lock=span.kv_lock,
        state_lock=span.state_lock,
        kv_bytes=(span.end - span.start) * kv_bytes,
        created=span.created,
        last_used=span.last_used,
        hits=span.hits,
        checkpoint=checkpoint,
        pinned=span.pinned,
    )


def pool_view(total: int, live: int, cached: int, locked: int, slot_bytes: int) -> PoolView:
    return PoolView(
        total=total,
        free=total - live - cached,
        live=live,
        cached=cached,
        locked=locked,
        slot_bytes=slot_bytes,
    )
