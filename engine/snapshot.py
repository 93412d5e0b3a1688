"""The cache at one moment, as immutable records: what the panel draws and the tests compare."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CheckpointView:
    """A stored state. `provenance` is "prefill", "decode" or "branch"; `tier` is "device"."""

    position: int
    slot: int
    provenance: str
    tier: str
    bytes: int
    created: float
    last_used: float
    hits: int


@dataclass(frozen=True, slots=True)
class NodeView:
    """One edge of the tree: tokens [start, end) of every sequence through it.

    Attributes:
        parent: node id, None for the root (id 0, start = end = 0).
        kv_lock, state_lock: lock counts.
        checkpoint: at `end`; None on a tombstone.
        text: the first decoded characters of the span.
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

    @property
    def tombstone(self) -> bool:
        return self.checkpoint is None and self.parent is not None


@dataclass(frozen=True, slots=True)
class PoolView:
    """One pool in slots: `free + live + cached == total`; `locked` is part of `cached`."""

    total: int
    free: int
    live: int
    cached: int
    locked: int
    slot_bytes: int


@dataclass(frozen=True, slots=True)
class MemoryView:
    """Device bytes by purpose, as allocated: they sum to what the engine holds."""

    weights: int
    kv_plane: int
    state_plane: int
    workspace: int


@dataclass(frozen=True, slots=True)
class LiveView:
    """The running request: its path ends at node `node`, it has applied `position` tokens.

    `reused`, `replayed`, `total` are of its prompt; `position` passes `total` while decoding.
    """

    request: int
    node: int
    position: int
    reused: int
    replayed: int
    total: int


@dataclass(frozen=True, slots=True)
class CacheSnapshot:
    """Everything at one version. `evicted` counts evictions by cause since the start."""

    version: int
    time: float
    nodes: tuple[NodeView, ...]
    kv: PoolView
    state: PoolView
    memory: MemoryView
    live: LiveView | None
    evicted: tuple[tuple[str, int], ...]
    skipped_checkpoints: int
