"""A group of watched engines: their events as one tape, and their current statistics.

The tables of blocks are exact after each batch. The tape is updated in steps that may take a fifth
of the time: what degrades first under load are the inferred requests, then the time resolution,
since each tree waits longer for its turn.
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
# Minimum seconds between two steps; and the pause as a multiple of a step's duration.
STEP_S, REST = 0.25, 4.0
# A step ends with the current engine after this long; the others wait for the next step.
BUDGET_S = 0.1
# Maximum inferred requests of one engine listed per step; under load nobody could read them all.
MOST_LISTED = 8
# How long to wait for missing batches, and for the past of an engine, before giving up.
PATIENCE_S = 3.0
# Maximum entries in the tape; the oldest are dropped.
MOST_ENTRIES = 2_000_000
# The pools' sizes are not published: assume the peak content, rounded up.
LEAST_POOL = 1 << 12


@dataclass(frozen=True, slots=True)
class Facts:
    """Current statistics of one engine.

    Attributes:
        blocks: that it caches; `doubtful` of them may have been removed, and `unplaced` cannot be
            drawn, because their ancestors were stored before the subscription.
        batches: that were read; for `lost`, `repeated` and `late` see Order.
        unread: batches or events that could not be read.
        unknown: events of unknown kinds.
        elsewhere: events about media that are not drawn.
        windows: events about sliding-window layers, which are not drawn.
        states: whether it reports recurrent states.
        blank: blocks known only from an indexer's dump, without their tokens.
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
    """Follows several engines on one thread, while others read the tape.

    Attributes:
        workers: in the given order.
        tape: the recorded events.
        began: start of the tape, seconds since 1970.
        step_s: duration of the last step, seconds.
        unlisted: inferred requests omitted from the tape because there were too many.
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
        """Start with empty caches.

        Args:
            labels: of the engines; each has its own lane if there are several.
            replays: whether each accepts requests for missed batches; by default none does.
            dumped: a dump of their earlier contents will be passed to `begin_from`.
            clock: seconds; the tape's times count from now.
        """
        assert 0 < len(labels) <= MOST_WORKERS, "unsupported number of engines"
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

    # ---- on the subscriber's thread

    def take(self, came: Sequence[Came]) -> dict[int, int]:
        """Process batches; returns the first missing batch to request, by engine."""
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
        """Set the engines' contents before the subscription, by position; on any thread.

        It is applied once the past that an engine itself can replay has arrived.
        """
        with self._lock:
            self._dumps = {place: dump.get(place, ()) for place in range(len(self.workers))}

    def finish(self) -> None:
        """The stream has ended: draw everything, and count all requests as over."""
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
        """Record a request that is known in more detail than from its blocks."""
        with self._lock:
            self._log_request(ran, *self._sessions.place(None), self._now())

    def holders(self, node: int) -> tuple[int, ...] | None:
        """How many tokens of the path to a drawn node each engine caches, in engine order.

        None if the node no longer exists.
        """
        with self._lock:
            tokens = self._path(node)
            if tokens is None:
                return None
            found = [worker.known(tokens) for worker in self.workers]
        return tuple(max(end for _, end in known.values()) for known in found)

    def whose(self, node: int) -> tuple[int, int] | None:
        """A drawn node's engine, by position, and its end; None if the node no longer exists."""
        with self._lock:
            for place, worker in enumerate(self.workers):
                for drawn in worker.drawn.values():
                    if node in drawn.by_id:
                        return place, drawn.by_id[node].end
        return None

    @property
    def now(self) -> float:
        """Seconds on the tape's clock."""
        return self._now()

    def facts(self) -> tuple[Facts, ...]:
        """Current statistics of each engine."""
        with self._lock:
            return tuple(_facts(worker) for worker in self.workers)

    # ---- internals

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
            # What was drawn so far happened before the gap.
            self._draw(worker, now)
            self._log(EntriesLost(max(gap.batches, 1), worker.lane), now)

    def _replayed(self, place: int) -> None:
        """A replay has ended: all that can be had of the past, or of a hole, has arrived."""
        self._asked.pop(place, None)
        order = self.workers[place].order
        if order.next is None:
            order.begin()
        elif order.wanted is not None:
            order.give_up()
        self._apply(place, self._now())

    def _begin(self, now: float) -> None:
        """Apply the dump to engines whose own past has arrived, or will not come."""
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
        """Update the tape: for all engines, or as many as time allows."""
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
        """Age of the least recently drawn tree, seconds."""
        return max(self._now() - min(self._drawn), 0.0)

    def _infer(self, worker: Worker, now: float, everything: bool) -> None:
        """Add finished requests to the tape, as inferred from their blocks."""
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
        """Mark states as reported once all engines report them."""
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
