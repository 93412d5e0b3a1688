"""Every change of a cache as a small immutable record, for the journal and for trace files.

A record describes the change in terms of the tree's views, so that a reducer can follow the tree
without having one. The disk tier is described by its segments, identified by key.
"""

from __future__ import annotations

from msgspec import Struct

from engine.cache.journal.request_ran import DiskOffer
from engine.snapshot import NodeView
from engine.stored_state import StoredState


class Change(Struct, frozen=True, gc=False):
    """Base class of all changes; each subclass has its own line in a trace file."""


class CacheOpened(Change, frozen=True):
    """An empty cache; its root was created at the record's time."""

    policy: str
    kv_slots: int
    state_slots: int
    kv_slot_bytes: int
    state_slot_bytes: int


class CacheFound(Change, frozen=True):
    """The current cache, for a late listener.

    `nodes` lists parents before children; slots are those that requests hold; `evicted` counts
    evictions by cause since the cache was opened. `tokens` are the spans of `nodes`, as in
    NodeAdded; empty if unknown. `own_states` are slots of the state plane outside the
    cache, `weights` and `workspace` bytes of the model; `quarantined` counts states found wrong.
    """

    opened: CacheOpened
    nodes: tuple[NodeView, ...]
    live_kv: int
    live_states: int
    evicted: tuple[tuple[str, int], ...]
    skipped: int
    tokens: tuple[bytes, ...] = ()
    own_states: int = 0
    weights: int = 0
    workspace: int = 0
    quarantined: int = 0


class ModelMemory(Change, frozen=True):
    """The model's memory besides the planes, in bytes, and its routed experts; see ExpertsView.

    Without routed experts, `experts` is 0. `drafts`: of the weights and the workspace, what drafts
    take; `draft_kv`: of a token's KV, what the draft head's layer takes.
    """

    weights: int
    workspace: int
    experts: int = 0
    resident: int = 0
    resident_bytes: int = 0
    expert_budget: int = 0
    expert_hits: int = 0
    expert_misses: int = 0
    drafts: int = 0
    draft_kv: int = 0


class PoolsResized(Change, frozen=True):
    """The pools' new sizes, in slots."""

    kv_slots: int
    state_slots: int


class SlotsLive(Change, frozen=True):
    """A new count of the slots that requests hold, excluding the tree's."""

    kv: int
    states: int


class NodeAdded(Change, frozen=True):
    """A new leaf [start, end) below `parent`.

    `tokens`: `[end - start] int32` of the span, little-endian; b"" if unknown. Only recorders and
    viewers of the journal get them: its ring would keep those of removed nodes.
    """

    node: int
    parent: int
    start: int
    end: int
    tokens: bytes = b""


class NodeSplit(Change, frozen=True):
    """`node` now begins at `position`; the new node `upper` is its parent."""

    node: int
    upper: int
    position: int


class NodeRemoved(Change, frozen=True):
    """A leaf was removed from the tree with everything it held.

    `copy`: the lower tier that holds its checkpoint, "" if none does or none was asked.
    """

    node: int
    cause: str
    copy: str = ""


class Touched(Change, frozen=True):
    """A match walked from the root into `node` and consumed the checkpoint of node `checkpoint`."""

    node: int
    checkpoint: int | None


class Refreshed(Change, frozen=True):
    """The path down to `node` and its checkpoint were marked as used without a match."""

    node: int


class CheckpointStored(Change, frozen=True):
    """`node` has a checkpoint at its end, now stored in `slot`.

    `hits`: inherited from the checkpoint it replaces. A verdict in `state` is also logged
    separately, as Stamped.
    """

    node: int
    slot: int
    hits: int
    state: StoredState


class CheckpointDropped(Change, frozen=True):
    """The checkpoint of `node` was dropped, leaving the node, or is replaced by another one.

    `copy`: see NodeRemoved.
    """

    node: int
    position: int
    cause: str
    copy: str = ""


class DiskOpened(Change, frozen=True):
    """The current disk tier, for a late listener; its segments follow, parents before children.

    Attributes:
        kv_slot_bytes: bytes of KV per token in a file.
        damaged, trouble: see DiskTrouble.
    """

    budget_bytes: int
    kv_slot_bytes: int
    damaged: int = 0
    trouble: str = ""


class SegmentAdded(Change, frozen=True):
    """The disk tier accepted a segment; it replaces one with the same key.

    Attributes:
        key: its name; `parent` is the segment that ends at `start`, "" if that is 0.
        end: the position of its state.
        created, used: when its state was stored, and it or a descendant last used; seconds on the
            cache's clock.
        file_bytes: of the file, or its expected size.
        written: whether the file exists; until then the segment is pending in memory.
        found: whether it already existed when this was logged.
        tokens: of its span, as in NodeAdded; b"" if unknown.
    """

    key: str
    parent: str
    start: int
    end: int
    created: float
    used: float
    file_bytes: int
    state: StoredState
    written: bool = False
    found: bool = False
    tokens: bytes = b""


class SegmentWritten(Change, frozen=True):
    """The file of a segment was written, with this size."""

    key: str
    file_bytes: int


class SegmentsUsed(Change, frozen=True):
    """Segments that were last used at `used`, seconds on the cache's clock."""

    keys: tuple[str, ...]
    used: float


class DiskTrouble(Change, frozen=True):
    """Files found damaged so far, and why nothing can be written, "" if it can; see DiskView."""

    damaged: int
    trouble: str


class SegmentRemoved(Change, frozen=True):
    """A file of the disk tier was removed: the KV of tokens [start, end) and the state at `end`.

    `bytes` is the size of the whole file, `kv_bytes` the KV part of it; `cause` is a FileCause. One
    that is "superseded" is replaced by the next SegmentAdded of its key. `key`: "" in older files.
    """

    start: int
    end: int
    provenance: str
    bytes: int
    kv_bytes: int
    cause: str
    key: str = ""


class CheckpointSkipped(Change, frozen=True):
    """A checkpoint at `position` was skipped because no state slot was available."""

    position: int


class CheckpointCopied(Change, frozen=True):
    """An attempt to copy a checkpoint between tiers; `outcome` is an Intake."""

    position: int
    source: str
    target: str
    outcome: str


class StateSlotMoved(Change, frozen=True):
    """The checkpoint of `node` was moved to another slot."""

    node: int
    slot: int


class KvLocked(Change, frozen=True):
    """A KV lock was added on `node` and its ancestors, up to but excluding `below` (None: all)."""

    node: int
    below: int | None


class KvUnlocked(Change, frozen=True):
    """A KV lock was removed from `node` and its ancestors."""

    node: int


class StateLocked(Change, frozen=True):
    node: int


class StateUnlocked(Change, frozen=True):
    node: int


class Pinned(Change, frozen=True):
    """The user pinned the checkpoint of `node` and the path to it."""

    node: int


class Unpinned(Change, frozen=True):
    """The user unpinned `node`."""

    node: int


class RequestBegan(Change, frozen=True):
    """A request of `total` prompt tokens was matched and starts running.

    `owner`: the prompt's owner, 0 for none; see Submit. `tokens`: of the prompt, `[total] int32`,
    little-endian, for live viewers; a file has them where the request ends.
    """

    request: int
    total: int
    reused: int
    replayed: int
    owner: int = 0
    tokens: bytes = b""


class RequestAt(Change, frozen=True):
    """The running request has applied `position` tokens; its path ends at `node`."""

    request: int
    node: int
    position: int


class Stamped(Change, frozen=True):
    """An audit's verdict on the checkpoint of `node`, with the audit's own time: see Verdict.

    `inherited`: the verdict came with the bytes from another tier. `background`: the audit was not
    requested.
    """

    node: int
    position: int
    status: str
    largest: float
    kl: float
    inherited: bool
    background: bool = False


class Noticed(Change, frozen=True):
    """A notice shown to the user: a damaged file was removed, the disk is full."""

    sentence: str


class Cleared(Change, frozen=True):
    """The user dropped the cache; `running`: during a request, which has noted its position."""

    running: bool


class Forgot(Change, frozen=True):
    """Every sequence that begins with these tokens was dropped: its conversation was deleted."""

    tokens: tuple[int, ...]


class Owned(Change, frozen=True):
    """A conversation has a sequence that no request of this journal ran.

    It was claimed from an earlier run of the program, or is older than a late listener. `request`:
    see NodeOwner; `tokens`: `[n] int32`, little-endian.
    """

    owner: int
    request: int
    tokens: bytes = b""


class Disowned(Change, frozen=True):
    """A conversation was deleted, and owns nothing any more."""

    owner: int


class ByUser(Change, frozen=True):
    """The user changed the cache manually; the effects have records of their own.

    Attributes:
        action: "checkpoint", or a Deed of tiers/by_hand.py.
        tokens: from the root to the target.
        cuts, splits: of a checkpoint: where the run was cut, and its scan split.
        ran_to: of a checkpoint: tokens applied when the run ended.
        offers: what the disk tier offered meanwhile.
    """

    action: str
    tokens: tuple[int, ...]
    cuts: tuple[int, ...] = ()
    splits: tuple[int, ...] = ()
    ran_to: int = 0
    offers: tuple[DiskOffer, ...] = ()


class Pieces(Change, frozen=True):
    """The bytes of token ids that first occur in the next entry."""

    pieces: tuple[tuple[int, bytes], ...]


class Tuned(Change, frozen=True):
    """The settings for requests from now on.

    `kv_slots`, `state_slots`: the pools' new sizes if they were set; else 0. `budget`: the bytes
    requested for both, slightly more than their whole slots take; 0 if not set.
    """

    interval: int
    decode_interval: int
    kv_slots: int
    state_slots: int
    state_share: float
    budget: int = 0


class EntriesLost(Change, frozen=True):
    """This many entries could not be written in time, or did not arrive, and are missing here.

    `lane`: the node of the affected engine among several remote ones; else 0.
    """

    entries: int
    lane: int = 0
