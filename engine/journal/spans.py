"""A node and its checkpoint, as records describe them, and their views."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from engine.snapshot import CheckpointView, NodeView, PoolView
from engine.stored_state import StoredState

# Per token in `Span.tokens`.
BYTES = 4


@dataclass(slots=True)
class HeldState:
    """A checkpoint; see CheckpointView.

    Attributes:
        nbytes: on disk, where each state has its own size; elsewhere the tier determines it.
    """

    state: StoredState
    slot: int
    created: float
    last_used: float
    hits: int
    nbytes: int = 0


@dataclass(slots=True, eq=False)
class Span:
    """A node; the fields are those of NodeView.

    Attributes:
        tokens: `[end - start] int32` as bytes; b"" if unknown.
        children: number of direct children.
    """

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
    children: int = 0
    tokens: bytes = b""

    def cut(self, number: int, position: int) -> Span:
        """Split the part before `position` off as a span with that id."""
        at = BYTES * (position - self.start)
        upper = Span(
            id=number,
            parent=self.parent,
            start=self.start,
            end=position,
            created=self.created,
            last_used=self.last_used,
            hits=self.hits,
            kv_lock=self.kv_lock,
            children=1,
            tokens=self.tokens[:at],
        )
        self.start, self.parent, self.tokens = position, number, self.tokens[at:]
        return upper

    def join(self, upper: Span) -> None:
        """Undo a split."""
        self.start, self.parent = upper.start, upper.parent
        self.tokens = upper.tokens + self.tokens

    def restorer(self) -> Callable[[], None]:
        """A function that restores the fields that change while the span stays in place."""
        fields = self.last_used, self.hits, self.kv_lock, self.state_lock, self.pinned, self.held
        return partial(self._restore, fields)

    def _restore(self, fields: tuple[float, int, int, int, bool, HeldState | None]) -> None:
        (
            self.last_used,
            self.hits,
            self.kv_lock,
            self.state_lock,
            self.pinned,
            self.held,
        ) = fields


def span_of(view: NodeView, tokens: bytes) -> Span:
    """A span from a view, without its children."""
    held = view.checkpoint
    state = None
    if held is not None:
        state = HeldState(held.state, held.slot, held.created, held.last_used, held.hits)
    return Span(
        id=view.id,
        parent=view.parent,
        start=view.start,
        end=view.end,
        created=view.created,
        last_used=view.last_used,
        hits=view.hits,
        kv_lock=view.kv_lock,
        state_lock=view.state_lock,
        pinned=view.pinned,
        held=state,
        tokens=tokens,
    )


def node_view(span: Span, kv_bytes: int, state_bytes: int) -> NodeView:
    held = span.held
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
        checkpoint=None if held is None else checkpoint_view(held, state_bytes),
        pinned=span.pinned,
    )


def checkpoint_view(held: HeldState, state_bytes: int) -> CheckpointView:
    return CheckpointView(
        state=held.state,
        slot=held.slot,
        bytes=state_bytes,
        created=held.created,
        last_used=held.last_used,
        hits=held.hits,
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
