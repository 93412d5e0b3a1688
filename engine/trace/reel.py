"""The cache at any of many moments: packed entries, with a keyframe every few thousand of them."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from threading import Lock

from engine.cache.journal.journal import Entry
from engine.snapshot import Branch, CacheSnapshot, HostView, MemoryView, PoolView
from engine.trace.cache_state import CacheState
from engine.trace.keyframe import Keyframe
from engine.trace.merged import TIERS, Layer, Merged
from engine.trace.merged_views import MergedViews
from engine.trace.opening import opening
from engine.trace.owned_book import OwnedBook
from engine.trace.piece_owners import PieceOwners
from engine.trace.sequences import Sequences
from engine.trace.shelf import Shelf
from engine.trace.token_text import TokenText
from engine.trace.undo import Undo
from engine.trace.watcher import Watcher

# Entries between two keyframes, at least; and nodes for each, so that large trees are not kept
# more often than they change.
SPACING = 2048
NODES = 4
# How many entries before the moment on screen are taken back one by one.
UNDONE = 512


class Reel:
    """Grows at its end, and loses its beginning if it may hold only so many entries.

    One thread writes while others read.

    Attributes:
        first: the earliest moment that can be shown.
        states_told: a node without a checkpoint is known to have none.
        lanes: labels of several engines, see TraceHeader.
    """

    def __init__(
        self,
        text: TokenText,
        most: int | None = None,
        owned: OwnedBook | None = None,
        sequences: Sequences | None = None,
    ) -> None:
        """Start empty.

        Args:
            most: entries to hold, approximately; None: all.
            owned: whose the `sequences` are; None: nobody's.
        """
        self.first = 0
        self.states_told = True
        self.lanes: tuple[str, ...] = ()
        self._size = 0
        self._most = most
        self._text = text
        self._owned = OwnedBook() if owned is None else owned
        self._sequences = Sequences() if sequences is None else sequences
        self._shelf = Shelf()
        self._head = CacheState()
        self._lock = Lock()
        self._starts = [0]
        self._next = SPACING
        self._frames = [Keyframe.of(self._head)]
        self._shown = _Shown(Keyframe.of(self._head), 0, text, self._sequences)

    def __len__(self) -> int:
        return self._size

    def append(self, entry: Entry) -> None:
        """Add an entry. Raises TraceError if it does not fit those before it."""
        self._head.apply(entry)
        self._shelf.append(entry)
        self._size += 1
        if self._size >= self._next:
            self._mark()

    def _mark(self) -> None:
        """Put down a keyframe, unless the tree is so large that it takes more than it saves."""
        since = self._size - self._starts[-1]
        least = self._head.size // NODES
        if since >= least:
            frame = Keyframe.of(self._head)
            with self._lock:
                self._starts.append(self._size)
                self._frames.append(frame)
                self._shorten()
            since, least = 0, SPACING
        self._next = self._size + max(least - since, 1)

    def entry(self, index: int) -> Entry:
        """Raises IndexError if it is gone, or not there yet."""
        return self._shelf[index]

    def opening(self) -> list[Entry]:
        """The caches at the moment `first`, as records."""
        state = CacheState()
        with self._lock:
            frame = self._frames[0]
        frame.restore(state)
        return opening(state)

    def snapshot(self, index: int) -> CacheSnapshot:
        """The cache after the first `index` entries, or after as few as are still known."""
        with self._lock:
            shown = self._shown_at(min(max(index, self.first), len(self)))
            return shown.snapshot(self.states_told, self.lanes)

    def _shown_at(self, index: int) -> _Shown:
        shown = self._shown
        frame = bisect_right(self._starts, index) - 1
        back = shown.at - index
        # To go on over a keyframe costs less than to restore it, if it is near.
        near = index - self._starts[frame] + UNDONE
        if not (0 <= back <= shown.undoable or 0 < -back <= near):
            shown.merged.dissolve()
            shown = self._shown = _Shown(
                self._frames[frame], self._starts[frame], self._text, self._sequences
            )
        while shown.at > index:
            shown.step_back()
        for entry in self._shelf.between(shown.at, index):
            shown.step(entry, undoable=index - shown.at <= UNDONE)
        shown.owners.hold(self._owned.at(index))
        return shown

    def branches(self, owner: int) -> tuple[Branch, ...]:
        """The sequences of a conversation, at the moment of the last snapshot."""
        return tuple(self._shown.owners.branches(owner))

    def shown_id(self, tier: str, node: int) -> int | None:
        """The id that a node of a tier has at the moment of the last snapshot."""
        piece = self._shown.merged.end_of(tier, node)
        return None if piece is None or piece.view is None else piece.view.id

    def numbers(self, shown: int) -> dict[str, int]:
        """The nodes of the tiers that the node with an id in the last snapshot is a part of."""
        found = next(
            (p for p in self._shown.merged.pieces() if p.view and p.view.id == shown), None
        )
        if found is None:
            return {}
        owners = zip(TIERS[:2], found.owners[:2], strict=True)
        return {tier: owner.id for tier, owner in owners if owner is not None}

    @property
    def nbytes(self) -> int:
        """Bytes of the packed entries and keyframes."""
        return self._shelf.nbytes + sum(frame.nbytes for frame in self._frames)

    def _shorten(self) -> None:
        """Forget whole spans at the beginning, if there are too many entries."""
        while self._most is not None and len(self) - self.first > self._most:
            if len(self._starts) < 3:
                return
            del self._starts[0], self._frames[0]
            self.first = self._starts[0]
            self._shelf.drop_before(self.first)


class _Shown:
    """The state at one moment, with its tree, moved forwards and backwards by single entries.

    Attributes:
        at: entries before the moment.
        merged: the tree.
        owners: whose the nodes are.
    """

    def __init__(self, frame: Keyframe, at: int, text: TokenText, sequences: Sequences) -> None:
        self.at = at
        self.merged = Merged()
        self.owners = PieceOwners(self.merged, sequences)
        self._views = MergedViews(self.merged, text, self.owners)
        self._state = CacheState(self._layer)
        self._undo: deque[Undo] = deque(maxlen=UNDONE)
        frame.restore(self._state)

    def _layer(self, tier: str) -> Watcher | None:
        return Layer(self.merged, tier) if tier in TIERS else None

    @property
    def undoable(self) -> int:
        """How many entries can be taken back."""
        return len(self._undo)

    def step(self, entry: Entry, *, undoable: bool) -> None:
        undo = None
        if undoable:
            undo = self._state.apply_undoable(entry)
        else:
            self._state.apply(entry)
        if undo is None:
            self._undo.clear()
        else:
            self._undo.append(undo)
        self.at += 1

    def step_back(self) -> None:
        for action in reversed(self._undo.pop()):
            action()
        self.at -= 1

    def snapshot(self, states_told: bool, lanes: tuple[str, ...]) -> CacheSnapshot:
        self._views.tell_states(states_told)
        self._views.lanes = lanes
        state = self._state
        tiers = {name: tier for name, tier in state.tiers.items() if tier.opened is not None}
        device = state.tier("device")
        own, weights, workspace = device.beside
        kv, pool = device.kv_pool(), device.state_pool()
        # As in a live engine's snapshot: a slot like any other of its plane.
        states = PoolView(
            pool.total + own,
            pool.free,
            pool.live + own,
            pool.cached,
            pool.locked,
            pool.slot_bytes,
            own,
        )
        host = tiers.get("host")
        slots = {name: tier.slot_bytes for name, tier in tiers.items()}
        # Of a state, each file takes its own.
        slots["disk"] = state.disk.kv_slot_bytes, 0
        return CacheSnapshot(
            version=state.seq,
            time=state.time,
            nodes=self._views.nodes(slots),
            kv=kv,
            state=states,
            memory=MemoryView(
                weights=weights,
                kv_plane=kv.total * kv.slot_bytes,
                state_plane=states.total * states.slot_bytes,
                workspace=workspace,
            ),
            live=state.live,
            evicted=tuple(sorted((c, n) for c, n in device.evicted.items() if n)),
            skipped_checkpoints=device.skipped,
            quarantined=state.quarantined,
            host=None if host is None else HostView(host.kv_pool(), host.state_pool()),
            disk=state.disk.view(),
        )
