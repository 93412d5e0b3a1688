"""One edge of the tree: a span of tokens, the KV slots of that span, at most one checkpoint."""

from __future__ import annotations

import weakref
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from engine.cache.recency import Stamp
from engine.cache.runs import Runs
from engine.config import STATE_FORMATS, StateFormat
from engine.verdict import Verdict

Tokens = npt.NDArray[np.int32]
Provenance = Literal["prefill", "decode", "branch"]
TierName = Literal["device", "host", "disk"]
ROOT_ID = 0


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the bytes of a state have been before; see Checkpoint for the fields."""

    tier: TierName = "device"
    stored: StateFormat = "none"
    error: float = 0.0
    verdict: Verdict | None = None

    @property
    def whole(self) -> bool:
        """Nothing that it came of was ever compressed or found to differ."""
        return self.stored == "none" and not self.error and not drifted(self.verdict)

    def exact(self, provenance: str, chain: int | None) -> bool:
        """Written so, and having gone this way, the bytes are a prefill's at its chain's cuts."""
        return self.whole and provenance == "prefill" and chain is not None

    def passed_on(self) -> Origin:
        """What has to be said of a state that a run computed from this one.

        It is no better than what it came of. The verdict was on this one and goes with it, but for
        a difference that was measured.
        """
        apart = self.verdict.largest if self.verdict and drifted(self.verdict) else 0.0
        return Origin(stored=self.stored, error=max(self.error, apart))


HERE = Origin()


def coarser(one: StateFormat, other: StateFormat) -> StateFormat:
    """Of two formats that a state went through, the one that cost it more."""
    return max(one, other, key=STATE_FORMATS.index)


def drifted(verdict: Verdict | None) -> bool:
    """An audit found it beyond rounding, but harmless."""
    return verdict is not None and verdict.status == "drifted"


def verified(verdict: Verdict | None) -> bool:
    """An audit found it right."""
    return verdict is not None and verdict.status == "verified"


@dataclass(slots=True)
class Checkpoint:
    """The state after exactly `node.end` tokens, in a state slot that the tree owns.

    Attributes:
        chain: hash of the cut points that made it; None: never bit-equal to a prefill.
        has_hidden: the slot also holds the last hidden row, so a prompt may end right here.
        used: when it was last consumed (or stored).
        hits: how often it was consumed.
        stored: the coarsest format that its bytes, or those it was computed from, went through.
        error: the largest relative error that was measured of any of these, when it was compressed
            or by an audit; 0 is exact.
        tier: where its bytes lay before they came here last.
        verdict: what an audit said of it, None before any.
    """

    slot: int
    provenance: Provenance
    chain: int | None
    has_hidden: bool
    created: float
    used: Stamp
    hits: int = 0
    stored: StateFormat = "none"
    error: float = 0.0
    tier: TierName = "device"
    verdict: Verdict | None = None

    @property
    def exact(self) -> bool:
        """Its bytes are those that a prefill at its chain's cuts wrote, for all that is known."""
        return self.origin.exact(self.provenance, self.chain)

    @property
    def origin(self) -> Origin:
        """Where its bytes have been."""
        return Origin(self.tier, self.stored, self.error, self.verdict)

    @property
    def quarantined(self) -> bool:
        return self.verdict is not None and self.verdict.status == "quarantined"


@dataclass(frozen=True, slots=True)
class Loss:
    """What was evicted, why and when. `position` is where its checkpoint was."""

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
        runs: the KV slots of the span, in order.
        children: by the first token of their span.
        checkpoint: at `end`; None on a tombstone.
        kv_lock: requests that read KV here or below.
        state_lock: requests that hold this node's checkpoint; never above `kv_lock`.
        created: when the span was first put into the tree; a split does not change it.
        loss: on a tombstone: that its checkpoint was evicted, why and when.
        gone: children that were removed, by first token (a bounded memory for reasons).
        used: when a match last went through the span.
        hits: matches that went through it.
    """

    id: int
    start: int
    tokens: Tokens
    runs: Runs
    created: Stamp
    used: Stamp
    children: dict[int, Node] = field(default_factory=dict)
    checkpoint: Checkpoint | None = None
    kv_lock: int = 0
    state_lock: int = 0
    hits: int = 0
    loss: Loss | None = None
    gone: dict[int, Gone] = field(default_factory=dict)
    _parent: weakref.ref[Node] | None = None

    @property
    def end(self) -> int:
        return self.start + len(self.tokens)

    @property
    def parent(self) -> Node | None:
        """The node above; None at the root (and on a node that left the tree)."""
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
        """Nothing keeps it: no child, no checkpoint, no lock. Such a node must leave the tree."""
        return not (self.is_root or self.children or self.checkpoint or self.kv_lock)
