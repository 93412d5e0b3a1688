"""A tape: the entries of a journal in order, and the cache after any of them."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from msgspec import structs

from engine.cache.journal.changes import (
    CacheFound,
    CacheOpened,
    CheckpointStored,
    Disowned,
    EntriesLost,
    NodeAdded,
    Owned,
    Pieces,
    RequestBegan,
)
from engine.cache.journal.journal import Entry
from engine.cache.journal.request_ran import RequestRan, TokenArray
from engine.cache.node import ROOT_ID, Tokens
from engine.errors import TraceError
from engine.journal.disk_state import FILE_CHANGES, FileBytes
from engine.journal.lines import TracedRequest, TraceEntry
from engine.journal.mirror import DEPARTING, Mirror, Spot
from engine.journal.piece_owners import OwnedBook, Sequences
from engine.journal.reader import TraceReader
from engine.journal.reel import Reel
from engine.journal.settings import TraceHeader
from engine.journal.token_text import TokenText
from engine.snapshot import TIERS, Branch, CacheSnapshot, Evicted, LiveView, NodeView, Speech

# Maximum entries held of a file: several times what a day of constant use produces.
MOST_READ = 4_000_000
# Maximum evictions that a snapshot lists; earlier ones since the last are only counted.
MOST_LISTED = 500
# Lines between two progress reports.
STRIDE = 2000
DISK = "disk"
# Tier and plane, in stacking order.
BANDS: tuple[tuple[str, str], ...] = tuple(
    (tier, plane) for tier in TIERS for plane in ("kv", "state")
)
# Records that change the number of nodes or files, besides evictions.
COUNTED = FILE_CHANGES | {NodeAdded, CheckpointStored, CacheOpened, CacheFound}
# The kinds of entries that `ToldOwners` follows, besides requests.
OWNING = frozenset({Owned, Disowned, RequestBegan})


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """Columns with a row per change.

    Attributes:
        index: `[n] int64`, the moment after the change.
        time: `[n] float64`, seconds on the tape's clock.
        bytes: by tier and plane, `[n] int64` held in the tree or the files from then on; zeros for
            a disk tier without records.
    """

    index: npt.NDArray[np.int64]
    time: npt.NDArray[np.float64]
    bytes: Mapping[tuple[str, str], npt.NDArray[np.int64]]


class SeriesMaker:
    """Follows every entry of a journal, and what it evicts."""

    def __init__(self) -> None:
        self._now = dict.fromkeys(BANDS, 0)
        self._files = FileBytes()
        self._slots: dict[str, tuple[int, int]] = {}
        self._index, self._time = array("q"), array("d")
        self._bytes = {band: array("q") for band in BANDS}

    def follow(self, index: int, time: float, entry: Entry, gone: Evicted | None) -> None:
        """Add an entry after which the moment is `index`, and what it evicted."""
        what, tier = entry.what, entry.tier
        changed = True
        if tier == DISK:
            changed = self._files.follow(what)
            self._now[DISK, "kv"], self._now[DISK, "state"] = self._files.kv, self._files.rest
        elif type(what) is NodeAdded:
            self._now[tier, "kv"] += (what.end - what.start) * self._slots[tier][0]
        elif type(what) is CheckpointStored:
            self._now[tier, "state"] += self._slots[tier][1]
        elif type(what) is CacheOpened:
            self._open(tier, what, 0, 0)
        elif type(what) is CacheFound:
            tokens = sum(node.end - node.start for node in what.nodes)
            states = sum(node.checkpoint is not None for node in what.nodes)
            self._open(tier, what.opened, tokens, states)
        else:
            changed = False
        if gone is not None and gone.tier != DISK:
            changed = True
            self._now[gone.tier, "kv"] -= gone.kv_bytes
            self._now[gone.tier, "state"] -= gone.state_bytes
        if changed:
            self._index.append(index)
            self._time.append(time)
            for band, column in self._bytes.items():
                column.append(self._now[band])

    def series(self) -> Series:
        """All rows so far, even while another thread appends."""
        # Slices, since an array cannot grow while numpy views it; the last band grows last.
        bands = [(band, column[:]) for band, column in reversed(self._bytes.items())]
        rows = len(bands[0][1])
        return Series(
            np.array(self._index[:rows], np.int64),
            np.array(self._time[:rows], np.float64),
            {band: np.array(column[:rows], np.int64) for band, column in reversed(bands)},
        )

    def _open(self, tier: str, opened: CacheOpened, tokens: int, states: int) -> None:
        self._slots[tier] = opened.kv_slot_bytes, opened.state_slot_bytes
        self._now[tier, "kv"] = tokens * opened.kv_slot_bytes
        self._now[tier, "state"] = states * opened.state_slot_bytes


@dataclass(frozen=True, slots=True)
class Gap:
    """Events were lost.

    Attributes:
        index: of the entry that reports it.
        time: seconds on the tape's clock.
        lane: node of the affected engine, 0 if there is only one.
    """

    index: int
    time: float
    lane: int


def marked(
    snapshot: CacheSnapshot, header: TraceHeader, gaps: Sequence[Gap], index: int
) -> CacheSnapshot:
    """The snapshot after the first `index` entries, with its gaps and doubtful nodes marked."""
    nodes = snapshot.nodes
    lost = {gap.lane: gap.time for gap in gaps if gap.index < index}
    if lost:
        nodes = tuple(_doubted(nodes, lost))
    return structs.replace(snapshot, nodes=nodes, untold=header.untold)


def _doubted(nodes: Sequence[NodeView], lost: dict[int, float]) -> list[NodeView]:
    """Mark the nodes last updated before their lane's last loss as doubtful."""
    lane_of: dict[int, int] = {}
    found = []
    for node in nodes:
        lane = node.id if node.lane else lane_of.get(node.parent or ROOT_ID, 0)
        lane_of[node.id] = lane
        gone = node.end and node.last_used < lost.get(lane, 0.0)
        found.append(structs.replace(node, doubtful=True) if gone else node)
    return found


class TapedRequest:
    """A request of a tape. Its tokens are reassembled on each access.

    Attributes:
        number: its place among the tape's requests, from 0.
        index: of its entry, which was written at its end.
        began, ended: seconds on the tape's clock.
        session, turn: the conversation, and the turn in it, from 0.
        sequence: number of its tokens among the tape's sequences.
        bare: the record without its tokens.
    """

    __slots__ = (
        "_recorded",
        "_sequences",
        "_text",
        "_total",
        "bare",
        "began",
        "ended",
        "index",
        "number",
        "sequence",
        "session",
        "turn",
    )

    def __init__(
        self, number: int, index: int, ended: float, traced: TracedRequest, sequences: Sequences
    ) -> None:
        """sequences: the store of its tokens."""
        ran = traced.ran
        self.number, self.index = number, index
        self.began, self.ended = ended - ran.total_s, ended
        self.session, self.turn = traced.session_id, traced.turn_id
        self.bare = ran.without_tokens()
        self._text, self._total = ran.text, len(ran.prompt)
        self._sequences, self.sequence = sequences, sequences.add(ran.sequence)
        self._recorded = traced.recorded

    @property
    def ran(self) -> RequestRan:
        """The record with its tokens."""
        tokens, total = self._sequences[self.sequence], self._total
        return replace(self.bare, prompt=tokens[:total], decoded=tokens[total:], text=self._text)

    @property
    def tokens(self) -> TokenArray:
        """`[n + generated] int64`, the prompt and the answer."""
        return self._sequences[self.sequence]

    @property
    def total(self) -> int:
        """Tokens of the prompt."""
        return self._total

    @property
    def traced(self) -> TracedRequest:
        """The record with its place in a session."""
        return TracedRequest(self.session, self.turn, self.ran, self._recorded)


@dataclass(frozen=True, slots=True)
class TapedEviction:
    """An eviction, and the index of its entry."""

    index: int
    evicted: Evicted


class Tape:
    """Append-only. A moment of it is an index: the number of entries before it.

    A record that only carries the text of ids does not count as an entry.

    Attributes:
        header: how it was recorded; None for a file of plain Marconi lines.
        requests, evictions: of all entries, in order.
        truncated: the file it was read from ends in the middle of a line.
    """

    def __init__(self, header: TraceHeader | None = None, most: int | None = None) -> None:
        """most: entries to hold, approximately; the oldest are dropped. None: all."""
        self.header = header
        self.truncated = False
        self.requests: list[TapedRequest] = []
        self.evictions: list[TapedEviction] = []
        self._sequences = Sequences()
        self._words = TokenText(real=header is not None and header.text)
        self._owners = ToldOwners(self._sequences, self._words)
        self._reel = Reel(self._words, most, self._owners.book, self._sequences)
        self._times = array("d")
        self._gaps: list[Gap] = []
        self._series = SeriesMaker()
        # The places of the latest evictions, by their number.
        self._spots: dict[int, Spot] = {}

    def __len__(self) -> int:
        """The number of entries so far, including dropped ones."""
        return len(self._times)

    @property
    def first(self) -> int:
        """The earliest moment that can be rebuilt; entries before it were dropped."""
        return self._reel.first

    @property
    def pieces(self) -> Mapping[int, bytes]:
        """The bytes of token ids, as far as known."""
        return self._words.pieces

    def append(self, lines: Iterable[TraceEntry]) -> None:
        """Add entries. Raises TraceError at the first that contradicts those before it."""
        for line in lines:
            self.add(line)

    def add(self, line: TraceEntry) -> None:
        """Add an entry. Raises TraceError if it contradicts those before it."""
        entry, request = line.entry, line.request
        kind = type(entry.what)
        if isinstance(entry.what, Pieces):
            self._words.learn(entry.what.pieces)
            return
        times = self._times
        index, time = len(times), entry.time
        head = self._reel.head
        gone = spot = None
        if kind in DEPARTING:
            gone, spot = head.state.about_to_go(entry), head.spot(entry)
        if request is None:
            self._reel.append(light(entry) if kind in OWNING else entry)
        else:
            self._reel.append(structs.replace(entry, what=request.ran.without_tokens()))
            number = len(self.requests)
            taped = TapedRequest(number, index, time, request, self._sequences)
            self.requests.append(taped)
            self._owners.ended(taped)
        if kind in OWNING:
            self._owners.follow(index, entry.what)
        # A verdict has the time of its audit, which may precede the entry before it.
        if index and times[-1] > time:
            time = times[-1]
        if isinstance(entry.what, EntriesLost):
            self._gaps.append(Gap(index, time, entry.what.lane))
        if gone is not None:
            if spot is not None:
                gone = head.copied(gone, spot)
                self._spots[len(self.evictions)] = spot
            self._spots.pop(len(self.evictions) - MOST_LISTED, None)
            self.evictions.append(TapedEviction(index, gone))
        if gone is not None or kind in COUNTED:
            self._series.follow(index + 1, time, entry, gone)
        # Last, so that readers on other threads find every counted entry complete.
        times.append(time)

    def entry(self, index: int) -> Entry:
        """Raises IndexError if it was dropped; see `first`."""
        entry = self._reel.entry(index)
        if isinstance(entry.what, RequestRan):
            at = bisect_left(self.requests, index, key=lambda request: request.index)
            return structs.replace(entry, what=self.requests[at].ran)
        return self._owners.whole(index, entry)

    def opening(self) -> list[Entry]:
        """The caches at `first`, as records, for following the tape from there."""
        return self._reel.opening()

    def requests_before(self, index: int) -> int:
        """The number of requests that ended in the first `index` entries."""
        return bisect_left(self.requests, index, key=lambda request: request.index)

    def time(self, index: int) -> float:
        """The time of the last entry before a moment; at the start, of the first; 0 if empty."""
        return self._times[max(index - 1, 0)] if self._times else 0.0

    def index_at(self, time: float) -> int:
        """The moment after the last entry that is no later than `time`."""
        return bisect_right(self._times, time)

    def snapshot(self, index: int) -> CacheSnapshot:
        """The cache after the first `index` entries, or the earliest moment still held."""
        self._declare()
        return self._told(self._reel.snapshot(index), index)

    def _declare(self) -> None:
        """Apply the header to the reel."""
        if self.header is not None:
            self._reel.states_told = "states" not in self.header.untold
            self._reel.lanes = self.header.lanes

    def newest(self) -> CacheSnapshot:
        """The cache after all entries; only for the writing thread."""
        self._declare()
        return self._told(self._reel.newest(), len(self))

    def eviction_at(self, index: int) -> Evicted | None:
        """What entry `index` evicted; None if nothing."""
        at = bisect_left(self.evictions, index, key=lambda one: one.index)
        found = self.evictions[at] if at < len(self.evictions) else None
        return None if found is None or found.index != index else found.evicted

    def placed(self, number: int) -> Evicted:
        """An eviction with its place in the last newest snapshot, as far as known."""
        gone, spot = self.evictions[number].evicted, self._spots.get(number)
        return gone if spot is None else self._reel.head.placed(gone, spot)

    @property
    def head(self) -> Mirror:
        """The newest moment; only for the writing thread."""
        return self._reel.head

    def _told(self, found: CacheSnapshot, index: int) -> CacheSnapshot:
        """A reel's snapshot, completed with what the tape knows of that moment."""
        if found.disk is None and self.header is not None and self.header.settings.disk:
            found = structs.replace(found, disk_untold=True)
        if self.header is not None and self.header.untold:
            found = marked(found, self.header, self._gaps, index)
        if found.live is None:
            return found
        return structs.replace(found, live=self._owners.told_live(index, self.requests, found.live))

    def branches(self, index: int, owner: int) -> tuple[Branch, ...]:
        """A conversation's sequences after the first `index` entries, as in a snapshot."""
        self._reel.snapshot(index)
        return self._reel.branches(owner)

    def shown_id(self, index: int, tier: str, node: int) -> int | None:
        """A tier's node's id in the snapshot after `index` entries; None if it was removed."""
        self._reel.snapshot(index)
        return self._reel.shown_id(tier, node)

    def numbers(self, index: int, node: int) -> dict[str, int]:
        """The inverse of `shown_id`: a snapshot node's numbers on device and host."""
        self._reel.snapshot(index)
        return self._reel.numbers(node)

    def tokens(self, index: int) -> Callable[[NodeView], Tokens | None]:
        """Maps nodes of the snapshot after `index` entries to their tokens, None if unknown."""
        self._declare()
        known = self._reel.tokens(index)

        def of(node: NodeView) -> Tokens | None:
            found = np.frombuffer(known.get(node.id, b""), "<i4")
            return found if len(found) == node.end - node.start else None

        return of

    def series(self) -> Series:
        """Bytes per plane and tier after each change so far."""
        return self._series.series()

    @property
    def nbytes(self) -> int:
        """Bytes of entries, keyframes and tokens, without Python's overhead."""
        return self._reel.nbytes + self._sequences.nbytes + 8 * len(self._times)

    def text(self, tokens: Iterable[int]) -> str:
        """The text of token ids; "�" for unknown ones."""
        known = b"".join(map(self._words.piece, tokens))
        return known.decode("utf-8", errors="replace")


class Follower:
    """The newest moment of a growing tape; reports each eviction once, with its place.

    Use it only on the thread that writes the tape.

    Attributes:
        tape: what it follows.
    """

    def __init__(self, tape: Tape, clock: Callable[[], float] | None = None) -> None:
        """Start after the tape's existing evictions.

        clock: the caches', if they are live; None: the time is that of the last entry.
        """
        self.tape = tape
        self._clock = clock
        self._listed = len(tape.evictions)

    def snapshot(self) -> CacheSnapshot:
        """The current cache, with the evictions since the last call."""
        found, total = self.tape.newest(), len(self.tape.evictions)
        time = found.time if self._clock is None else max(found.time, self._clock())
        first = max(self._listed, total - MOST_LISTED)
        unlisted, self._listed = first - self._listed, total
        placed = tuple(map(self.tape.placed, range(first, total)))
        return structs.replace(found, time=time, evictions=placed, unlisted=unlisted)

    def branches(self, owner: int | None = None) -> tuple[Branch, ...]:
        """The sequences of a conversation, or of all, in the last snapshot."""
        return self.tape.head.branches(owner)

    def tokens(self, node: int) -> tuple[Tokens, int] | None:
        """See Mirror.tokens."""
        self.tape.newest()
        return self.tape.head.tokens(node)


def ignore(done: float) -> None:
    """Ignores the progress."""


def read_tape(
    path: Path,
    went: Callable[[float], None] = ignore,
    most: int = MOST_READ,
    begun: Callable[[Tape], None] | None = None,
) -> Tape:
    """Read a whole trace file.

    Args:
        went: called periodically with the fraction read, 0 to 1; it may raise to stop.
        most: entries to hold, the newest ones.
        begun: called with the tape before its first entry; other threads may read it from then
            on, while it grows.

    Raises:
        TraceError: it cannot be read, or contradicts itself; says where.
    """
    reader = TraceReader(path)
    tape = Tape(reader.header, most)
    if begun is not None:
        begun(tape)
    for number, line in enumerate(reader):
        if number % STRIDE == 0:
            went(reader.done)
        try:
            tape.add(line)
        except TraceError as error:
            raise reader.refused(error) from None
    tape.truncated = reader.truncated
    return tape


@dataclass(frozen=True, slots=True)
class _Running:
    """A request that began: index of that entry; its prompt's number if that was recorded."""

    index: int
    owner: int
    sequence: int | None


class ToldOwners:
    """Tracks which conversation a tape's sequences belong to.

    Attributes:
        book: the owners of the sequences at each moment.
    """

    def __init__(self, sequences: Sequences, words: TokenText) -> None:
        self.book = OwnedBook()
        self._sequences, self._words = sequences, words
        # Sequence numbers, by entry index, for entries about a sequence that no request here ran.
        self._told: dict[int, int] = {}
        self._running: dict[int, _Running] = {}
        # The speakers in the most recently queried prompt.
        self._spoken: tuple[int, tuple[Speech, ...]] | None = None

    def follow(self, index: int, what: object) -> None:
        """Follow an entry of a kind in OWNING."""
        if isinstance(what, RequestBegan):
            number = None
            if what.tokens:
                number = self._own(index, what.owner, what.tokens, what.request)
            self._running[what.request] = _Running(index, what.owner, number)
        elif isinstance(what, Owned):
            self._told[index] = self._own(index, what.owner, what.tokens, what.request)
        elif isinstance(what, Disowned):
            self.book.drop(index, what.owner)

    def ended(self, taped: TapedRequest) -> None:
        """A request ended; what it added belonged to its conversation from its start on."""
        ran, index = taped.bare, taped.index
        running = self._running.pop(ran.request, None)
        if not ran.reuse:
            return
        if running is not None and running.sequence is None:
            index = running.index
        self.book.add(index, ran.owner, taped.sequence, taped.tokens, ran.request)

    def whole(self, index: int, entry: Entry) -> Entry:
        """An entry with the tokens that `light` removed."""
        if not isinstance(entry.what, Owned):
            return entry
        tokens = self._sequences.data(self._told[index])
        return structs.replace(entry, what=structs.replace(entry.what, tokens=tokens))

    def told_live(self, index: int, requests: Sequence[TapedRequest], live: LiveView) -> LiveView:
        """The running request at a moment, with its owner and the speakers in its prompt.

        Args:
            requests: of the tape.
        """
        at = bisect_left(requests, index, key=lambda request: request.index)
        ended = requests[at] if at < len(requests) else None
        running = self._running.get(live.request)
        if ended is not None and ended.bare.request == live.request:
            owner, number = ended.bare.owner, ended.sequence
        elif running is None:
            return live
        elif running.sequence is None:
            return structs.replace(live, owner=running.owner)
        else:
            owner, number = running.owner, running.sequence
        if self._spoken is None or self._spoken[0] != number:
            prompt = self._sequences.data(number)[: 4 * live.total]
            self._spoken = number, self._words.speech(prompt)
        return structs.replace(live, owner=owner, speech=self._spoken[1])

    def _own(self, index: int, owner: int, tokens: bytes, request: int) -> int:
        """Store a sequence of a conversation; returns its number."""
        ids = np.frombuffer(tokens, "<i4").astype(np.int64)
        number = self._sequences.add(ids)
        self.book.add(index, owner, number, ids, request)
        return number


def light(entry: Entry) -> Entry:
    """An entry without the tokens that are stored elsewhere."""
    what = entry.what
    if isinstance(what, Owned | RequestBegan) and what.tokens:
        return structs.replace(entry, what=structs.replace(what, tokens=b""))
    return entry
