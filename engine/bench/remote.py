"""How many events of remote engines can be followed, and at what cost.

A simulated fleet: each engine has sequences with shared prefixes, stores blocks, and evicts the
last ones of old paths. First its caches are filled, then events arrive at a fixed rate.
"""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
import psutil

from engine.bench import harness
from engine.bench.harness import Progress
from engine.net.kv_events.fleet import Fleet
from engine.net.kv_events.subscriber import Came

BLOCK = 16
# Blocks of a request, and how many requests share a prefix.
PROMPT, ALIKE = 24, 12
EVENTS_IN_BATCH = 20
SLICE_S = 0.05
MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class RemoteCost:
    """The cost of following a fleet.

    Attributes:
        workers, blocks, nodes: final counts.
        fill_s: seconds of processor time for the blocks, `draw_s` of them for the tape.
        nbytes: of memory, by the growth of this process, excluding the simulated engines.
        rate: requested events per second.
        seconds: duration of the stream.
        busy: processor seconds per second of events: below 1, one keeps up.
        behind_s: backlog at the end, seconds, on this machine with its load.
        late_s: age of the oldest drawn tree at the end, seconds.
        unlisted: inferred requests that were omitted.
        snapshot_s: seconds for the snapshot that panes draw, the first and a later one.
    """

    workers: int
    blocks: int
    nodes: int
    fill_s: float
    nbytes: int
    rate: int
    events: int
    seconds: float
    busy: float
    behind_s: float
    late_s: float
    unlisted: int
    snapshot_s: tuple[float, float]


class MadeUp:
    """The events of one engine."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._heads: list[tuple[list[int], list[int]]] = []
        self._tails: deque[list[int]] = deque()
        self._next = seed << 40
        self.blocks = self.seq = 0

    def fill(self, blocks: int) -> Iterator[bytes]:
        """Batches until `blocks` blocks are cached."""
        while self.blocks < blocks:
            yield self.batch([self._store() for _ in range(EVENTS_IN_BATCH)])

    def go_on(self, events: int) -> bytes:
        """A batch of a full cache: half stores, half evictions."""
        return self.batch(
            [
                self._evict() if place % 2 and self._tails else self._store(4)
                for place in range(events)
            ]
        )

    def batch(self, events: list[dict[str, object]]) -> bytes:
        self.seq += 1
        return msgspec.msgpack.encode([float(self.seq), events, 0])

    def _store(self, count: int = PROMPT) -> dict[str, object]:
        rng = self._rng
        if not self._heads or rng.random() < 1 / ALIKE:
            parent, count = None, max(count, PROMPT)
        else:
            known, _ = self._heads[rng.randrange(max(len(self._heads) - 40, 0), len(self._heads))]
            parent = known[rng.randrange(len(known))]
        hashes = list(range(self._next, self._next + count))
        self._next += count
        tokens = [rng.randrange(150_000) for _ in range(2)] * (count * BLOCK // 2)
        tokens[:2] = rng.randrange(1 << 30), rng.randrange(1 << 30)
        if parent is None:
            self._heads.append((hashes, tokens))
        else:
            self._tails.append(hashes)
        self.blocks += count
        return {
            "type": "BlockStored",
            "block_hashes": hashes,
            "parent_block_hash": parent,
            "token_ids": tokens,
            "block_size": BLOCK,
            "lora_id": None,
            "medium": "GPU",
        }

    def _evict(self) -> dict[str, object]:
        oldest = self._tails[0]
        gone = [oldest.pop() for _ in range(min(4, len(oldest)))]
        if not oldest:
            self._tails.popleft()
        self.blocks -= len(gone)
        return {"type": "BlockRemoved", "block_hashes": gone, "medium": "GPU"}


def measure(
    workers: int,
    blocks: int,
    rate: int,
    seconds: float,
    say: Progress = lambda line: None,
) -> RemoteCost:
    """Follow a fleet with this many blocks, then this many events a second for a while."""
    made_up = [MadeUp(n + 1) for n in range(workers)]
    fleet = Fleet([f"worker {n}" for n in range(workers)])
    filled = [list(one.fill(blocks // workers)) for one in made_up]
    before = psutil.Process().memory_info().rss
    began = time.process_time()
    for place, batches in enumerate(filled):
        for seq, payload in enumerate(batches):
            fleet.take([Came(place, seq, payload)])
    fleet.take([])
    fleet.finish()
    fill_s = time.process_time() - began
    say(f"{sum(w.blocks for w in fleet.workers):,} blocks in {fill_s:.1f} s")
    first = _snapshot_s(fleet)
    nbytes = psutil.Process().memory_info().rss - before
    filled.clear()
    events, busy, behind = _follow(fleet, made_up, rate, seconds)
    return RemoteCost(
        workers=workers,
        blocks=sum(worker.blocks for worker in fleet.workers),
        nodes=sum(1 for worker in fleet.workers for _ in worker.drawn["device"].nodes()),
        fill_s=fill_s,
        nbytes=nbytes,
        rate=rate,
        events=events,
        seconds=seconds,
        busy=busy,
        behind_s=behind,
        late_s=fleet.late_s,
        unlisted=fleet.unlisted,
        snapshot_s=(first, _snapshot_s(fleet)),
    )


def _follow(
    fleet: Fleet, made_up: list[MadeUp], rate: int, seconds: float
) -> tuple[int, float, float]:
    """Events processed, the share of a processor that they used, and the backlog."""
    slices = round(seconds / SLICE_S)
    per_slice = max(round(rate * SLICE_S / EVENTS_IN_BATCH), 1)
    ready: list[list[Came]] = []
    turn = 0
    for _ in range(slices):
        part = []
        for _ in range(per_slice):
            place = turn % len(made_up)
            payload = made_up[place].go_on(EVENTS_IN_BATCH)
            part.append(Came(place, made_up[place].seq - 1, payload))
            turn += 1
        ready.append(part)
    start, worked = time.perf_counter(), time.process_time()
    for number, part in enumerate(ready):
        due = start + number * SLICE_S
        if (left := due - time.perf_counter()) > 0:
            time.sleep(left)
        fleet.take(part)
    taken = time.perf_counter() - start
    busy = (time.process_time() - worked) / seconds
    return slices * per_slice * EVENTS_IN_BATCH, busy, max(taken - seconds, 0.0)


def _snapshot_s(fleet: Fleet) -> float:
    return harness.seconds(lambda: fleet.tape.snapshot(len(fleet.tape)), time.process_time)
