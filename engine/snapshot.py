"""The cache at one moment, as immutable records: drawn by the pane, compared by the tests."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from engine.stored_state import StoredState, TierName, Why

TIERS: tuple[TierName, ...] = ("device", "host", "disk")
"""Nearest first."""
_RANK: dict[str, int] = {tier: rank for rank, tier in enumerate(TIERS)}
Untold = Literal["states", "locks", "uses", "sizes", "requests"]
"""What a remote engine may not report: which states it has, what is locked, when and how often
something was used, how large its pools are, and the requests it received."""


class CheckpointView(Struct, frozen=True, gc=False):
    """A checkpoint. `state.tier` is the nearest tier that has it; `slot` and `bytes` are there."""

    state: StoredState
    slot: int
    bytes: int
    created: float
    last_used: float
    hits: int

    @property
    def why(self) -> Why:
        """Why the engine stored it, "" if unknown."""
        return self.state.why


class Speech(Struct, frozen=True, gc=False):
    """A stretch of a node's tokens by one speaker, up to the next one's or the node's end.

    Attributes:
        start: its first position in the node's span.
        role: "system", "user", "tool", "thinking" or "assistant"; "" outside all messages.
        text: its first decoded characters in this node, without header and tags.
        opens: the message, its thinking, or its answer after the thinking begins here, not in an
            earlier node.
    """

    start: int
    role: str
    text: str
    opens: bool


class NodeView(Struct, frozen=True, gc=False):
    """One edge of the tree: tokens [start, end) of every sequence through it.

    Attributes:
        parent: node id, None for the root (id 0, start = end = 0).
        kv_lock, state_lock: lock counts.
        checkpoint: at `end`; None on a tombstone.
        tier: the nearest one that has its KV, "device", "host" or "disk".
        text: the first decoded characters of the span.
        speech: who speaks in it, in order; empty if unknown.
        pinned: kept until it is unpinned.
        owners: of the sequences that run through it, as Submit and Claim name them, most recently
            updated first; empty if unknown.
        key: of all tokens down to its end, whatever its id; "" if they are unknown.
        doubtful: it may have been removed: events were lost, and it was not confirmed since.
        state_told: whether it is known if it has a checkpoint.
        lane: the label of one of several engines, which this node without tokens represents.
    """

    id: int
    parent: int | None
    start: int
    end: int
    kv_lock: int
    state_lock: int
    kv_bytes: int
    created: float
    last_used: float
    hits: int
    checkpoint: CheckpointView | None
    text: str = ""
    tier: str = "device"
    speech: tuple[Speech, ...] = ()
    pinned: bool = False
    owners: tuple[int, ...] = ()
    key: str = ""
    doubtful: bool = False
    lane: str = ""
    state_told: bool = True

    @property
    def tombstone(self) -> bool:
        return self.checkpoint is None and self.parent is not None and self.state_told


class Evicted(Struct, frozen=True, gc=False):
    """Something evicted from a tier, as the journal recorded it.

    Attributes:
        seq, time: of the journal's entry; `time` is seconds on the cache's clock.
        tier: where it was, "device", "host" or "disk".
        node: its id on that tier; 0 for a file.
        above: the node under which its place is now; in a trace, its parent's id on that tier.
        start, end: its span in tokens when it was evicted; a state was the one at `end`.
        plane: "kv", "state" or "both".
        cause: as named by the journal.
        kv_bytes, state_bytes: bytes freed on its tier; 0 for a plane that stayed.
        provenance: of the state, "" if none was evicted.
        copy: the nearest tier that had a copy right afterwards ("" for none). The state decides,
        because KV alone cannot be resumed from.
        cached_to: how far its tokens are still in the snapshot; `start` if none of them are.
        node_before, node_now: the node that covered the span in the previous snapshot, and the
        one that does in this one; None if there is none, and in a trace.
    """

    seq: int
    time: float
    tier: str
    node: int
    above: int
    start: int
    end: int
    plane: str
    cause: str
    kv_bytes: int
    state_bytes: int
    provenance: str = ""
    copy: str = ""
    cached_to: int = 0
    node_before: int | None = None
    node_now: int | None = None

    @property
    def moved(self) -> bool:
        """Whether a lower tier has a copy."""
        return bool(self.copy) and _RANK[self.copy] > _RANK[self.tier]


InvariantName = Literal["tree", "KV owners", "KV pool", "states", "locks", "tombstones"]


class Checked(Struct, frozen=True, gc=False):
    """The result of checking an invariant of one tier; `problem` is "" if it holds."""

    tier: str
    name: InvariantName
    problem: str
    seconds: float


class PoolView(Struct, frozen=True, gc=False):
    """One pool in slots: `free + live + cached == total`; `locked` is part of `cached`.

    `beside`: the live slots that are the engine's own, outside the budget.
    """

    total: int
    free: int
    live: int
    cached: int
    locked: int
    slot_bytes: int
    beside: int = 0

    @property
    def budget_bytes(self) -> int:
        """The pool's budget, in whole slots."""
        return (self.total - self.beside) * self.slot_bytes

    @property
    def used_bytes(self) -> int:
        """Used bytes of the budget."""
        return (self.cached + self.live - self.beside) * self.slot_bytes


class HostView(Struct, frozen=True, gc=False):
    """The host tier's two pools."""

    kv: PoolView
    state: PoolView


class DiskView(Struct, frozen=True, gc=False):
    """The disk tier: files and bytes; `damaged` counts files that were reported and removed.

    `trouble`: one sentence for as long as nothing can be written ("" otherwise): what happened and
    what is being done about it.
    """

    files: int
    used_bytes: int
    budget_bytes: int
    pending: int
    damaged: int
    trouble: str = ""


class ExpertsView(Struct, frozen=True, gc=False):
    """The model's routed experts and those resident in memory; bytes of the resident ones.

    `hits` and `misses` count how often a token's expert was resident since the start.
    """

    total: int
    resident: int
    used_bytes: int
    budget_bytes: int
    hits: int
    misses: int


class MemoryView(Struct, frozen=True, gc=False):
    """Device bytes by purpose, as allocated: they sum to what the engine holds.

    `drafts`: of these, what drafts take: the model's draft head, its layer of the KV plane, and the
    rows that are checked.
    """

    weights: int
    kv_plane: int
    state_plane: int
    workspace: int
    drafts: int = 0


class LiveView(Struct, frozen=True, gc=False):
    """The running request: its path ends at node `node`, it has applied `position` tokens.

    `reused`, `replayed`, `total` are of its prompt; `position` passes `total` while decoding.
    `speech`: who speaks in its prompt, from position 0 on; empty if unknown.
    `owner`: the prompt's owner, 0 if unknown.
    """

    request: int
    node: int
    position: int
    reused: int
    replayed: int
    total: int
    speech: tuple[Speech, ...] = ()
    owner: int = 0


class Branch(Struct, frozen=True, gc=False):
    """A cached part of a conversation's sequence, which one of its requests ran.

    Attributes:
        owner: as Submit and Claim name it.
        request: that ran it, or the mark of the message with which a claimed one ends; 0 for none.
        node: the deepest node that has tokens of it, up to position `end`.
    """

    owner: int
    request: int
    node: int
    end: int


class CacheSnapshot(Struct, frozen=True, gc=False):
    """The whole cache at one version. `evicted` counts evictions by cause since the start, and
    `quarantined` the checkpoints that an audit found wrong.

    `nodes` is one tree over all tiers; `kv`, `state` and `memory` are the device's.

    `disk_untold`: there is a disk tier, but a trace of an older version has no records of it.

    `evictions` are those on any tier since this reader's previous snapshot, oldest first;
    `unlisted` counts earlier ones that could not be kept.

    `untold`: what is unknown, so that a zero or a None there means nothing.

    `branches` are the sequences of the conversations, most recently updated first; for a tape they
    are queried separately, see there.
    """

    version: int
    time: float
    nodes: tuple[NodeView, ...]
    kv: PoolView
    state: PoolView
    memory: MemoryView
    live: LiveView | None
    evicted: tuple[tuple[str, int], ...]
    skipped_checkpoints: int
    quarantined: int = 0
    host: HostView | None = None
    disk: DiskView | None = None
    experts: ExpertsView | None = None
    disk_untold: bool = False
    evictions: tuple[Evicted, ...] = ()
    unlisted: int = 0
    branches: tuple[Branch, ...] = ()
    untold: tuple[Untold, ...] = ()
