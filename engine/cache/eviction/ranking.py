"""Finds the next eviction candidate without visiting all of them: worths that fade with age.

All candidates of one age fade at the same pace. So candidates are kept in generations of similar
age, each a heap ordered by the worth last evaluated; the cheapest of all is the cheapest of the
few generation tops. A heap may be out of date: an entry is valid only if it is the candidate's
latest, and the caller must re-evaluate the cheapest one.

A worked example, with worths that fade as worth / (5 + age), age in matches since the last use:

    used in      heap, worth        its top               its top
    match        when just used     at match 100          at match 300

    10           a 600, b 900       a 600 / 95 =  6.3     a 600 / 295 = 2.0
    80           c 300              c 300 / 25 = 12.0     c 300 / 225 = 1.3
    95           d  90              d  90 / 10 =  9.0     d  90 / 210 = 0.4
                                    a goes                d goes

Only the tops are compared, however many candidates there are. The order between generations
changes as they age; within one age it never does, so b waits under a, and a heap may keep its
worths unchanged. Old generations merge with neighbours of similar age, so that there are few of
them: the older two candidates are, the less a difference in their ages matters.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heapify, heappop, heappush
from random import Random

from engine.cache.eviction.policy import Peers, Policy

# Neighbours merge once together they are no wider than this share of their age.
SIMILAR_AGE = 0.4
# A candidate is evicted even if it is worth this much more than assumed: worths are estimates.
SLACK = 1.1
# (worth, serial that breaks ties, node id, match in which the candidate was last used)
HeapItem = tuple[float, int, int, int]


class Generation:
    """Candidates last used in matches from `first` on, up to the next generation's."""

    __slots__ = ("first", "heap")

    def __init__(self, first: int) -> None:
        self.first = first
        self.heap: list[HeapItem] = []


class Ranking:
    """The candidates of one plane, under one policy.

    Args:
        matches: returns the number of matches so far.
    """

    def __init__(self, policy: Policy, matches: Callable[[], int]) -> None:
        self._policy = policy
        self._matches = matches
        self._most = 0.0
        self._puts = 0
        self._latest: dict[int, HeapItem] = {}
        self._generations: list[Generation] = [Generation(0)]
        self._crowd = 16
        self._random = Random(0)

    def __len__(self) -> int:
        return len(self._latest)

    def __contains__(self, node_id: int) -> bool:
        return node_id in self._latest

    def put(self, entry: HeapItem) -> None:
        """Enter a candidate, or replace its entry."""
        if self._latest.get(entry[2]) == entry:
            return
        self._latest[entry[2]] = entry
        self._most = max(self._most, entry[0])
        self._puts += 1
        if self._puts > 2 * len(self._latest) + 64:
            self._puts, self._most = 0, max(known[0] for known in self._latest.values())
        heap = self._generation(entry[3]).heap
        heappush(heap, entry)
        if len(heap) > 64 and len(heap) > 4 * len(self._latest):
            self._clean(heap)

    def drop(self, node_id: int) -> None:
        """Remove a node that is no longer a candidate, if it was one."""
        self._latest.pop(node_id, None)

    def cheapest(self) -> HeapItem | None:
        """The entry with the least current worth, by the latest entries; None if there are none."""
        latest, faded = self._latest, self._policy.faded
        now, peers = self._peers()
        best: HeapItem | None = None
        least = 0.0
        emptied = False
        for generation in self._generations:
            heap = generation.heap
            while heap and latest.get(heap[0][2]) is not heap[0]:
                heappop(heap)
            if not heap:
                emptied = True
                continue
            value = faded(heap[0][0], now - heap[0][3], peers)
            if best is None or value < least or (value == least and heap[0][1:3] < best[1:3]):
                best, least = heap[0], value
        if emptied:
            self._generations = [g for g in self._generations if g.heap] or [Generation(0)]
        return best

    def cheaper(self, new: HeapItem, old: HeapItem) -> bool:
        """Whether `new` is now worth no more than `old`, or hardly more if worths fade."""
        if not self._policy.fades:
            return new[0] <= old[0]
        now, peers = self._peers()
        faded = self._policy.faded
        limit = SLACK * faded(old[0], now - old[3], peers)
        return faded(new[0], now - new[3], peers) <= limit

    def random_candidate(self) -> int | None:
        """A random candidate to re-evaluate, from any generation with equal chance, or None."""
        generation = self._random.choice(self._generations)
        if not generation.heap:
            return None
        entry = generation.heap[int(self._random.random() * len(generation.heap))]
        return entry[2] if self._latest.get(entry[2]) is entry else None

    def _peers(self) -> tuple[int, Peers]:
        now = self._matches()
        return now, Peers(now - self._generations[0].first, self._most)

    def _generation(self, match: int) -> Generation:
        if not self._policy.fades:
            return self._generations[0]
        if match > self._generations[-1].first:
            if len(self._generations) >= self._crowd:
                self._merge(match)
            self._generations.append(Generation(match))
        for generation in reversed(self._generations):
            if generation.first <= match:
                return generation
        oldest = self._generations[0]
        oldest.first = match
        return oldest

    def _merge(self, now: int) -> None:
        """Merge old neighbours of similar age."""
        merged = [self._generations[0]]
        for at, generation in enumerate(self._generations[1:], start=1):
            later = self._generations[at + 1].first if at + 1 < len(self._generations) else now
            last = merged[-1]
            if later - last.first <= SIMILAR_AGE * (now - later):
                last.heap.extend(generation.heap)
                self._clean(last.heap)
            else:
                merged.append(generation)
        self._generations = merged
        self._crowd = len(merged) + 8

    def _clean(self, heap: list[HeapItem]) -> None:
        heap[:] = [entry for entry in heap if self._latest.get(entry[2]) is entry]
        heapify(heap)
