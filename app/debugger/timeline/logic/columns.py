"""Reads a tape's entries into columns for the timeline. Without Qt."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace

import numpy as np

from app.debugger.timeline.logic.events import (
    KIND_OF,
    MARKED,
    EventColumns,
    EventRow,
    Events,
    event_row,
)
from app.debugger.timeline.logic.growing import Floats, Growing, Ints
from app.debugger.timeline.logic.levels import CHANGES, Levels, TierLevels
from engine.cache.journal import changes as ch
from engine.cache.journal.changes import DiskOpened
from engine.cache.journal.request_ran import RequestRan
from engine.drafted import Drafted
from engine.journal.disk_state import FileBytes
from engine.journal.tape import Tape, TapedRequest

TIERS = ("device", "host")
_CHECKED = 512
_RUNS = frozenset((RequestRan, ch.RequestBegan, ch.RequestAt))
# The parts of a request's time, in order.
PARTS = ("lookup", "restore", "replay", "prefill", "decode")


@dataclass(frozen=True, slots=True)
class Ran:
    """The figures of a request as far as it ran: a cancelled prompt has only its first tokens.

    `seconds`: in the order of PARTS. Since one pass replays and computes, its time is split by
    tokens, as in the engine's own reports.
    """

    reused: int
    replayed: int
    computed: int
    decoded: int
    seconds: tuple[float, float, float, float, float]


def ran_of(ran: RequestRan) -> Ran:
    """A request's figures."""
    total = ran.reused + ran.replayed + ran.computed
    done = min(max(ran.position, ran.reused), total) - ran.reused
    replayed = min(ran.replayed, done)
    decoded = max(ran.position - total, 0)
    lookup, restore, prefill = (ms / 1e3 for ms in (ran.lookup_ms, ran.restore_ms, ran.prefill_ms))
    replay = prefill * replayed / max(done, 1)
    rest = max(ran.total_s - lookup - restore - prefill, 0.0)
    return Ran(
        ran.reused,
        replayed,
        done - replayed,
        decoded,
        (lookup, restore, replay, prefill - replay, rest),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Requests:
    """One row per finished request, in the order of their ends.

    Attributes:
        began, ended: `[n]` seconds.
        lane: `[n]` from 0; those that ran at once have others.
        lanes: how many there are.
        index: `[n]` of its entry.
        session: `[n]`.
        edges: `[n, 6]` seconds at which its parts begin and end, in the order of PARTS.
        tokens: `[n, 4]` reused, replayed, computed, decoded.
        drafts: `[n, 3]` passes that wrote the answer, tokens drafted for it, and kept; zeros where
            nothing was drafted.
        longest, longest_draft: tokens of the longest prompt, and of the longest draft.
    """

    began: Floats
    ended: Floats
    index: Ints
    session: Ints
    edges: Floats
    tokens: Ints
    drafts: Ints
    lane: Ints
    lanes: int
    longest: int
    longest_draft: int

    def __len__(self) -> int:
        return len(self.began)

    def at(self, time: float) -> int | None:
        """A request that ran at a time."""
        first = int(np.searchsorted(self.ended, time))
        running = np.flatnonzero(self.began[first:] <= time)
        return first + int(running[0]) if len(running) else None


@dataclass(frozen=True, slots=True, eq=False)
class RunningSums:
    """Sums at points of time, linear between two points.

    Attributes:
        time: `[points]` seconds.
        sums: `[points, n]`.
    """

    time: Floats
    sums: Floats

    def at(self, times: Floats) -> Floats:
        """`[n, times]` the sums at these times."""
        many = self.sums.shape[1]
        if not len(self.time):
            return np.zeros((many, len(times)))
        return np.stack([np.interp(times, self.time, self.sums[:, n]) for n in range(many)])


class RequestColumns:
    """Collects requests as they end, and the progress of the running one."""

    def __init__(self) -> None:
        self._floats = Growing(8, "d")
        self._ints = Growing(10, "q")
        self._points = Growing(5, "d")
        self._drafts = DraftColumns()
        self._longest = 0
        self._sums = [0.0, 0.0, 0.0, 0.0]
        self._seen: dict[int, list[tuple[float, int]]] = {}
        # The lanes of running requests, and where the last one of each lane ended.
        self._lanes: dict[int, int] = {}
        self._ends: list[float] = []

    def began(self, request: int) -> int:
        """A request takes the first free lane; returns it."""
        if request not in self._lanes:
            taken = set(self._lanes.values())
            self._lanes[request] = next(n for n in range(len(taken) + 1) if n not in taken)
        return self._lanes[request]

    def at(self, request: int, time: float, position: int) -> None:
        """Record that a running request has applied `position` tokens."""
        self._seen.setdefault(request, []).append((time, position))

    def ended(self, taped: TapedRequest) -> None:
        """Add a request that has ended."""
        ran, drafts = ran_of(taped.bare), taped.bare.drafts
        lane = self.began(taped.bare.request)
        del self._lanes[taped.bare.request]
        self._ends += [-math.inf] * (lane + 1 - len(self._ends))
        # Clock jitter must not make two requests of a lane overlap.
        last = self._ends[lane]
        edges = np.maximum(taped.began + np.concatenate(([0.0], np.cumsum(ran.seconds))), last)
        edges = np.minimum(edges, max(taped.ended, last))
        newest = float(self._floats.rows[-1, 1]) if len(self._floats) else taped.ended
        edges[5] = self._ends[lane] = max(taped.ended, last, newest)
        self._floats.add((edges[0], edges[5], *edges.tolist()))
        tokens = (ran.reused, ran.replayed, ran.computed, ran.decoded)
        drafted = (drafts.steps, drafts.drafted, drafts.kept) if drafts.drafts else (0, 0, 0)
        self._ints.add((taped.index, taped.session, *tokens, *drafted, lane))
        self._drafts.add(drafts, float(edges[4]), float(edges[5]))
        self._longest = max(self._longest, sum(tokens[:3]))
        seen = self._seen.pop(taped.bare.request, [])
        self._measure(edges, ran, ran.reused + ran.replayed + ran.computed, seen)

    def requests(self) -> Requests:
        floats, ints = self._floats.rows, self._ints.rows
        return Requests(
            began=floats[:, 0],
            ended=floats[:, 1],
            index=ints[:, 0],
            session=ints[:, 1],
            edges=floats[:, 2:8],
            tokens=ints[:, 2:6],
            drafts=ints[:, 6:9],
            lane=ints[:, 9],
            lanes=max(len(self._ends), 1),
            longest=self._longest,
            longest_draft=self._drafts.longest,
        )

    def speed(self) -> RunningSums:
        """Tokens of prefill and decode, and seconds spent on either."""
        rows = self._points.rows
        return RunningSums(rows[:, 0], rows[:, 1:5])

    def drafts(self) -> RunningSums:
        """Passes, and the tokens kept and rejected in them."""
        return self._drafts.sums()

    def _measure(self, edges: Floats, ran: Ran, prompt: int, seen: list[tuple[float, int]]) -> None:
        filling, filled, end = float(edges[2]), float(edges[4]), float(edges[5])
        self._phase(0, (filling, filled), (ran.reused, prompt), seen)
        self._phase(1, (filled, end), (prompt, prompt + ran.decoded), seen)

    def _phase(
        self,
        phase: int,
        lasts: tuple[float, float],
        tokens: tuple[int, int],
        seen: list[tuple[float, int]],
    ) -> None:
        """Add points of prefill (0) or decode (1), which ran `tokens`, first to last."""
        (start, end), (low, high) = lasts, tokens
        within = [(t, p) for t, p in seen if start < t < end and low < p < high]
        points = [(start, low), *within, (end, high)]
        for (at, position), (before, done) in zip(points, [points[0], *points], strict=False):
            self._sums[phase] += position - done
            self._sums[2 + phase] += at - before
            # Those of answers side by side come one after the other.
            newest = self._points.rows[-1, 0] if len(self._points) else at
            self._points.add((max(at, newest), *self._sums))


class DraftColumns:
    """Collects what was drafted in each pass; the passes of an answer count as equally long.

    Attributes:
        longest: tokens of the longest draft.
    """

    def __init__(self) -> None:
        self.longest = 0
        self._points = Growing(4, "d")
        self._sums = np.zeros(3)

    def add(self, drafted: Drafted, began: float, ended: float) -> None:
        """Add an answer; one without drafts leaves a gap."""
        if not drafted.drafts:
            return
        first, each = self._sums[0], (ended - began) / drafted.steps
        self._point(began)
        kept = 0
        for draft in drafted.drafts:
            # Every token before was a pass of its own, or kept.
            passes = draft.at - 1 - kept
            self._sums[0] = first + passes
            self._point(began + passes * each)
            self._sums += (1, draft.kept, len(draft.rejected))
            self._point(began + (passes + 1) * each)
            kept += draft.kept
            self.longest = max(self.longest, draft.size)
        self._sums[0] = first + drafted.steps
        self._point(ended)

    def sums(self) -> RunningSums:
        rows = self._points.rows
        return RunningSums(rows[:, 0], rows[:, 1:4])

    def _point(self, time: float) -> None:
        # Those of answers side by side come one after the other.
        newest = self._points.rows[-1, 0] if len(self._points) else time
        self._points.add((max(time, newest), *self._sums.tolist()))


class FileLevels:
    """Follows the entries of the disk tier; empty for a tape without file entries.

    Bytes of a file other than KV count as state. There is a single budget, stored in place of the
    other tiers' KV budget.
    """

    def __init__(self) -> None:
        self._files = FileBytes()
        self._rows = Growing(5, "q")
        self._times = Growing(1, "d")
        self._budgets = Growing(3, "d")
        self._top = 0

    def levels(self) -> Levels:
        """All rows so far."""
        rows, padded = self._rows.rows, self._rows.padded
        times, budgets = self._times.rows[:, 0], self._budgets.rows
        return Levels(times, rows[:, 0], rows[:, 1:], budgets, self._top, padded[:, 1:])

    def follow(self, index: int, time: float, what: object) -> None:
        """Apply an entry; entries that change no bytes are ignored."""
        if not self._files.follow(what):
            return
        if isinstance(what, DiskOpened):
            self._allow(time, what.budget_bytes)
        self._note(index, time)

    def resume(self, index: int, time: float, tape: Tape) -> None:
        """Continue from the files that a tape has at a moment; what came before is unknown."""
        snapshot, series = tape.snapshot(index), tape.series()
        if snapshot.disk is None:
            return
        row = int(series.index.searchsorted(index, side="right")) - 1
        kv, rest = (int(series.bytes["disk", plane][row]) for plane in ("kv", "state"))
        budget = snapshot.disk.budget_bytes
        self._files.resume(DiskOpened(budget, snapshot.kv.slot_bytes), kv, rest)
        self._allow(time, budget)
        self._note(index, time)

    def _note(self, index: int, time: float) -> None:
        kv = self._files.kv
        whole = kv + self._files.rest
        self._times.add((time,))
        self._rows.add((index, kv, kv, whole, whole))
        self._top = max(self._top, whole)

    def _allow(self, time: float, budget: int) -> None:
        self._budgets.add((time, budget, 0))
        self._top = max(self._top, budget)


@dataclass(frozen=True, slots=True)
class Running:
    """A running request: tokens of its prompt, and those applied."""

    lane: int
    began: float
    total: int
    reused: int
    replayed: int
    position: int


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """The data of the tracks.

    Attributes:
        entries: number of the tape's entries in it.
        first: number of entries that the tape has forgotten; the columns may have requests and
            events of them that were read before, which are neither drawn nor counted.
        start, end: seconds of the first known entry and of the last.
        levels: bytes by tier.
        speed, drafts: see RequestColumns.
    """

    entries: int
    first: int
    start: float
    end: float
    events: Events
    levels: dict[str, Levels]
    requests: Requests
    speed: RunningSums
    drafts: RunningSums
    running: tuple[Running, ...]


class Columns:
    """Reads one tape incrementally as it grows.

    Attributes:
        read: number of the tape's entries read.
    """

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self.read = 0
        self._requests_read = 0
        self._first = self._last = 0.0
        self._events = EventColumns()
        self._tiers = {name: TierLevels() for name in TIERS}
        self._files = FileLevels()
        self._requests = RequestColumns()
        self._running: dict[int, Running] = {}

    @property
    def behind(self) -> int:
        """The number of entries not read yet."""
        return len(self._tape) - self.read

    def follow(self, budget_s: float) -> bool:
        """Read entries for about this long; returns whether all are read."""
        until = time.perf_counter() + budget_s
        if self._tape.first > self.read:
            self._skip(self._tape.first)
        while self.behind:
            self._take(min(self.behind, _CHECKED))
            if time.perf_counter() >= until:
                break
        return not self.behind

    def series(self) -> Series:
        """Everything read so far."""
        first = min(self._tape.first, self.read)
        return Series(
            self.read,
            first,
            max(self._first, self._tape.time(first)) if first else self._first,
            self._last,
            self._events.events(),
            {n: tier.levels() for n, tier in self._tiers.items()} | {"disk": self._files.levels()},
            self._requests.requests(),
            self._requests.speed(),
            self._requests.drafts(),
            tuple(self._running.values()),
        )

    def _skip(self, first: int) -> None:
        """Continue from the cache at `first`, since earlier entries were forgotten."""
        tape = self._tape
        requests = tape.requests
        while self._requests_read < len(requests) and requests[self._requests_read].index < first:
            self._end()
        self._running.clear()
        now = tape.time(first)
        if not self.read:
            self._first = min(self._first or now, now)
        self._last = max(self._last, now)
        for entry in tape.opening():
            if entry.tier in self._tiers:
                self._tiers[entry.tier].follow(first, now, entry.what)
        self._files.resume(first, now, tape)
        self.read = first

    def _take(self, count: int) -> None:
        tape, tiers = self._tape, self._tiers
        for index in range(self.read, self.read + count):
            entry = tape.entry(index)
            what = entry.what
            kind = type(what)
            # Monotonic, as on the tape: a verdict may be older than the entry before it.
            now = self._last = max(self._last, entry.time) if index else entry.time
            if index == 0:
                self._first = now
            if kind in MARKED:
                self._mark(index, now, entry.tier, what)
            elif kind in _RUNS:
                self._run(now, what)
            tier = tiers.get(entry.tier)
            if tier is not None and kind in CHANGES:
                tier.follow(index, now, what)
            elif entry.tier == "disk":
                self._files.follow(index, now, what)
            self.read = index + 1

    def _run(self, now: float, what: object) -> None:
        """Handle an entry of a request that begins, advances, or ends."""
        if isinstance(what, RequestRan):
            self._end()
        elif isinstance(what, ch.RequestBegan):
            lane = self._requests.began(what.request)
            began = Running(lane, now, what.total, what.reused, what.replayed, what.reused)
            self._running[what.request] = began
        elif isinstance(what, ch.RequestAt) and what.request in self._running:
            self._requests.at(what.request, now, what.position)
            run = self._running[what.request]
            self._running[what.request] = replace(run, position=what.position)

    def _end(self) -> None:
        taped = self._tape.requests[self._requests_read]
        self._requests.ended(taped)
        self._requests_read += 1
        self._running.pop(taped.bare.request, None)
        self._first = min(self._first, taped.began)

    def _mark(self, index: int, now: float, tier: str, what: object) -> None:
        row = event_row(tier, what)
        if row is None:
            return
        freed = (0, 0)
        node = getattr(what, "node", -1)
        gone = self._tape.eviction_at(index)
        if gone is not None:
            freed = gone.kv_bytes, gone.state_bytes
            if gone.tier != "disk" and row.kind != KIND_OF["replaced"]:
                kind = KIND_OF["both_evicted"] if gone.plane == "both" else row.kind
                row = EventRow(kind, gone.cause, tier, gone.copy if gone.moved else "")
        if isinstance(what, ch.NodeSplit) and tier == "device":
            self._events.split(what.upper, what.node)
        self._events.add(index, now, row, node, freed)
