"""The cache at one moment, moved entry by entry, with its tree and the places of evictions."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from msgspec.structs import replace

from engine.cache.eviction.cause import Cause
from engine.cache.journal.changes import CheckpointDropped, NodeRemoved, SegmentRemoved
from engine.cache.journal.journal import Entry
from engine.cache.node import ROOT_ID, Tokens
from engine.journal.disk_state import number_of
from engine.journal.keyframe import CacheState, Keyframe
from engine.journal.merged import Layer, Merged, Piece
from engine.journal.merged_views import MergedViews
from engine.journal.piece_owners import HeldBy, PieceOwners, Sequences
from engine.journal.tier_state import TierState, Undo, Watcher
from engine.journal.token_text import TokenText
from engine.snapshot import (
    TIERS,
    Branch,
    CacheSnapshot,
    Evicted,
    ExpertsView,
    HostView,
    MemoryView,
    NodeView,
    PoolView,
)

# How many entries before the current moment can be undone one by one.
UNDONE = 512
DEPARTING = frozenset((NodeRemoved, CheckpointDropped, SegmentRemoved))


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """Where something was evicted: the piece that it ended with, and the node shown there then.

    `seen`: None if it was in no snapshot.
    """

    piece: Piece
    seen: int | None


class Mirror:
    """Follows entries from a keyframe on.

    Attributes:
        at: number of entries before the moment.
        state: of each tier separately.
        merged: the tree of all tiers.
        owners: the conversations of the nodes.
    """

    def __init__(self, frame: Keyframe, at: int, text: TokenText, sequences: Sequences) -> None:
        self.at = at
        self.merged = Merged()
        self.owners = PieceOwners(self.merged, sequences)
        self.state = CacheState(self._layer)
        self._views = MergedViews(self.merged, text, self.owners)
        self._undo: deque[Undo] = deque(maxlen=UNDONE)
        # The nodes of the last snapshot, and the inputs they were computed from.
        self._drawn: tuple[NodeView, ...] | None = None
        self._drawn_of: tuple[object, ...] = ()
        self._held: HeldBy = {}
        frame.restore(self.state)

    def _layer(self, tier: str) -> Watcher | None:
        return Layer(self.merged, tier) if tier in TIERS else None

    @property
    def undoable(self) -> int:
        """How many entries can be undone."""
        return len(self._undo)

    def step(self, entry: Entry, *, undoable: bool = False) -> None:
        """Apply the next entry."""
        undo = None
        if undoable:
            undo = self.state.apply_undoable(entry)
        else:
            self.state.apply(entry)
        if undo is None:
            self._undo.clear()
        else:
            self._undo.append(undo)
        self.at += 1

    def step_back(self) -> None:
        """Undo the last entry."""
        for action in reversed(self._undo.pop()):
            action()
        self.at -= 1

    def snapshot(
        self, held: HeldBy, lanes: tuple[str, ...] = (), *, states_told: bool = True
    ) -> CacheSnapshot:
        """The cache at this moment.

        Args:
            held: the sequences by conversation.
            lanes, states_told: see Reel.
        """
        state = self.state
        tiers = {name: tier for name, tier in state.tiers.items() if tier.opened is not None}
        device, host = state.tier("device"), tiers.get("host")
        kv, states = device.kv_pool(), _with_own(device)
        slots = {name: tier.slot_bytes for name, tier in tiers.items()}
        # On disk, each state has its own size.
        slots["disk"] = state.disk.kv_slot_bytes, 0
        drawn_of = state.version, lanes, states_told
        if self._drawn is None or self._drawn_of != drawn_of or self._held is not held:
            self.owners.hold(held)
            self._views.tell_states(states_told)
            self._views.lanes = lanes
            self._drawn = self._views.nodes(slots)
            self._drawn_of, self._held = drawn_of, held
        return CacheSnapshot(
            version=state.version,
            time=state.time,
            nodes=self._drawn,
            kv=kv,
            state=states,
            memory=MemoryView(
                weights=device.memory.weights,
                kv_plane=kv.total * kv.slot_bytes,
                state_plane=states.total * states.slot_bytes,
                workspace=device.memory.workspace,
                drafts=device.memory.drafts + kv.total * device.memory.draft_kv,
            ),
            live=state.live,
            evicted=tuple(sorted((c, n) for c, n in device.evicted.items() if n)),
            skipped_checkpoints=device.skipped,
            quarantined=state.quarantined,
            host=None if host is None else HostView(host.kv_pool(), host.state_pool()),
            disk=state.disk.view(),
            experts=_experts(device),
        )

    def branches(self, owner: int | None = None) -> tuple[Branch, ...]:
        """The sequences of a conversation, or of all, in the tree of the last snapshot."""
        return tuple(self.owners.branches(owner))

    def tokens(self, node: int) -> tuple[Tokens, int] | None:
        """The tokens from the root to the end of a node of the last snapshot, and its start.

        None if the node is not in it, or its tokens are unknown.
        """
        piece = next((p for p in self.merged.pieces() if p.view and p.view.id == node), None)
        if piece is None:
            return None
        start, path = piece.start, list[bytes]()
        while piece.above is not None:
            path.append(piece.tokens)
            piece = piece.above
        return (np.frombuffer(b"".join(reversed(path)), "<i4"), start) if all(path) else None

    def spot(self, entry: Entry) -> Spot | None:
        """Where an entry will evict, before it is applied; None if its tokens are unknown."""
        what = entry.what
        if isinstance(what, SegmentRemoved):
            node = number_of(what.key)
        elif isinstance(what, NodeRemoved | CheckpointDropped) and entry.tier in TIERS:
            node = what.node
        else:
            return None
        piece = self.merged.end_of(entry.tier, node) if node != ROOT_ID else None
        return None if piece is None or not piece.tokens else Spot(piece, piece.seen)

    def copied(self, gone: Evicted, spot: Spot) -> Evicted:
        """An eviction just applied, with the nearest tier that still has a copy.

        A copy must include the state: KV alone cannot be resumed from.
        """
        piece, end = self.merged.left_of(spot.piece)
        whole, copy = end == gone.end, ""
        if gone.cause == Cause.SUPERSEDED:
            # A better one takes its place.
            copy = gone.tier
        elif whole and gone.plane == "kv":
            copy = TIERS[piece.nearest]
        elif whole and end == piece.end:
            held = (o is not None and o.end == piece.end and o.held for o in piece.owners)
            copy = next((TIERS[tier] for tier, has in enumerate(held) if has), "")
        return replace(gone, copy=copy)

    def placed(self, gone: Evicted, spot: Spot) -> Evicted:
        """An eviction with the node at its place in the last snapshot."""
        piece, end = self.merged.left_of(spot.piece)
        view = piece.view
        assert view is not None, "a snapshot was made"
        return replace(
            gone,
            above=view.id if end == view.end or view.parent is None else view.parent,
            cached_to=max(gone.start, end),
            node_before=spot.seen,
            node_now=view.id if end == gone.end else None,
        )


def _with_own(device: TierState) -> PoolView:
    """The state pool including the engine's own slots, which come from the same plane."""
    pool, own = device.state_pool(), device.own_states
    return replace(pool, total=pool.total + own, live=pool.live + own, beside=own)


def _experts(device: TierState) -> ExpertsView | None:
    memory = device.memory
    if not memory.experts:
        return None
    return ExpertsView(
        total=memory.experts,
        resident=memory.resident,
        used_bytes=memory.resident_bytes,
        budget_bytes=memory.expert_budget,
        hits=memory.expert_hits,
        misses=memory.expert_misses,
    )
