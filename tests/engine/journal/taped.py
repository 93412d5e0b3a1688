"""Caches without a model whose journal goes onto a tape, and what a live snapshot of them shows."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

import numpy as np

from engine.analysis.replay import NoBytes
from engine.cache import TwoPlaneCache
from engine.cache.journal.journal import Entry, Journal
from engine.cache.tiers.tiers import Tiers
from engine.journal.lines import TracedRequest, TraceEntry
from engine.journal.narrator import narrate
from engine.journal.recorder import beginning
from engine.journal.request import Ask, RunRules, run_request
from engine.journal.tape import Tape
from engine.snapshot import DiskView, NodeView, PoolView
from engine.stored_state import TierName
from tests.engine.journal.overlay import Overlay, disk_layer, host_layer
from tests.engine.journal.samples import request
from tests.engine.journal.taped_disk import TapedDisk


@dataclass(frozen=True)
class Seen:
    """What a live snapshot shows at a moment of the tape."""

    nodes: dict[int, NodeView]
    pools: tuple[PoolView, ...]
    evicted: dict[str, int]
    disk: DiskView | None = None


class TapedCaches:
    """A device and, if they are wanted, a host and a disk tier, under random requests."""

    def __init__(
        self,
        seed: int,
        *,
        kv: int = 240,
        states: int = 6,
        host_kv: int = 500,
        disk: bool = False,
    ) -> None:
        self.rng = np.random.default_rng(seed)
        self.journal = Journal()
        self.entries: list[Entry] = []
        self.tape = Tape()
        self.caches = {"device": self._cache(kv, states, "device")}
        if host_kv:
            self.caches["host"] = self._cache(host_kv, 3 * states, "host")
        log_change = self.journal.of("device", self._clock)
        host = self.caches.get("host")
        mover = None if host is None else NoBytes()
        self.tiers = Tiers(self.caches["device"], host, mover, log_change=log_change)
        self.disk = TapedDisk(self.journal, self.rng, self._clock) if disk else None
        self.starts = [self.rng.integers(0, 40, 70) for _ in range(4)]
        self.listen()

    _ticks = count(1)

    def _clock(self) -> float:
        return next(self._ticks) / 64

    def _cache(self, kv: int, states: int, tier: TierName) -> TwoPlaneCache:
        return TwoPlaneCache(
            kv,
            states,
            kv_slot_bytes=3,
            state_slot_bytes=70,
            clock=self._clock,
            journal=self.journal,
            tier=tier,
        )

    def listen(self) -> None:
        now, disk = self._clock(), self.disk
        self.entries += beginning((), self.journal, self.caches, now, None, disk)
        narrate(self.journal, self.caches, self.entries.append, disk)

    def ask(self) -> None:
        """One request, and now and then something else that happens to a cache."""
        rng = self.rng
        start = self.starts[int(rng.integers(4))][: int(rng.integers(5, 71))]
        prompt = np.concatenate([start, rng.integers(0, 40, int(rng.integers(1, 40)))])
        decoded = rng.integers(0, 40, int(rng.integers(1, 20)))
        anchors = tuple(sorted({int(one) for one in rng.integers(1, len(prompt), 3)}))
        rules = RunRules(interval=64, decode_interval=5)
        run_request(self.tiers, Ask(prompt, decoded, anchors=anchors), rules)
        if self.disk is not None:
            self.disk.happen(np.concatenate([prompt, decoded]))
        chance = rng.random()
        if chance < 0.04:
            self.tiers.forget(start[:20])
        elif chance < 0.06:
            self.tiers.clear()
        elif chance < 0.12:
            self.caches["device"].resize(int(rng.integers(120, 260)), int(rng.integers(3, 8)))
        ran = request(prompt.tolist(), decoded.tolist(), request=self.journal.seq)
        self.journal.log_request(self._clock(), ran)
        self.put_on_tape()

    def put_on_tape(self) -> None:
        for entry in self.entries[len(self.tape) :]:
            ran = getattr(entry.what, "prompt", None)
            traced = None if ran is None else TracedRequest(0, 0, entry.what, True)  # type: ignore[arg-type]
            self.tape.append((TraceEntry(entry, traced),))

    def seen(self) -> Seen:
        """As a live engine's snapshot merges its tiers."""
        device, host = self.caches["device"].reader, self.caches.get("host")
        overlay = Overlay((view, device.tokens_of(view.id)) for view in device.nodes())
        pools = [device.kv_pool(), device.state_pool()]
        if host is not None:
            overlay.add("host", host_layer(host.reader))
            pools += [host.reader.kv_pool(), host.reader.state_pool()]
        if self.disk is not None:
            overlay.add("disk", disk_layer(self.disk.told()))
        nodes = {view.id: view for view, _ in overlay.nodes()}
        evicted = {c: n for c, n in device.evicted.items() if n}
        return Seen(nodes, tuple(pools), evicted, None if self.disk is None else self.disk.view())


def shown(tape: Tape, index: int) -> Seen:
    snapshot = tape.snapshot(index)
    pools = [snapshot.kv, snapshot.state]
    if snapshot.host is not None:
        pools += [snapshot.host.kv, snapshot.host.state]
    known = {node.id for node in snapshot.nodes}
    assert len(known) == len(snapshot.nodes), "two nodes have the same id"
    order: set[int | None] = {None}
    for node in snapshot.nodes:
        assert node.parent in order, "a child comes before its parent"
        order.add(node.id)
    nodes = {node.id: node for node in snapshot.nodes}
    return Seen(nodes, tuple(pools), dict(snapshot.evicted), snapshot.disk)
