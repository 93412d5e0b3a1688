"""Engines that run elsewhere, as a source of the debugger's panels. Without Qt."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from threading import Lock

from app.core.session.counters import Counters
from app.core.words import format as fmt
from app.core.words.tr import tr
from app.debugger.remote.logic.words import also_words, load_sentence, news
from engine.cache.journal.request_ran import RequestRan, TokenArray
from engine.errors import RemoteError
from engine.events import InvariantsChecked, ModelInfo
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

# The last requests of which more is known than their blocks.
MOST_FINDINGS = 200
_JOIN_S = 5.0


class RemoteSource:
    """Engines that are watched; see Source. Nothing can be sent to them.

    Attributes:
        fleet: what is known of them.
        whole: nothing more of it has to be read before it can be shown.
        findings: of the requests that this program sent, the newest last.
        publishers: what it listens to.
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
            metrics: of the engine's counters, if nobody else looks at them and calls `counted`.
            dump: of an indexer that listened before, or what it gave as a file.
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
        # Chats and the debugger may need it at the same time.
        self._users, self._over = 0, False
        self._lock = Lock()
        self._counters, self._copied = Counters(), Counters()
        self._poller = None if metrics is None else Poller(metrics, "", self.counted)

    def start(self) -> None:
        """Listen, on another thread, until everybody who did this has called `stop`.

        What was stopped has missed events since: whoever wants to listen again makes another one.
        """
        with self._lock:
            assert not self._over, "it listens once"
            self._users += 1
            first = self._users == 1
        if first:
            self._subscriber.start()
            if self._dump is not None:
                # Nobody waits for it: a large one takes a while, and is of use whenever it comes.
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
        assert self._dump is not None, "there is one"
        found: dict[int, tuple[DumpedBlocks, ...]] = {}
        try:
            found = read(self._dump).of(self._labels)
        except RemoteError as error:
            self._dump_problem = str(error)
        self.fleet.begin_from(found)

    def dump_problem(self) -> str:
        """Why there is no dump, once; "" if there is, or may still be."""
        said, self._dump_problem = self._dump_problem, ""
        return said

    # ---- requests that this program sent there

    def expect(self, prompt: TokenArray) -> Expected:
        """What the engine with most of a prompt has of it; asked before it is sent."""
        return self.fleet.expect(prompt)[0]

    def answered(self, expected: Expected, cached: int | None, ran: RequestRan | None) -> Finding:
        """A request was answered.

        Args:
            cached: tokens that the engine says it reused; None if it does not say.
            ran: the request for the tape, if its tokens are known.
        """
        finding = compare(expected, cached)
        self.findings = [*self.findings, finding][-MOST_FINDINGS:]
        if ran is not None:
            self.fleet.observe(ran)
        return finding

    def counted(self, read: CountersRead) -> None:
        """Somebody looked at the engine's counters just now; on any thread."""
        with self._lock:
            self._counters.take(replace(read, time=self.fleet.now))

    # ---- what the panels ask

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
        """Why nothing more comes, "" if nothing is wrong."""
        return self._subscriber.problem

    def facts(self) -> tuple[Facts, ...]:
        return self.fleet.facts()

    @property
    def model(self) -> ModelInfo | None:
        return None

    @property
    def checked(self) -> InvariantsChecked | None:
        return None

    @property
    def verifying(self) -> frozenset[int]:
        return frozenset()

    def newest(self) -> CacheSnapshot | None:
        return self.tape.snapshot(len(self.tape))

    @property
    def current(self) -> int | None:
        return None

    def title(self, session: int) -> str:
        return tr("Conversation {n}").format(n=session + 1)

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
