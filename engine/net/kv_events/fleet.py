"""Engines that are watched together: their events as one tape, and what is known beside it.

The tables of blocks are exact after each batch. The tape is brought up to date in steps that may
take a fifth of the time: what falls away first under load are requests that are only inferred, then
how finely moments can be told apart, since each tree waits longer for its turn.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from threading import Lock

import numpy as np

from engine.cache.journal.changes import CacheOpened, Change, EntriesLost, NodeAdded, PoolsResized
from engine.cache.journal.journal import Entry
from engine.cache.journal.request_ran import RequestRan, TokenArray
from engine.journal.lines import TracedRequest, TraceEntry
from engine.journal.settings import CacheSettings, TraceHeader
from engine.journal.tape import Tape
from engine.net.kv_events.dump import DumpedBlocks
from engine.net.kv_events.inferred import Sessions, request_of
from engine.net.kv_events.match import Expected
from engine.net.kv_events.subscriber import Came
from engine.net.kv_events.worker import TIERS, Worker
from engine.snapshot import Untold

UNTOLD: tuple[Untold, ...] = ("states", "locks", "uses", "sizes", "requests")
MOST_WORKERS = 256
# Seconds between two steps, at least; and how many times longer than it takes.
STEP_S, REST = 0.25, 4.0
# A step ends after so long with the engine that it is at; the others wait for the next one.
BUDGET_S = 0.1
# Inferred requests of one engine that a step lists; under load there are more than anybody reads.
MOST_LISTED = 8
# After so long a hole that nothing fills is given up, and the past that is not told, too.
PATIENCE_S = 3.0
# Entries that the tape holds; the oldest ones are forgotten.
MOST_ENTRIES = 2_000_000
# The pools' sizes are not told: they are taken for what they held at most, rounded up.
LEAST_POOL = 1 << 12


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of one engine now.

    Attributes:
        blocks: that it caches; `doubtful` of them may be gone, and `unplaced` cannot be drawn,
            because what is before them was stored before anybody listened.
        batches: that were read; `lost`, `repeated` and `late` are others, see Order.
        unread: batches or events that could not be read.
        unknown: events of unknown kinds.
        elsewhere: events about places that are not drawn.
        windows: events about layers with a window, which are not drawn.
        states: whether it tells of recurrent states.
        blank: blocks that only an indexer's dump told of, without their tokens.
    """

    label: str
    blocks: int
    block_size: int
    doubtful: int
    unplaced: int
    events: int
    batches: int
    lost: int
    repeated: int
    late: int
    unread: int
    unknown: int
    elsewhere: int
    windows: int
    states: bool
    blank: int = 0


class Fleet:
    """Follows several engines, on one thread, while others look at the tape.

    Attributes:
        workers: in the order in which they were given.
        tape: what happened.
        began: when, seconds since 1970.
        step_s: how long the last step took, seconds.
        unlisted: inferred requests that are not on the tape, for there were too many.
    """

    def __init__(
        self,
        labels: Sequence[str],
        *,
        replays: Sequence[bool] = (),
        dumped: bool = False,
        clock: Callable[[], float] = time.monotonic,
        began: float | None = None,
    ) -> None:
        """Begin empty.

        Args:
            labels: of the engines; each has a lane of its own if there are several.
            replays: whether each can be asked for missed batches; by default none can.
            dumped: a dump of what they had before comes by `begin_from`.
            clock: seconds; the tape's times count from now.
        """
        assert 0 < len(labels) <= MOST_WORKERS, "that many engines cannot be watched"
        several = len(labels) > 1
        number = count(MOST_WORKERS + 1).__next__
        self.workers = tuple(
            Worker(label, place + 1 if several else 0, number) for place, label in enumerate(labels)
        )
        self.began = time.time() if began is None else began
        header = TraceHeader(
            model=labels[0] if not several else f"{len(labels)} engines",
            fingerprint="",
            settings=CacheSettings(policy="lru", kv_slots=LEAST_POOL, state_slots=LEAST_POOL),
            started=self.began,
            complete=False,
            hashed=False,
            text=False,
            untold=UNTOLD,
            lanes=tuple(labels) if several else (),
        )
        self.tape = Tape(header, MOST_ENTRIES)
        self.step_s = 0.0
        self._turn = 0
        self._drawn = [0.0] * len(labels)
        self._replays = tuple(replays) or (False,) * len(labels)
        self._dumps: dict[int, Sequence[DumpedBlocks]] = {}
        for worker in self.workers if dumped else ():
            worker.await_dump()
        self._clock, self._origin = clock, clock()
        self._lock = Lock()
        self._seq = 0
        self._next_step = 0.0
        self._asked: dict[int, int] = {}
        self._since: dict[int, float] = {}
        self._sizes = dict.fromkeys(TIERS, LEAST_POOL)
        self._sessions = Sessions()
        self._requests = 0
        self.unlisted = 0
        self._open()

    # ---- on the thread that listens

    def take(self, came: Sequence[Came]) -> dict[int, int]:
        """Take batches; returns the first batch to ask for again, by engine."""
        with self._lock:
            now = self._now()
            for one in came:
                if one.end:
                    self._replayed(one.place)
                else:
                    self._put(one.place, one.seq, one.payload, now)
            asks = self._missing(now)
            self._begin(now)
            if now >= self._next_step:
                self._step(now)
            return asks

    def begin_from(self, dump: Mapping[int, Sequence[DumpedBlocks]]) -> None:
        """What engines had before anybody listened, by their places; on any thread.

        It counts once the past that an engine can send itself has come.
        """
        with self._lock:
            self._dumps = {place: dump.get(place, ()) for place in range(len(self.workers))}

    def finish(self) -> None:
        """Nothing more comes: draw everything, and count all requests as over."""
        with self._lock:
            for place, worker in enumerate(self.workers):
                worker.order.give_up()
                self._apply(place, self._now())
            self._begin(PATIENCE_S)
            self._step(self._now(), everything=True)

    # ---- on any thread

    def expect(self, tokens: TokenArray) -> tuple[Expected, ...]:
        """What each engine has of a prompt, the one with most first."""
        data = np.asarray(tokens, np.int32).tobytes()
        with self._lock:
            self._step(self._now(), everything=True)
            found = [_expected(worker, data) for worker in self.workers]
        return tuple(sorted(found, key=lambda one: -one.reusable))

    def observe(self, ran: RequestRan) -> None:
        """A request of which more is known than its blocks: what it asked, what it was told."""
        with self._lock:
            self._log_request(ran, *self._sessions.place(None), self._now())

    def holders(self, node: int) -> tuple[int, ...] | None:
        """How many tokens of the path down to a drawn node each engine caches, in their order.

        None if there is no such node any more.
        """
        with self._lock:
            tokens = self._path(node)
            if tokens is None:
                return None
            found = [worker.known(tokens) for worker in self.workers]
        return tuple(max(end for _, end in known.values()) for known in found)

    def whose(self, node: int) -> tuple[int, int] | None:
        """Whose a drawn node is, by the engine's place, and where it ends; None if it is gone."""
        with self._lock:
            for place, worker in enumerate(self.workers):
                for drawn in worker.drawn.values():
                    if node in drawn.by_id:
                        return place, drawn.by_id[node].end
        return None

    @property
    def now(self) -> float:
        """On the tape's clock, seconds."""
        return self._now()

    def facts(self) -> tuple[Facts, ...]:
        """What is known of each engine now."""
        with self._lock:
            return tuple(_facts(worker) for worker in self.workers)

    # ---- inside

    def _path(self, node: int) -> bytes | None:
        for worker in self.workers:
            for drawn in worker.drawn.values():
                found = drawn.by_id.get(node)
                if found is not None:
                    return drawn.path(found)
        return None

    def _now(self) -> float:
        return self._clock() - self._origin

    def _put(self, place: int, seq: int, payload: bytes, now: float) -> None:
        self.workers[place].order.put(seq, payload)
        self._apply(place, now)

    def _apply(self, place: int, now: float) -> None:
        worker = self.workers[place]
        for gap in worker.apply():
            # What is drawn so far was before it.
            self._draw(worker, now)
            self._log(EntriesLost(max(gap.batches, 1), worker.lane), now)

    def _replayed(self, place: int) -> None:
        """What can be had of the past, or of a hole, is there."""
        self._asked.pop(place, None)
        order = self.workers[place].order
        if order.next is None:
            order.begin()
        elif order.wanted is not None:
            order.give_up()
        self._apply(place, self._now())

    def _begin(self, now: float) -> None:
        """Put the dump where an engine's own past is there, or none comes."""
        for place in list(self._dumps):
            worker = self.workers[place]
            if worker.order.next is not None or now >= PATIENCE_S:
                worker.begin_from(self._dumps.pop(place))

    def _missing(self, now: float) -> dict[int, int]:
        asks: dict[int, int] = {}
        for place, worker in enumerate(self.workers):
            order = worker.order
            if not order.waiting:
                self._since.pop(place, None)
                continue
            since = self._since.setdefault(place, now)
            patience = PATIENCE_S if self._replays[place] or order.next is not None else 0.0
            if now - since >= patience:
                order.give_up()
                self._apply(place, now)
                self._since.pop(place, None)
                self._asked.pop(place, None)
            elif self._replays[place] and order.wanted not in (None, self._asked.get(place)):
                assert order.wanted is not None, "it was looked at"
                asks[place] = self._asked[place] = order.wanted
        return asks

    def _open(self) -> None:
        for tier in TIERS:
            self._log(CacheOpened("lru", LEAST_POOL, LEAST_POOL, 1, 1), 0.0, tier)
            for worker in self.workers:
                if worker.lane:
                    self._log(NodeAdded(worker.lane, 0, 0, 0), 0.0, tier)

    def _step(self, now: float, *, everything: bool = False) -> None:
        """Bring the tape up to date: of all engines, or of as many as there is time for."""
        began = time.perf_counter()
        for _ in self.workers:
            worker = self.workers[self._turn]
            self._draw(worker, now, everything)
            self._drawn[self._turn] = now
            self._turn = (self._turn + 1) % len(self.workers)
            if not everything and time.perf_counter() - began > BUDGET_S:
                break
        for tier in TIERS:
            self._resize(tier, now)
        self._told()
        self.step_s = time.perf_counter() - began
        self._next_step = now + max(STEP_S, REST * min(self.step_s, 1.0))

    def _draw(self, worker: Worker, now: float, everything: bool = False) -> None:
        for tier, change in worker.step(now, everything=everything):
            self._log(change, now, tier)
        self._infer(worker, now, everything)

    @property
    def late_s(self) -> float:
        """How old the oldest of the drawn trees is, seconds."""
        return max(self._now() - min(self._drawn), 0.0)

    def _infer(self, worker: Worker, now: float, everything: bool) -> None:
        """Put requests on the tape that are over, as far as they can be told from their blocks."""
        runs = worker.runs.over(worker.seen or 0.0, everything=everything)
        listed = len(runs) if everything else MOST_LISTED
        for run in runs[:listed]:
            before = worker.path(run.before)
            if before is not None:
                self._requests += 1
                session, turn = self._sessions.place(run)
                self._log_request(request_of(run, before, self._requests), session, turn, now)
        self.unlisted += len(runs[listed:])

    def _told(self) -> None:
        """An engine that tells of states has them drawn."""
        header = self.tape.header
        assert header is not None, "it was made with one"
        if "states" in header.untold and all(w.states["device"].told for w in self.workers):
            untold = tuple(one for one in header.untold if one != "states")
            self.tape.header = replace(header, untold=untold)

    def _resize(self, tier: str, now: float) -> None:
        tokens = sum(worker.tables[tier].reachable() * worker.block_size for worker in self.workers)
        while self._sizes[tier] < tokens:
            self._sizes[tier] *= 2
            if self._sizes[tier] >= tokens:
                self._log(PoolsResized(self._sizes[tier], LEAST_POOL), now, tier)

    def _log(self, what: Change, now: float, tier: str = "device") -> None:
        self._seq += 1
        self.tape.add(TraceEntry(Entry(self._seq, now, tier, what)))

    def _log_request(self, ran: RequestRan, session: int, turn: int, now: float) -> None:
        if not len(ran.prompt):
            return
        ran = replace(ran, owner=session + 1)
        self._seq += 1
        traced = TracedRequest(session, turn, ran, True)
        self.tape.add(TraceEntry(Entry(self._seq, now, "device", ran), traced))


def _expected(worker: Worker, data: bytes) -> Expected:
    found = worker.known(data)
    (node, device), (_, host) = found["device"], found["host"]
    table = worker.tables["device"]
    doubtful = any(table.doubtful(row) for row in node.rows[-1:]) or bool(worker.order.waiting)
    return Expected(
        total=len(data) // 4,
        device=device,
        host=host,
        block=max(worker.block_size, 1),
        worker=worker.label,
        doubtful=doubtful,
        state=worker.state_before(data),
    )


def _facts(worker: Worker) -> Facts:
    order, unread = worker.order, worker.unread
    return Facts(
        label=worker.label,
        blocks=worker.blocks,
        block_size=worker.block_size,
        doubtful=worker.doubtful,
        unplaced=worker.unplaced,
        events=worker.events,
        batches=worker.batches,
        lost=order.lost,
        repeated=order.repeated,
        late=order.late,
        unread=unread.batches + unread.events,
        unknown=sum(unread.kinds.values()),
        elsewhere=sum(worker.elsewhere.values()),
        windows=sum(worker.windows.values()),
        states=worker.states["device"].told,
        blank=worker.blank,
    )
