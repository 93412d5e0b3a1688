"""A tape: the entries of a journal in order, and the cache after any of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from engine.cache.journal.changes import Pieces
from engine.cache.journal.journal import Entry
from engine.cache.journal.request_ran import RequestRan
from engine.cache.view.departures import DepartureReader, Departures
from engine.snapshot import CacheSnapshot, Evicted
from engine.trace.lines import TracedRequest, TraceEntry
from engine.trace.reader import TraceReader
from engine.trace.reducer import TraceState
from engine.trace.series import Series, SeriesMaker
from engine.trace.settings import TraceHeader


@dataclass(frozen=True, slots=True, eq=False)
class TapedRequest:
    """A request of a tape.

    Attributes:
        number: its place among the tape's requests, from 0.
        index: of its entry, which was written at its end.
        began, ended: seconds on the tape's clock.
        traced: what it asked for and got.
    """

    number: int
    index: int
    began: float
    ended: float
    traced: TracedRequest

    @property
    def ran(self) -> RequestRan:
        return self.traced.ran


@dataclass(frozen=True, slots=True)
class TapedEviction:
    """An eviction, and the index of its entry."""

    index: int
    evicted: Evicted


class Tape:
    """Grows at its end only. A moment of it is an index: how many entries came before.

    What only tells the text of ids counts as no entry.

    Attributes:
        header: what it was recorded with; None for a file of plain Marconi lines.
        pieces: the bytes of token ids, as far as their text is known.
        requests, evictions: of all entries, in order.
    """

    def __init__(self, header: TraceHeader | None = None) -> None:
        self.header = header
        self.pieces: dict[int, bytes] = {}
        self.requests: list[TapedRequest] = []
        self.evictions: list[TapedEviction] = []
        self._lines: list[TraceEntry] = []
        self._times: list[float] = []
        self._series = SeriesMaker()
        self._departures = Departures()
        self._reader = DepartureReader(self._departures)

    def __len__(self) -> int:
        return len(self._lines)

    def append(self, lines: Iterable[TraceEntry]) -> None:
        """Add entries. Raises TraceError if one does not fit those before it."""
        for line in lines:
            entry, index = line.entry, len(self._lines)
            if isinstance(entry.what, Pieces):
                self.pieces.update(entry.what.pieces)
                continue
            self._lines.append(line)
            # A verdict has the time of its audit, which may precede the entry before it.
            self._times.append(max(entry.time, self._times[-1] if self._times else entry.time))
            self._departures.on_entry(entry)
            fresh, _ = self._reader.take()
            gone = [departure.record for departure in fresh]
            self.evictions.extend(TapedEviction(index, one) for one in gone)
            self._series.follow(index + 1, self._times[-1], entry, gone)
            if line.request is not None:
                began = entry.time - line.request.ran.total_s
                number = len(self.requests)
                self.requests.append(TapedRequest(number, index, began, entry.time, line.request))

    def entry(self, index: int) -> Entry:
        return self._lines[index].entry

    def time(self, index: int) -> float:
        """Of the last entry before a moment; of the first one at the beginning, 0 if empty."""
        return self._times[max(index - 1, 0)] if self._times else 0.0

    def index_at(self, time: float) -> int:
        """The moment after the last entry that is no later than `time`."""
        return bisect_right(self._times, time)

    def snapshot(self, index: int) -> CacheSnapshot:
        """The cache after the first `index` entries."""
        state = TraceState()
        for line in self._lines[:index]:
            state.apply(line.entry)
        return state.snapshot()

    def series(self) -> Series:
        """Bytes per plane and tier after each change so far."""
        return self._series.series()

    def text(self, tokens: Iterable[int]) -> str:
        """The text of token ids; "�" for those whose text is not known."""
        unknown = "�".encode()
        known = b"".join(self.pieces.get(token, unknown) for token in tokens)
        return known.decode("utf-8", errors="replace")


def read_tape(path: Path) -> Tape:
    """Read a whole trace file. Raises TraceError if it cannot be read or contradicts itself."""
    reader = TraceReader(path)
    tape = Tape(reader.header)
    tape.append(reader)
    return tape
