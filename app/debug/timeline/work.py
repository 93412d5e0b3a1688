"""Requests as columns: the parts of their time, their tokens, and how fast they ran. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.debug.timeline.growing import Floats, Growing, Ints
from engine.cache.journal.request_ran import RequestRan
from engine.trace.tape import TapedRequest

# Of a request's time, in order.
PARTS = ("lookup", "restore", "replay", "prefill", "decode")


@dataclass(frozen=True, slots=True)
class Ran:
    """What a request did, as far as it ran: a cancelled prompt has only its first tokens.

    `seconds` in the order of PARTS. One pass replays and computes, so its time is divided by
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
    """One row per finished request, in order.

    Attributes:
        began, ended: `[n]` seconds.
        index: `[n]` of its entry.
        session: `[n]`.
        edges: `[n, 6]` seconds at which its parts begin and end, in the order of PARTS.
        tokens: `[n, 4]` reused, replayed, computed, decoded.
        longest: the most tokens of a prompt.
    """

    began: Floats
    ended: Floats
    index: Ints
    session: Ints
    edges: Floats
    tokens: Ints
    longest: int

    def __len__(self) -> int:
        return len(self.began)

    def at(self, time: float) -> int | None:
        """The request that ran at a time."""
        number = int(np.searchsorted(self.began, time, side="right")) - 1
        return number if number >= 0 and time <= self.ended[number] else None


@dataclass(frozen=True, slots=True, eq=False)
class Speed:
    """Running sums at points of time; between two points they grow evenly.

    Attributes:
        time: `[points]` seconds.
        sums: `[points, 4]`: tokens of prefill and decode, and seconds spent on either.
    """

    time: Floats
    sums: Floats

    def at(self, times: Floats) -> Floats:
        """`[4, times]`, the sums then."""
        if not len(self.time):
            return np.zeros((4, len(times)))
        return np.stack([np.interp(times, self.time, self.sums[:, n]) for n in range(4)])


class RequestColumns:
    """Takes requests as they end, and how far they came meanwhile."""

    def __init__(self) -> None:
        self._floats = Growing(8, "d")
        self._ints = Growing(6, "q")
        self._points = Growing(5, "d")
        self._longest = 0
        self._sums = [0.0, 0.0, 0.0, 0.0]
        self._seen: list[tuple[float, int]] = []

    def at(self, time: float, position: int) -> None:
        """The running request has applied so many tokens."""
        self._seen.append((time, position))

    def ended(self, taped: TapedRequest) -> None:
        """A request is over."""
        ran = ran_of(taped.bare)
        # A clock's jitter must not let two requests overlap.
        last = float(self._floats.rows[-1, 1]) if len(self._floats) else taped.began
        edges = np.maximum(taped.began + np.concatenate(([0.0], np.cumsum(ran.seconds))), last)
        edges = np.minimum(edges, max(taped.ended, last))
        edges[5] = max(taped.ended, last)
        self._floats.add((edges[0], edges[5], *edges.tolist()))
        tokens = (ran.reused, ran.replayed, ran.computed, ran.decoded)
        self._ints.add((taped.index, taped.session, *tokens))
        self._longest = max(self._longest, sum(tokens[:3]))
        self._measure(edges, ran, ran.reused + ran.replayed + ran.computed)
        self._seen.clear()

    def requests(self) -> Requests:
        floats, ints = self._floats.rows, self._ints.rows
        return Requests(
            began=floats[:, 0],
            ended=floats[:, 1],
            index=ints[:, 0],
            session=ints[:, 1],
            edges=floats[:, 2:8],
            tokens=ints[:, 2:6],
            longest=self._longest,
        )

    def speed(self) -> Speed:
        rows = self._points.rows
        return Speed(rows[:, 0], rows[:, 1:5])

    def _measure(self, edges: Floats, ran: Ran, prompt: int) -> None:
        filling, filled, end = float(edges[2]), float(edges[4]), float(edges[5])
        self._phase(0, filling, filled, ran.reused, prompt)
        self._phase(1, filled, end, prompt, prompt + ran.decoded)

    def _phase(self, phase: int, start: float, end: float, low: int, high: int) -> None:
        """Points of prefill (0) or decode (1), which ran tokens [low, high)."""
        within = [(t, p) for t, p in self._seen if start < t < end and low < p < high]
        points = [(start, low), *within, (end, high)]
        for (time, position), (before, done) in zip(points, [points[0], *points], strict=False):
            self._sums[phase] += position - done
            self._sums[2 + phase] += time - before
            self._points.add((time, *self._sums))
