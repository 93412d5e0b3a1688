"""Every change of a cache as a small immutable record, for the journal and for trace files.

They are named tuples and not dataclasses: one is made for every change, and a frozen dataclass
costs three times as much to make. A record says what changed in the terms of the tree's views, so
that a reducer can follow the tree without having one.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.snapshot import NodeView
from engine.stored_state import StoredState


class CacheOpened(NamedTuple):
    """An empty cache; its root was created at the record's time."""

    policy: str
    kv_slots: int
    state_slots: int
    kv_slot_bytes: int
    state_slot_bytes: int


class CacheFound(NamedTuple):
    """A cache as a late listener finds it: `nodes` parents before children, slots a request holds.

    `evicted` counts by cause since the cache was opened.
    """

    opened: CacheOpened
    nodes: tuple[NodeView, ...]
    live_kv: int
    live_states: int
    evicted: tuple[tuple[str, int], ...]
    skipped: int


class PoolsResized(NamedTuple):
    """The pools hold so many slots from now on."""

    kv_slots: int
    state_slots: int


class SlotsLive(NamedTuple):
    """Slots that requests hold and the tree does not, counted anew."""

    kv: int
    states: int


class NodeAdded(NamedTuple):
    """A new leaf [start, end) below `parent`."""

    node: int
    parent: int
    start: int
    end: int


class NodeSplit(NamedTuple):
    """`node` now begins at `position`; the new node `upper` lies above it."""

    node: int
    upper: int
    position: int


class NodeRemoved(NamedTuple):
    """A leaf left the tree with everything it had.

    `copy`: the tier below that had its checkpoint by then, "" where none was asked or has it.
    """

    node: int
    cause: str
    copy: str = ""


class Touched(NamedTuple):
    """A match went from the root down into `node` and consumed the checkpoint of `checkpoint`."""

    node: int
    checkpoint: int | None


class Refreshed(NamedTuple):
    """The path down to `node` and its checkpoint count as used, without having been matched."""

    node: int


class CheckpointStored(NamedTuple):
    """`node` has a checkpoint at its end, from now on that of `slot`.

    `hits`: inherited from the one that it replaces. A verdict in `state` is also told on its own,
    as Stamped.
    """

    node: int
    slot: int
    hits: int
    state: StoredState


class CheckpointDropped(NamedTuple):
    """The checkpoint of `node` went and the node stayed, or another one takes its place.

    `copy`: see NodeRemoved.
    """

    node: int
    position: int
    cause: str
    copy: str = ""


class SegmentRemoved(NamedTuple):
    """A file of the disk tier went: the KV of tokens [start, end) and the state at `end`.

    `bytes` of the whole file, of which `kv_bytes` were KV; `cause` is a FileCause.
    """

    start: int
    end: int
    provenance: str
    bytes: int
    kv_bytes: int
    cause: str


class CheckpointSkipped(NamedTuple):
    """No state slot could be had for a checkpoint at `position`."""

    position: int


class CheckpointCopied(NamedTuple):
    """A checkpoint was to go from tier to tier; `outcome` is an Intake."""

    position: int
    source: str
    target: str
    outcome: str


class StateSlotMoved(NamedTuple):
    """The checkpoint of `node` lies in another slot."""

    node: int
    slot: int


class KvLocked(NamedTuple):
    """One more KV lock on `node` and all above it, up to but without `below` (None: all)."""

    node: int
    below: int | None


class KvUnlocked(NamedTuple):
    """One KV lock less on `node` and all above it."""

    node: int


class StateLocked(NamedTuple):
    node: int


class StateUnlocked(NamedTuple):
    node: int


class RequestBegan(NamedTuple):
    """A request of `total` prompt tokens was matched and starts to run."""

    request: int
    total: int
    reused: int
    replayed: int


class RequestAt(NamedTuple):
    """The running request has applied `position` tokens; its path ends at `node`."""

    request: int
    node: int
    position: int


class Stamped(NamedTuple):
    """An audit's verdict on the checkpoint of `node`, with the audit's own time: see Verdict.

    `inherited`: it came with the bytes from another tier.
    """

    node: int
    position: int
    status: str
    largest: float
    kl: float
    inherited: bool


class Noticed(NamedTuple):
    """Something that the user was told: a damaged file that was removed, a full disk."""

    sentence: str


class Cleared(NamedTuple):
    """The user dropped the cache, `running`: while a request ran, which has noted where."""

    running: bool


class EntriesLost(NamedTuple):
    """So many entries could not be written in time and are missing here."""

    entries: int


Change = (
    CacheOpened
    | CacheFound
    | PoolsResized
    | SlotsLive
    | NodeAdded
    | NodeSplit
    | NodeRemoved
    | Touched
    | Refreshed
    | CheckpointStored
    | CheckpointDropped
    | SegmentRemoved
    | CheckpointSkipped
    | CheckpointCopied
    | StateSlotMoved
    | KvLocked
    | KvUnlocked
    | StateLocked
    | StateUnlocked
    | RequestBegan
    | RequestAt
    | Stamped
    | Noticed
    | Cleared
    | EntriesLost
)
