"""A tape: the entries of a journal in order, and the cache after any of them."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from engine.cache.journal.changes import Disowned, Owned, Pieces, RequestBegan
from engine.cache.journal.journal import Entry
from engine.cache.journal.request_ran import RequestRan, TokenArray
from engine.cache.view.departures import DepartureReader, Departures
from engine.errors import TraceError
from engine.snapshot import Branch, CacheSnapshot, Evicted, LiveView, Speech
from engine.trace.lines import TracedRequest, TraceEntry
from engine.trace.owned_book import OwnedBook
from engine.trace.reader import TraceReader
from engine.trace.reel import Reel
from engine.trace.sequences import Sequences
from engine.trace.series import Series, SeriesMaker
from engine.trace.settings import TraceHeader
from engine.trace.token_text import TokenText

# Entries of a file that are held: what a day of constant use makes several times over.
MOST_READ = 4_000_000
# Lines between two reports of how far it is.
STRIDE = 2000


class TapedRequest:
    """A request of a tape. Its tokens are put together anew whenever they are asked for.

    Attributes:
        number: its place among the tape's requests, from 0.
        index: of its entry, which was written at its end.
        began, ended: seconds on the tape's clock.
        session, turn: which conversation, and which turn of it, from 0.
        sequence: number of its tokens among the tape's sequences.
        bare: what it asked for and got, without its tokens.
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
        """sequences: keeps its tokens."""
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
        """What it asked for and got."""
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
        """The same with its place."""
        return TracedRequest(self.session, self.turn, self.ran, self._recorded)


@dataclass(frozen=True, slots=True)
class TapedEviction:
    """An eviction, and the index of its entry."""

    index: int
    evicted: Evicted


@dataclass(frozen=True, slots=True)
class _Running:
    """A request that began: index of that entry; its prompt's number if it was told."""

    index: int
    request: int
    owner: int
    sequence: int | None


class Tape:
    """Grows at its end only. A moment of it is an index: how many entries came before.

    What only tells the text of ids counts as no entry.

    Attributes:
        header: what it was recorded with; None for a file of plain Marconi lines.
        requests, evictions: of all entries, in order.
        truncated: the file that it was read from ends in the middle of a line.
    """

    def __init__(self, header: TraceHeader | None = None, most: int | None = None) -> None:
        """most: entries to hold, approximately; the oldest ones are forgotten. None: all."""
        self.header = header
        self.truncated = False
        self.requests: list[TapedRequest] = []
        self.evictions: list[TapedEviction] = []
        self._sequences = Sequences()
        self._owned = OwnedBook()
        # Of entries that tell of a sequence that no request here ran: its number, by index.
        self._told: dict[int, int] = {}
        self._running: _Running | None = None
        # Who speaks in the prompt of the sequence that was asked for last.
        self._spoken: tuple[int, tuple[Speech, ...]] | None = None
        self._words = TokenText()
        self._reel = Reel(self._words, most, self._owned, self._sequences)
        self._times = array("d")
        self._series = SeriesMaker()
        self._departures = Departures()
        self._reader = DepartureReader(self._departures)

    def __len__(self) -> int:
        """How many entries it has had."""
        return len(self._times)

    @property
    def first(self) -> int:
        """The earliest moment that can be shown; entries before it are forgotten."""
        return self._reel.first

    @property
    def pieces(self) -> Mapping[int, bytes]:
        """The bytes of token ids, as far as their text is known."""
        return self._words.pieces

    def append(self, lines: Iterable[TraceEntry]) -> None:
        """Add entries. Raises TraceError at the first one that does not fit those before it."""
        for line in lines:
            entry = line.entry
            if isinstance(entry.what, Pieces):
                self._words.learn(entry.what.pieces)
            else:
                self._append(entry, line.request)

    def _append(self, entry: Entry, request: TracedRequest | None) -> None:
        index, number = len(self), len(self.requests)
        kept, what = entry, entry.what
        if request is not None:
            kept = entry._replace(what=request.ran.without_tokens())
        elif isinstance(what, Owned | RequestBegan):
            kept = entry._replace(what=what._replace(tokens=b""))
        self._reel.append(kept)
        # A verdict has the time of its audit, which may precede the entry before it.
        time = max(entry.time, self._times[-1]) if index else entry.time
        self._times.append(time)
        if request is not None:
            taped = TapedRequest(number, index, entry.time, request, self._sequences)
            self.requests.append(taped)
            self._owned_by(taped)
        elif isinstance(what, RequestBegan):
            self._begin(index, what)
        elif isinstance(what, Owned):
            self._told[index] = self._own(index, what.owner, what.tokens, what.request)
        elif isinstance(what, Disowned):
            self._owned.drop(index, what.owner)
        self._departures.on_entry(entry)
        fresh, _ = self._reader.take()
        gone = [departure.record for departure in fresh]
        self.evictions.extend(TapedEviction(index, one) for one in gone)
        self._series.follow(index + 1, time, entry, gone)

    def _begin(self, index: int, began: RequestBegan) -> None:
        number = None
        if began.tokens:
            number = self._own(index, began.owner, began.tokens, began.request)
        self._running = _Running(index, began.request, began.owner, number)

    def _own(self, index: int, owner: int, tokens: bytes, request: int) -> int:
        """Keep a sequence of a conversation; returns its number."""
        ids = np.frombuffer(tokens, "<i4").astype(np.int64)
        number = self._sequences.add(ids)
        self._owned.add(index, owner, number, ids, request)
        return number

    def _owned_by(self, taped: TapedRequest) -> None:
        """A request has ended; from its begin on, what it added was its conversation's."""
        running, self._running = self._running, None
        ran, index = taped.bare, taped.index
        if not ran.reuse:
            return
        if running is not None and running.request == ran.request and running.sequence is None:
            index = running.index
        self._owned.add(index, ran.owner, taped.sequence, taped.tokens, ran.request)

    def entry(self, index: int) -> Entry:
        """Raises IndexError if it was forgotten; see `first`."""
        entry = self._reel.entry(index)
        if isinstance(entry.what, RequestRan):
            at = bisect_left(self.requests, index, key=lambda request: request.index)
            return entry._replace(what=self.requests[at].ran)
        if isinstance(entry.what, Owned):
            tokens = self._sequences.data(self._told[index])
            return entry._replace(what=entry.what._replace(tokens=tokens))
        return entry

    def time(self, index: int) -> float:
        """Of the last entry before a moment; of the first one at the beginning, 0 if empty."""
        return self._times[max(index - 1, 0)] if self._times else 0.0

    def index_at(self, time: float) -> int:
        """The moment after the last entry that is no later than `time`."""
        return bisect_right(self._times, time)

    def snapshot(self, index: int) -> CacheSnapshot:
        """The cache after the first `index` entries, or after as few as are still known."""
        found = self._reel.snapshot(index)
        return (
            found if found.live is None else replace(found, live=self._told_live(index, found.live))
        )

    def _told_live(self, index: int, live: LiveView) -> LiveView:
        """The request that ran at a moment, with whose it was and who speaks in its prompt."""
        at = bisect_left(self.requests, index, key=lambda request: request.index)
        ended = self.requests[at] if at < len(self.requests) else None
        running = self._running
        if ended is not None and ended.bare.request == live.request:
            owner, number = ended.bare.owner, ended.sequence
        elif running is not None and running.request == live.request:
            if running.sequence is None:
                return replace(live, owner=running.owner)
            owner, number = running.owner, running.sequence
        else:
            return live
        if self._spoken is None or self._spoken[0] != number:
            prompt = self._sequences.data(number)[: 4 * live.total]
            self._spoken = number, self._words.speech(prompt)
        return replace(live, owner=owner, speech=self._spoken[1])

    def branches(self, index: int, owner: int) -> tuple[Branch, ...]:
        """The sequences of a conversation after the first `index` entries, as in a snapshot."""
        self._reel.snapshot(index)
        return self._reel.branches(owner)

    def series(self) -> Series:
        """Bytes per plane and tier after each change so far."""
        return self._series.series()

    @property
    def nbytes(self) -> int:
        """Bytes that entries, keyframes and tokens take, without Python's own."""
        return self._reel.nbytes + self._sequences.nbytes + 8 * len(self._times)

    def text(self, tokens: Iterable[int]) -> str:
        """The text of token ids; "�" for those whose text is not known."""
        known = b"".join(map(self._words.piece, tokens))
        return known.decode("utf-8", errors="replace")


def ignore(done: float) -> None:
    """Ignores how far it is."""


def read_tape(path: Path, went: Callable[[float], None] = ignore, most: int = MOST_READ) -> Tape:
    """Read a whole trace file.

    Args:
        went: called now and then with how much was read, 0 to 1; it may raise to stop.
        most: entries to hold, the newest ones.

    Raises:
        TraceError: it cannot be read, or contradicts itself; says where.
    """
    reader = TraceReader(path)
    tape = Tape(reader.header, most)
    for number, line in enumerate(reader):
        if number % STRIDE == 0:
            went(reader.done)
        try:
            tape.append((line,))
        except TraceError as error:
            raise reader.refused(error) from None
    tape.truncated = reader.truncated
    return tape
