"""The journal for a viewer: an event that carries batches of it, and the feed that makes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from msgspec.structs import replace

from engine.cache.cache import TwoPlaneCache
from engine.cache.journal.journal import Entry, Journal
from engine.cache.journal.request_ran import RequestRan
from engine.events import Event
from engine.journal.lines import TracedRequest, TraceEntry
from engine.journal.narrator import PieceBook, PieceOf, Segments, narrate
from engine.journal.settings import TraceHeader


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalFed(Event):
    """The next lines of the journal; with `header` they start over and replace all earlier ones.

    They begin as a trace file does: earlier requests, then the current caches. A request's session
    is its owner, and its turn is counted from the start of the feed.
    """

    lines: tuple[TraceEntry, ...]
    header: TraceHeader | None = None


class Feed:
    """Collects journal entries and defers all other work until a batch is taken.

    Create it between two requests, on the thread that owns the caches.
    """

    def __init__(
        self,
        header: TraceHeader,
        journal: Journal,
        tiers: dict[str, TwoPlaneCache],
        piece: PieceOf,
        beginning: Iterable[Entry],
        disk: Segments | None = None,
    ) -> None:
        """Begin.

        Args:
            beginning, disk: see `beginning` in engine.journal.recorder.
            piece: the text of an id.
        """
        self._header: TraceHeader | None = header
        self._entries = list(beginning)
        self._book = PieceBook(piece)
        self._turns: Counter[int] = Counter()
        self.stop = narrate(journal, tiers, self._entries.append, disk)

    @property
    def waiting(self) -> int:
        """Entries not taken yet."""
        return len(self._entries)

    def take(self) -> JournalFed | None:
        """The entries since the last call; None if there are none."""
        if not self._entries and self._header is None:
            return None
        header, self._header = self._header, None
        entries = self._entries.copy()
        self._entries.clear()
        return JournalFed(header=header, lines=tuple(self._lines(entries)))

    def _lines(self, entries: list[Entry]) -> Iterable[TraceEntry]:
        for entry in entries:
            pieces = self._book.fresh(entry)
            if pieces is not None:
                yield TraceEntry(replace(entry, what=pieces))
            what = entry.what
            if isinstance(what, RequestRan):
                placed = TracedRequest(what.owner, self._turns[what.owner], what, True)
                self._turns[what.owner] += 1
                yield TraceEntry(entry, placed)
            else:
                yield TraceEntry(entry)
