"""Remote engines as a source of the debugger's panels. Without Qt."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from threading import Lock

from app.core.session.counters import Counters
from app.core.words import format as fmt
from app.core.words.tr import tr
from app.debugger.logic.source import WithoutEngine
from app.debugger.remote.logic.words import also_words, load_sentence, news
from engine.cache.journal.request_ran import RequestRan, TokenArray
from engine.errors import RemoteError
from engine.journal.tape import Tape
from engine.net.client.address import Address
from engine.net.counters.poller import Poller
from engine.net.counters.reading import CountersRead
from engine.net.kv_events.address import Publisher
from engine.net.kv_events.dump import DumpedBlocks, read
from engine.net.kv_events.fleet import Facts, Fleet
from engine.net.kv_events.match import Expected, Finding, compare
from engine.net.kv_events.subscriber import Subscriber
from engine.snapshot import CacheSnapshot

# The number of findings to keep.
MOST_FINDINGS = 200
_JOIN_S = 5.0


class RemoteSource(WithoutEngine):
    """Read-only access to remote engines; see Source.

    Attributes:
        fleet: all that is known about them.
        whole: always true, unlike for a file that is still being read.
        findings: on the requests that this program sent, the newest last.
        publishers: the event publishers it subscribes to.
    """

    live = False
    whole = True

    def __init__(
        self,
        publishers: Sequence[Publisher],
        metrics: Address | None = None,
        dump: Address | Path | None = None,
    ) -> None:
        """Connect. Raises AddressError if an address cannot be used.

        Args:
            metrics: of the engine's counters, if no other poller calls `counted`.
            dump: of an indexer that has listened before, or a dump file of it.
        """
        labels = [one.label or one.events for one in publishers]
        self.name = labels[0] if len(labels) == 1 else tr("{n} engines").format(n=len(labels))
        replays = [bool(one.replay) for one in publishers]
        self.fleet = Fleet(labels, replays=replays, dumped=dump is not None)
        self._labels, self._dump = labels, dump
        self._dump_problem = ""
        self.findings: list[Finding] = []
        self.publishers = tuple(publishers)
        self._subscriber = Subscriber(publishers, self.fleet.take)
        # Reference count: chats and the debugger may use it at the same time.
        self._users, self._over = 0, False
        self._lock = Lock()
        self._counters, self._copied = Counters(), Counters()
        self._poller = None if metrics is None else Poller(metrics, "", self.counted)

    def start(self) -> None:
        """Listen, on another thread, until every caller of this has called `stop`.

        Once stopped it misses events, so it cannot be restarted; create another one.
        """
        with self._lock:
            assert not self._over, "it cannot be restarted"
            self._users += 1
            first = self._users == 1
        if first:
            self._subscriber.start()
            if self._dump is not None:
                # In the background: a large dump takes a while, and is useful whenever it arrives.
                threading.Thread(target=self._read_dump, name="biplane-dump", daemon=True).start()
            if self._poller is not None:
                self._poller.start()

    def stop(self) -> None:
        with self._lock:
            self._users -= 1
            last = self._over = self._users == 0
        if last:
            self._subscriber.stop()
            if self._poller is not None:
                self._poller.stop(_JOIN_S)

    @property
    def listening(self) -> bool:
        return self._users > 0

    def _read_dump(self) -> None:
        assert self._dump is not None, "started only with a dump"
        found: dict[int, tuple[DumpedBlocks, ...]] = {}
        try:
            found = read(self._dump).of(self._labels)
        except RemoteError as error:
            self._dump_problem = str(error)
        self.fleet.begin_from(found)

    def dump_problem(self) -> str:
        """Why reading the dump failed, returned once; "" if it has not failed."""
        said, self._dump_problem = self._dump_problem, ""
        return said

    # ---- requests that this program sends

    def expect(self, prompt: TokenArray) -> Expected:
        """What the engine with most of a prompt has of it; called before it is sent."""
        return self.fleet.expect(prompt)[0]

    def answered(self, expected: Expected, cached: int | None, ran: RequestRan | None) -> Finding:
        """Record that a request was answered.

        Args:
            cached: tokens that the engine reports as reused; None if it does not report them.
            ran: the request for the tape, if its tokens are known.
        """
        finding = compare(expected, cached)
        self.findings = [*self.findings, finding][-MOST_FINDINGS:]
        if ran is not None:
            self.fleet.observe(ran)
        return finding

    def counted(self, read: CountersRead) -> None:
        """Take a reading of the engine's counters; called on any thread."""
        with self._lock:
            self._counters.take(replace(read, time=self.fleet.now))

    # ---- the interface of Source

    @property
    def counters(self) -> Counters | None:
        with self._lock:
            if self._counters.last != self._copied.last:
                self._copied = self._counters.copy()
        return self._copied if self._copied.points else None

    @property
    def tape(self) -> Tape:
        return self.fleet.tape

    @property
    def sentence(self) -> str:
        """What is on screen, in one line."""
        facts = self.facts()
        blocks, events = sum(one.blocks for one in facts), sum(one.events for one in facts)
        parts = [self.name, fmt.plural(blocks, "block"), fmt.plural(events, "event")]
        return " · ".join(
            [*parts, *news(facts), *load_sentence(self.fleet.late_s, self.fleet.unlisted)]
        )

    @property
    def problem(self) -> str:
        """Why no more events arrive, "" if nothing is wrong."""
        return self._subscriber.problem

    def facts(self) -> tuple[Facts, ...]:
        return self.fleet.facts()

    def newest(self) -> CacheSnapshot | None:
        return self.tape.snapshot(len(self.tape))

    def owner_title(self, owner: int) -> str:
        lanes = () if self.tape.header is None else self.tape.header.lanes
        return lanes[owner - 1] if 0 < owner <= len(lanes) else self.title(owner - 1)

    def also_on(self, node: int) -> str | None:
        workers = self.fleet.workers
        whose = self.fleet.whose(node) if len(workers) > 1 else None
        holds = None if whose is None else self.fleet.holders(node)
        if whose is None or holds is None:
            return None
        own, end = whose
        labels = [worker.label for worker in workers]
        held = list(zip(labels, holds, strict=True))
        return also_words(held[:own] + held[own + 1 :], end)
