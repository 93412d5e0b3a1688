"""Recording: everything the journal tells, from now on, into a trace file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from engine.cache.cache import TwoPlaneCache
from engine.cache.journal.changes import CacheFound, Noticed
from engine.cache.journal.journal import Entry, Journal
from engine.cache.journal.request_record import RequestRan
from engine.trace.lines import TracedRequest, entry_line, header_line
from engine.trace.sessions import SessionGuess
from engine.trace.settings import TraceHeader
from engine.trace.token_hash import TokenHasher
from engine.trace.writer import TraceWriter, unheard

FILE_NAME = re.compile(r"[0-9a-f]{16,}\S*")


@dataclass(frozen=True, slots=True)
class Recording:
    """What became of a recording; `problem` is why it ended early, "" where it did not."""

    path: Path
    lines: int
    problem: str


class Recorder:
    """One recording, from its first line to its end. It never raises into the engine.

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
        told: Callable[[str], None] = unheard,
    ) -> None:
        """Begin.

        Args:
            tiers: the caches by the names under which they tell the journal.
            now: seconds on the caches' clock; the file's times count from here.
            before: what was asked of the caches until now, from their start on.
            told: is given a sentence, on another thread, where the file cannot be written on.

        Raises:
            TraceError: the file cannot be written.
        """
        self._path = path
        self._writer = TraceWriter(path, header_line(header), LineMaker(header, now).line, told)
        for entry in before:
            self._writer.put(entry)
        for name, cache in tiers.items():
            self._writer.put(Entry(journal.seq, now, name, found(cache)))
        self._stop = journal.listen(self._writer.put)

    @property
    def problem(self) -> str:
        """Why nothing is written any more, "" while all is well."""
        return self._writer.problem

    def stop(self) -> Recording:
        """End the recording; what was told until now is in the file."""
        self._stop()
        self._writer.close()
        return Recording(self._path, self._writer.written, self._writer.problem)


class LineMaker:
    """From entries to lines, with no more in them than the header says. Lives on the writer's side.

    It is no part of the recorder, which would then hold itself through its writer.
    """

    def __init__(self, header: TraceHeader, origin: float) -> None:
        self._text = header.text
        self._origin = origin
        self._sessions = SessionGuess()
        self._hasher = TokenHasher() if header.hashed else None

    def line(self, entry: Entry) -> str:
        """The line of an entry; call it in the entries' order."""
        what = entry.what
        if isinstance(what, Noticed) and self._hasher is not None:
            # The name of a file of the disk tier is a hash of a prefix, with no key.
            entry = entry._replace(what=Noticed(FILE_NAME.sub("…", what.sentence)))
        if not isinstance(what, RequestRan):
            return entry_line(entry, self._origin)
        session, turn = self._sessions.place(what.prompt)
        return entry_line(
            entry, self._origin, TracedRequest(session, turn, self._private(what), True)
        )

    def _private(self, ran: RequestRan) -> RequestRan:
        """The request as the file may tell it."""
        if not self._text:
            ran = replace(ran, text="")
        if self._hasher is None:
            return ran
        both = self._hasher.hashed(ran.sequence)
        total = len(ran.prompt)
        return replace(ran, prompt=both[:total], decoded=both[total:])


def found(cache: TwoPlaneCache) -> CacheFound:
    """The cache as it is now, for whoever begins to listen."""
    kv, states = cache.reader.kv_pool(), cache.reader.state_pool()
    return CacheFound(
        opened=cache.opened._replace(kv_slots=kv.total, state_slots=states.total),
        nodes=cache.reader.nodes(),
        live_kv=kv.live,
        live_states=states.live,
        evicted=tuple(sorted(cache.reader.evicted.items())),
        skipped=cache.skipped,
    )
