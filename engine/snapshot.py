"""The cache at one moment, as immutable records: drawn by the pane, compared by the tests."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from engine.stored_state import StoredState, TierName, Why

TIERS: tuple[TierName, ...] = ("device", "host", "disk")
"""The nearest first."""
_RANK: dict[str, int] = {tier: rank for rank, tier in enumerate(TIERS)}
Untold = Literal["states", "locks", "uses", "sizes", "requests"]
"""What an engine that runs elsewhere may not tell: which states it has, what is locked, when and
how often something was used, how large its pools are, and what was asked of it."""


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
        """What made the engine keep one there, "" if it is not known."""
        return self.state.why


class Speech(Struct, frozen=True, gc=False):
    """A stretch of a node's tokens by one speaker, up to the next one's or the node's end.

    Attributes:
        start: its first position in the node's span.
        role: "system", "user", "tool", "thinking" or "assistant"; "" outside all messages.
        text: its first decoded characters in this node, without header and tags.
        opens: the message, its thinking, or its answer after the thinking begins here; otherwise
            an earlier node began it.
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
        speech: who speaks in it, in order; empty if that is not known.
        pinned: kept until it is unpinned.
        owners: whose sequences run through it, as Submit and Claim name them, the one heard of last
            first; empty if that is not known.
        key: of all tokens down to its end, whatever its id; "" where they are not known.
        doubtful: it may be gone: events were lost, and it was not heard of since.
        state_told: whether it has a checkpoint is known.
        lane: it has no tokens and stands for one of several engines, whose label this is.
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
        tier: what it left, "device", "host" or "disk".
        node: its id on that tier; 0 for a file.
        above: the node under which its place is now; in a trace, its parent's id on that tier.
        start, end: its span in tokens when it was evicted; a state was the one at `end`.
        plane: "kv", "state" or "both".
        cause: as named by the journal.
        kv_bytes, state_bytes: bytes freed on its tier; 0 for a plane that stayed.
        provenance: of the state, "" where none went.
        copy: the nearest tier that had a copy right afterwards ("" for none). The state counts,
        because KV alone resumes nothing.
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
        """Whether a tier below has a copy."""
        return bool(self.copy) and _RANK[self.copy] > _RANK[self.tier]


InvariantName = Literal["tree", "KV owners", "KV pool", "states", "locks", "tombstones"]


class Checked(Struct, frozen=True, gc=False):
    """An invariant of one tier, as it was checked; `problem` is "" if it holds."""

    tier: str
    name: InvariantName
    problem: str
    seconds: float


class PoolView(Struct, frozen=True, gc=False):
    """One pool in slots: `free + live + cached == total`; `locked` is part of `cached`.

    `beside`: the live slots that are not of the budget, but the engine's own.
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
        """What was given to the pool, in whole slots."""
        return (self.total - self.beside) * self.slot_bytes

    @property
    def used_bytes(self) -> int:
        """Of the budget."""
        return (self.cached + self.live - self.beside) * self.slot_bytes


class HostView(Struct, frozen=True, gc=False):
    """The host tier's two pools."""

    kv: PoolView
    state: PoolView


class DiskView(Struct, frozen=True, gc=False):
    """The disk tier: files and bytes; `damaged` counts files that were reported and removed.

    `trouble`: one sentence for as long as nothing can be written ("" otherwise): what happened and
    what is done about it.
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
    """Device bytes by purpose, as allocated: they sum to what the engine holds."""

    weights: int
    kv_plane: int
    state_plane: int
    workspace: int


class LiveView(Struct, frozen=True, gc=False):
    """The running request: its path ends at node `node`, it has applied `position` tokens.

    `reused`, `replayed`, `total` are of its prompt; `position` passes `total` while decoding.
    `speech`: who speaks in its prompt, from position 0 on; empty if that is not known.
    `owner`: whose prompt it is, 0 if nobody is known to be.
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
    """A sequence of a conversation, as far as it is cached: what one of its requests ran.

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
    `quarantined` the checkpoints that an audit found to be wrong.

    `nodes` is one tree over all tiers; `kv`, `state` and `memory` are the device's.

    `disk_untold`: there is a disk tier, of which a trace of an older version says nothing.

    `evictions` are those on any tier since this reader's previous snapshot, oldest first;
    `unlisted` counts earlier ones that could not be kept.

    `untold`: what nothing is known of, so that a zero or a None there says nothing.

    `branches` are the sequences of the conversations, the ones heard of last first; a tape is
    asked for them, see there.
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
