"""Records all journal entries to a trace file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from msgspec import structs

from engine.cache.cache import TwoPlaneCache
from engine.cache.journal.changes import (
    ByUser,
    CacheFound,
    CacheOpened,
    Disowned,
    Forgot,
    NodeAdded,
    NodeRemoved,
    NodeSplit,
    Noticed,
    Owned,
    RequestBegan,
    SegmentAdded,
    SegmentRemoved,
    SegmentsUsed,
    SegmentWritten,
)
from engine.cache.journal.journal import Entry, Journal
from engine.cache.journal.request_ran import RequestRan
from engine.cache.node import ROOT_ID
from engine.journal.lines import TracedRequest, entry_line, header_line
from engine.journal.narrator import Beside, PieceBook, PieceOf, Segments, found, narrate
from engine.journal.sessions import SessionGuess
from engine.journal.settings import TraceHeader
from engine.journal.token_hash import TOKEN_BYTES, WINDOW, TokenHasher
from engine.journal.writer import TraceWriter, ignore

FILE_NAME = re.compile(r"[0-9a-f]{16,}\S*")
_Segment = SegmentAdded | SegmentWritten | SegmentsUsed | SegmentRemoved


class TreeHasher:
    """Follows the trees of all tiers; holds the cached tokens, 4 bytes for each."""

    def __init__(self, hasher: TokenHasher) -> None:
        self._hasher = hasher
        # By tier and node or segment: where the span ends, and the tokens up to there.
        self._spans: dict[tuple[str, int | str], tuple[int, bytes]] = {}

    def hashed(self, entry: Entry) -> Entry:
        """The entry as it may be written; must be called with every change, in order."""
        tier, change = entry.tier, entry.what
        if isinstance(change, SegmentAdded | SegmentWritten | SegmentsUsed | SegmentRemoved):
            return structs.replace(entry, what=self._segment(change))
        if isinstance(change, NodeAdded):
            tokens = self._linked(tier, change.node, change.parent, change.start, change.tokens)
            return structs.replace(entry, what=structs.replace(change, tokens=tokens))
        if isinstance(change, NodeSplit):
            self._split(tier, change)
        elif isinstance(change, NodeRemoved):
            self._spans.pop((tier, change.node), None)
        elif isinstance(change, CacheOpened):
            self._forget(tier)
        elif isinstance(change, CacheFound):
            self._forget(tier)
            if change.tokens:
                hashes = tuple(
                    self._linked(tier, view.id, view.parent or ROOT_ID, view.start, tokens)
                    for view, tokens in zip(change.nodes, change.tokens, strict=True)
                )
                return structs.replace(entry, what=structs.replace(change, tokens=hashes))
        return entry

    def _segment(self, change: _Segment) -> _Segment:
        """The segment with new keys: those of the files are unkeyed hashes of prefixes."""
        if isinstance(change, SegmentsUsed):
            return structs.replace(change, keys=tuple(map(self._hasher.name, change.keys)))
        key = self._hasher.name(change.key) if change.key else ""
        if isinstance(change, SegmentAdded):
            above, parent = (
                change.parent or ROOT_ID,
                change.parent and self._hasher.name(change.parent),
            )
            tokens = self._linked("disk", change.key, above, change.start, change.tokens)
            return structs.replace(change, key=key, parent=parent, tokens=tokens)
        if isinstance(change, SegmentRemoved):
            self._spans.pop(("disk", change.key), None)
        return structs.replace(change, key=key)

    def _linked(
        self, tier: str, node: int | str, parent: int | str, start: int, tokens: bytes
    ) -> bytes:
        """The hashes of a new span; none if its tokens, or those above, are unknown."""
        above = self._spans.get((tier, parent))
        if not tokens or (above is None and parent != ROOT_ID):
            return b""
        before = b"" if above is None else above[1][-(WINDOW - 1) * TOKEN_BYTES :]
        self._spans[tier, node] = start + len(tokens) // TOKEN_BYTES, before + tokens
        return self._hasher.extended(before, tokens).astype("<i4").tobytes()

    def _split(self, tier: str, split: NodeSplit) -> None:
        known = self._spans.get((tier, split.node))
        if known is None:
            return
        end, tokens = known
        # The tokens above it are also above the lower part.
        upper = tokens[: len(tokens) - (end - split.position) * TOKEN_BYTES]
        self._spans[tier, split.upper] = split.position, upper

    def _forget(self, tier: str) -> None:
        self._spans = {at: span for at, span in self._spans.items() if at[0] != tier}


@dataclass(frozen=True, slots=True)
class Recording:
    """The result of a recording; `problem` says why it ended early, "" if it did not."""

    path: Path
    lines: int
    problem: str


class Recorder:
    """One recording, from start to end. It never raises into the engine.

    Start and end it between two requests, on the thread that owns the caches.
    """

    def __init__(
        self,
        path: Path,
        header: TraceHeader,
        journal: Journal,
        tiers: Mapping[str, TwoPlaneCache],
        now: float,
        *,
        before: Iterable[Entry] = (),
        piece: PieceOf | None = None,
        owned: Iterable[Owned] = (),
        beside: Beside | None = None,
        disk: Segments | None = None,
        notify: Callable[[str], None] = ignore,
    ) -> None:
        """Start recording.

        Args:
            tiers: the caches by the names under which they write to the journal.
            now: seconds on the caches' clock; the file's times count from here.
            before: the requests to the caches so far, from their start on.
            owned, beside: see `beginning`.
            disk: the tier below the caches, if any.
            piece: the bytes of a token id, called on another thread; None omits them.
            notify: called with a sentence, on another thread, if writing fails.

        Raises:
            TraceError: the file cannot be written.
        """
        self._path = path
        header = replace(header, hash_window=WINDOW if header.hashed else 0)
        maker = LineMaker(header, now, piece)
        self._writer = TraceWriter(path, header_line(header), maker.line, notify)
        for entry in beginning(before, journal, tiers, now, beside, disk, owned):
            self._writer.put(entry)
        self._stop = narrate(journal, tiers, self._writer.put, disk)

    @property
    def problem(self) -> str:
        """Why writing stopped, "" while it has not."""
        return self._writer.problem

    def stop(self) -> Recording:
        """End the recording; every entry until now is in the file."""
        self._stop()
        self._writer.close()
        return Recording(self._path, self._writer.written, self._writer.problem)


class LineMaker:
    """Encodes entries as lines with no more content than the header declares, for the writer.

    It is separate from the recorder, which would otherwise reference itself through its writer.
    """

    def __init__(self, header: TraceHeader, origin: float, piece: PieceOf | None = None) -> None:
        self._text = header.text
        self._origin = origin
        self._sessions = SessionGuess()
        self._hasher = TokenHasher() if header.hashed else None
        self._trees = TreeHasher(self._hasher) if self._hasher is not None else None
        self._book = PieceBook(piece) if piece is not None and self._hasher is None else None

    def line(self, entry: Entry) -> str:
        """The line of an entry, after those of new token texts; must be called in order."""
        pieces = None if self._book is None else self._book.fresh(entry)
        if pieces is None:
            return self._line(entry)
        return entry_line(structs.replace(entry, what=pieces), self._origin) + self._line(entry)

    def _line(self, entry: Entry) -> str:
        what = entry.what
        if isinstance(what, Noticed) and self._hasher is not None:
            # A file name of the disk tier is an unkeyed hash of a prefix.
            entry = structs.replace(entry, what=Noticed(FILE_NAME.sub("…", what.sentence)))
        if isinstance(what, Forgot | ByUser) and self._hasher is not None:
            hashed = tuple(self._hasher.hashed(np.array(what.tokens, np.int64)).tolist())
            entry = structs.replace(entry, what=structs.replace(what, tokens=hashed))
        if isinstance(what, Owned | Disowned | RequestBegan):
            entry = structs.replace(entry, what=self._named(what))
        if not isinstance(what, RequestRan):
            if self._trees is not None:
                entry = self._trees.hashed(entry)
            return entry_line(entry, self._origin)
        session, turn = self._sessions.place(what.prompt, what.owner)
        return entry_line(
            entry, self._origin, TracedRequest(session, turn, self._private(what), True)
        )

    def _named(self, what: Owned | Disowned | RequestBegan) -> Owned | Disowned | RequestBegan:
        """With the file's conversation number, and without tokens that must not be written."""
        if what.owner:
            what = structs.replace(what, owner=self._sessions.of(what.owner) + 1)
        if isinstance(what, RequestBegan):
            # They are written when the request ends.
            return structs.replace(what, tokens=b"")
        if isinstance(what, Owned) and self._hasher is not None:
            tokens = self._hasher.hashed(np.frombuffer(what.tokens, "<i4").astype(np.int64))
            return structs.replace(what, tokens=tokens.astype("<i4").tobytes())
        return what

    def _private(self, ran: RequestRan) -> RequestRan:
        """The request as it may be written to the file."""
        if not self._text:
            ran = replace(ran, text="")
        if self._hasher is None:
            return ran
        both = self._hasher.hashed(ran.sequence)
        total, drafts = len(ran.prompt), ran.drafts.without_ids()
        return replace(ran, prompt=both[:total], decoded=both[total:], drafts=drafts)


def beginning(
    before: Iterable[Entry],
    journal: Journal,
    tiers: Mapping[str, TwoPlaneCache],
    now: float,
    beside: Beside | None,
    disk: Segments | None = None,
    owned: Iterable[Owned] = (),
) -> Iterator[Entry]:
    """What a late listener needs first: the requests so far, and the current caches.

    Args:
        beside: what the engine has besides the device's cache.
        disk: the tier below the caches.
        owned: the known sequences by conversation, the most recently updated last.
    """
    yield from before
    for one in owned:
        yield Entry(journal.seq, now, "device", one)
    for name, cache in tiers.items():
        what = found(cache)
        if name == "device" and beside is not None:
            what = beside.added_to(what)
        yield Entry(journal.seq, now, name, what)
        if name != "device" or beside is None:
            continue
        if beside.memory.experts or beside.memory.drafts:
            yield Entry(journal.seq, now, name, beside.memory)
    if disk is not None:
        for told in disk.told():
            yield Entry(journal.seq, now, "disk", told)
