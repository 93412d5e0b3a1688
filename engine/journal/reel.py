"""The cache at any past moment: packed entries, with a keyframe every few thousand."""

from __future__ import annotations

import marshal
import pickle
import zlib
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator
from itertools import chain
from threading import Lock
from typing import Any, get_type_hints

from msgspec.structs import astuple, replace

from engine.cache.journal.changes import CacheFound, Change, CheckpointStored
from engine.cache.journal.journal import Entry
from engine.journal.keyframe import CacheState, Keyframe
from engine.journal.mirror import UNDONE, Mirror
from engine.journal.piece_owners import OwnedBook, Sequences
from engine.journal.tier_state import TierState
from engine.journal.token_text import TokenText
from engine.snapshot import TIERS, Branch, CacheSnapshot
from engine.stored_state import StoredState

# Minimum entries between two keyframes; and entries per node, so that large trees are not stored
# more often than they change.
SPACING = 2048
NODES = 4
BLOCK = 1024
# How many blocks stay unpacked: a walk along the tape unpacks each once.
OPEN = 12
_KINDS: tuple[Any, ...] = tuple(Change.__subclasses__())
_STORED, _PICKLED = _KINDS.index(CheckpointStored), -1
_PLAIN = {int, int | None, float, str, bool, bytes}
_TAKEN = {int, float, str, bool, bytes, type(None)}
_CODES = {
    kind: code for code, kind in enumerate(_KINDS) if {*get_type_hints(kind).values()} <= _PLAIN
}


def packed(entries: list[Entry]) -> bytes:
    """Compress entries made in this process."""
    codes, fields = [], []
    seqs, times, tiers, whats = zip(*map(astuple, entries), strict=True)
    for what in whats:
        code = _CODES.get(type(what))
        code, known = _holder(what) if code is None else (code, astuple(what))
        codes.append(code)
        fields.append(known)
    # marshal would store a numpy number as raw bytes.
    if {*map(type, chain(seqs, times, tiers, *fields))} <= _TAKEN:
        data = marshal.dumps((seqs, times, tiers, codes, fields))
    else:
        data = marshal.dumps(pickle.dumps(entries, 5))
    return zlib.compress(data, 1)


def unpacked(data: bytes) -> list[Entry]:
    """The entries. Only for bytes that `packed` made in this process."""
    loaded = marshal.loads(zlib.decompress(data))
    if isinstance(loaded, bytes):
        # Packed by this process from its own records, so unpickling is safe.
        entries: list[Entry] = pickle.loads(loaded)
        return entries
    seqs, times, tiers, codes, fields = loaded
    whats: list[Any] = []
    for code, known in zip(codes, fields, strict=True):
        if code == _STORED:
            node, slot, hits, *state = known
            whats.append(CheckpointStored(node, slot, hits, StoredState(*state)))
        elif code == _PICKLED:
            whats.append(pickle.loads(*known))
        else:
            whats.append(_KINDS[code](*known))
    return list(map(Entry, seqs, times, tiers, whats))


def _holder(what: Any) -> tuple[int, Any]:
    """The code and the fields of a record that contains other records."""
    if type(what) is not CheckpointStored or what.state.verdict is not None:
        return _PICKLED, (pickle.dumps(what, 5),)
    state = what.state
    known = (
        what.node,
        what.slot,
        what.hits,
        state.position,
        state.provenance,
        state.cut_hash,
        state.has_hidden,
        state.stored,
        state.error,
        state.tier,
        None,
        state.why,
    )
    return _STORED, known


class Shelf:
    """Grows at its end and is trimmed at its beginning, block by block.

    One thread writes while others read.

    Attributes:
        first: index of the first entry still held.
    """

    def __init__(self) -> None:
        self.first = 0
        self._packed: list[bytes] = []
        self._last: list[Entry] = []
        self._open: OrderedDict[int, list[Entry]] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        """The number of entries, including those dropped."""
        return self.first + BLOCK * len(self._packed) + len(self._last)

    def append(self, entry: Entry) -> None:
        self._last.append(entry)
        if len(self._last) == BLOCK:
            data = packed(self._last)
            with self._lock:
                self._packed.append(data)
                self._last = []

    def __getitem__(self, index: int) -> Entry:
        """Raises IndexError if it was dropped, or not added yet."""
        with self._lock:
            at = index - self.first
            if not 0 <= at < len(self) - self.first:
                raise IndexError(f"there is no entry {index}")
            return self._block(at // BLOCK)[at % BLOCK]

    def between(self, start: int, end: int) -> Iterator[Entry]:
        """The entries [start, end)."""
        at = start
        while at < end:
            with self._lock:
                block, inside = divmod(at - self.first, BLOCK)
                found = self._block(block)[inside : inside + end - at]
            yield from found
            at += len(found)

    def drop_before(self, index: int) -> None:
        """Drop the whole blocks before an index."""
        blocks = min((index - self.first) // BLOCK, len(self._packed))
        if blocks > 0:
            with self._lock:
                del self._packed[:blocks]
                self.first += blocks * BLOCK
                self._open.clear()

    @property
    def nbytes(self) -> int:
        """Bytes of the packed blocks."""
        return sum(map(len, self._packed))

    def _block(self, block: int) -> list[Entry]:
        if block == len(self._packed):
            return self._last
        found = self._open.get(block)
        if found is None:
            found = self._open[block] = unpacked(self._packed[block])
            if len(self._open) > OPEN:
                self._open.popitem(last=False)
        else:
            self._open.move_to_end(block)
        return found


def opening(state: CacheState) -> list[Entry]:
    """Records of the state of each node tier, with the number and time of the last entry."""
    told = []
    for name, tier in state.tiers.items():
        if tier.opened is not None:
            told.append(Entry(state.seq, state.time, name, _found(state, tier)))
            if tier.memory.experts or tier.memory.drafts:
                told.append(Entry(state.seq, state.time, name, tier.memory))
    return told


def _found(state: CacheState, tier: TierState) -> CacheFound:
    assert tier.opened is not None
    (kv_slots, state_slots), (live_kv, live_states) = tier.sizes, tier.live_slots
    tokens = tuple(span.tokens for span in tier.in_order())
    return CacheFound(
        replace(tier.opened, kv_slots=kv_slots, state_slots=state_slots),
        tier.nodes(),
        live_kv,
        live_states,
        tuple(sorted(tier.evicted.items())),
        tier.skipped,
        tokens if any(tokens) else (),
        tier.own_states,
        tier.memory.weights,
        tier.memory.workspace,
        state.quarantined if tier is state.tiers.get("device") else 0,
    )


class Reel:
    """Grows at its end, and drops its beginning if its size is limited.

    One thread writes while others read.

    Attributes:
        first: the earliest moment that can be rebuilt.
        states_told: whether a node without a checkpoint is known to have none.
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
            owned: the owners of the `sequences`; None: nothing is owned.
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
        self._lock = Lock()
        self._starts = [0]
        self._next = SPACING
        self._frames = [Keyframe.of(CacheState())]
        self._head, self._shown = (
            Mirror(self._frames[0], 0, text, self._sequences) for _ in range(2)
        )

    def __len__(self) -> int:
        return self._size

    def append(self, entry: Entry) -> None:
        """Add an entry. Raises TraceError if it contradicts those before it."""
        self._head.step(entry)
        self._shelf.append(entry)
        self._size += 1
        if self._size >= self._next:
            self._mark()

    def _mark(self) -> None:
        """Store a keyframe, unless the tree is so large that it costs more than it saves."""
        since = self._size - self._starts[-1]
        least = self._head.state.size // NODES
        if since >= least:
            frame = Keyframe.of(self._head.state)
            with self._lock:
                self._starts.append(self._size)
                self._frames.append(frame)
                self._shorten()
            since, least = 0, SPACING
        self._next = self._size + max(least - since, 1)

    def entry(self, index: int) -> Entry:
        """Raises IndexError if it was dropped, or not added yet."""
        return self._shelf[index]

    def opening(self) -> list[Entry]:
        """The caches at `first`, as records."""
        state = CacheState()
        with self._lock:
            frame = self._frames[0]
        frame.restore(state)
        return opening(state)

    def snapshot(self, index: int) -> CacheSnapshot:
        """The cache after the first `index` entries, or the earliest moment still held."""
        with self._lock:
            return self._told(self._shown_at(min(max(index, self.first), len(self))))

    @property
    def head(self) -> Mirror:
        """The newest moment; only for the writing thread."""
        return self._head

    def newest(self) -> CacheSnapshot:
        """The newest moment as a snapshot; only for the writing thread."""
        return self._told(self._head)

    def _told(self, mirror: Mirror) -> CacheSnapshot:
        held = self._owned.at(mirror.at)
        return mirror.snapshot(held, self.lanes, states_told=self.states_told)

    def _shown_at(self, index: int) -> Mirror:
        shown = self._shown
        frame = bisect_right(self._starts, index) - 1
        back = shown.at - index
        # Passing over a nearby keyframe costs less than restoring it.
        near = index - self._starts[frame] + UNDONE
        if not (0 <= back <= shown.undoable or 0 < -back <= near):
            shown.merged.dissolve()
            shown = self._shown = Mirror(
                self._frames[frame], self._starts[frame], self._text, self._sequences
            )
        while shown.at > index:
            shown.step_back()
        for entry in self._shelf.between(shown.at, index):
            shown.step(entry, undoable=index - shown.at <= UNDONE)
        return shown

    def tokens(self, index: int) -> dict[int, bytes]:
        """The tokens of a snapshot's nodes, by id; see there."""
        with self._lock:
            shown = self._shown_at(min(max(index, self.first), len(self)))
            self._told(shown)
            return {p.view.id: p.tokens for p in shown.merged.pieces() if p.view is not None}

    def branches(self, owner: int) -> tuple[Branch, ...]:
        """The sequences of a conversation, at the moment of the last snapshot."""
        return self._shown.branches(owner)

    def shown_id(self, tier: str, node: int) -> int | None:
        """A tier's node's id in the last snapshot."""
        piece = self._shown.merged.end_of(tier, node)
        return None if piece is None or piece.view is None else piece.view.id

    def numbers(self, shown: int) -> dict[str, int]:
        """By tier, the nodes that a node of the last snapshot is a part of, given its id."""
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
        """Drop whole spans at the beginning if there are too many entries."""
        while self._most is not None and len(self) - self.first > self._most:
            if len(self._starts) < 3:
                return
            del self._starts[0], self._frames[0]
            self.first = self._starts[0]
            self._shelf.drop_before(self.first)
