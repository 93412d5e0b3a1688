"""One edge of the tree: a span of tokens, the KV slots of that span, at most one checkpoint."""

from __future__ import annotations

import weakref
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from engine.cache.extents import Extents
from engine.cache.recency import Stamp
from engine.stored_state import StoredState

Tokens = npt.NDArray[np.int32]
ROOT_ID = 0


@dataclass(slots=True)
class Checkpoint:
    """A stored state in a slot that the tree owns, at the end of a node.

    Attributes:
        state: the stored state; its position is `node.end`.
        used: when it was last consumed (or stored).
        hits: number of times it was consumed.
    """

    state: StoredState
    slot: int
    created: float
    used: Stamp
    hits: int = 0


@dataclass(frozen=True, slots=True)
class Loss:
    """What was evicted, why and when. `position` is that of its checkpoint."""

    position: int
    cause: str
    time: float


@dataclass(frozen=True, slots=True)
class Gone:
    """A removed child: how its span began, and what was lost with it."""

    head: bytes
    tokens: int
    loss: Loss


@dataclass(slots=True, eq=False, weakref_slot=True)
class Node:
    """Tokens [start, end) of every sequence that passes through.

    The parent is held weakly, so the tree has no reference cycles: garbage collection is off on
    the engine's thread.

    Attributes:
        tokens: `[end - start] int32`; empty at the root only.
        extents: the KV slots of the span, in order.
        children: by the first token of their span.
        checkpoint: at `end`; None on a tombstone.
        kv_lock: requests that read KV here or below.
        state_lock: requests that hold this node's checkpoint; never above `kv_lock`.
        created: when the span was first put into the tree; unchanged by a split.
        loss: on a tombstone: why and when its checkpoint was evicted.
        gone: children that were removed, by first token (a bounded memory for reasons).
        used: when a match last passed through the span.
        hits: matches that passed through it.
        pinned: no policy evicts its checkpoint, nor the KV down to its end.
        one_shot: only requests that are not expected to be continued have stored or extended it.
    """

    id: int
    start: int
    tokens: Tokens
    extents: Extents
    created: Stamp
    used: Stamp
    children: dict[int, Node] = field(default_factory=dict)
    checkpoint: Checkpoint | None = None
    kv_lock: int = 0
    state_lock: int = 0
    hits: int = 0
    pinned: bool = False
    one_shot: bool = False
    loss: Loss | None = None
    gone: dict[int, Gone] = field(default_factory=dict)
    _parent: weakref.ref[Node] | None = None

    @property
    def end(self) -> int:
        return self.start + len(self.tokens)

    @property
    def parent(self) -> Node | None:
        """The parent node; None at the root (and on a node that left the tree)."""
        return self._parent() if self._parent is not None else None

    @parent.setter
    def parent(self, node: Node | None) -> None:
        self._parent = weakref.ref(node) if node is not None else None

    @property
    def is_root(self) -> bool:
        return self.id == ROOT_ID

    @property
    def is_leaf(self) -> bool:
        return not self.children

    @property
    def bare(self) -> bool:
        """Whether no child, checkpoint or lock keeps it. Such a node must leave the tree."""
        return not (self.is_root or self.children or self.checkpoint or self.kv_lock)
