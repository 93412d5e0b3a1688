"""The reducer: from records alone it knows the tree as well as the tree itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.analysis.replay import NoBytes
from engine.analysis.show import TraceState, state_at
from engine.cache import TwoPlaneCache
from engine.cache.journal.journal import Entry, Journal
from engine.cache.tiers.tiers import Tiers
from engine.config import POLICY_NAMES
from engine.journal.lines import entry_line, header_line
from engine.journal.narrator import found
from engine.journal.reader import TraceReader
from engine.journal.request import Ask, RunRules, run_request
from engine.journal.settings import CacheSettings, TraceHeader
from engine.journal.tier_state import TierState
from engine.snapshot import NodeView
from engine.stored_state import TierName
from tests.engine.cache.test_random_operations import WEIGHTS, World
from tests.mostly_slow import mostly_slow

HEADER = TraceHeader("none", "", CacheSettings(), 0.0, complete=True, hashed=True, text=False)


def by_id(nodes: tuple[NodeView, ...]) -> list[NodeView]:
    return sorted(nodes, key=lambda node: node.id)


def compare(state: TierState, cache: TwoPlaneCache) -> None:
    """Everything that a view of the cache can show."""
    assert by_id(state.nodes()) == by_id(cache.reader.nodes())
    assert state.kv_pool() == cache.reader.kv_pool()
    assert state.state_pool() == cache.reader.state_pool()
    assert {k: n for k, n in state.evicted.items() if n} == {
        k: n for k, n in cache.reader.evicted.items() if n
    }
    assert state.skipped == cache.skipped


def record(world: World, journal: Journal) -> list[Entry]:
    """Give the world a cache that tells the journal, and keep every entry."""
    entries: list[Entry] = []
    journal.listen(entries.append)
    world.cache = TwoPlaneCache(
        world.kv_slots,
        world.state_slots,
        kv_slot_bytes=1,
        state_slot_bytes=100,
        policy=world.policy,
        clock=lambda: float(world.step),
        journal=journal,
    )
    return entries


def written(entries: list[Entry], path: Path) -> list[Entry]:
    """The same entries after a way through a file."""
    lines = [header_line(HEADER), *(entry_line(entry, 0.0) for entry in entries)]
    path.write_text("".join(lines))
    return [read.entry for read in TraceReader(path)]


@pytest.mark.parametrize("policy", POLICY_NAMES)
@pytest.mark.parametrize(
    ("kv_slots", "state_slots", "seed"),
    mostly_slow([(60, 8, 2), (200, 40, 1), (25, 12, 4), (30, 0, 6)]),
)
def test_the_reduced_state_is_the_cache_at_every_moment(
    kv_slots: int, state_slots: int, seed: int, policy: str, tmp_path: Path
) -> None:
    world = World(kv_slots, state_slots, policy, seed)
    print(f"seed {seed}, {kv_slots} KV slots, {state_slots} state slots, {policy}")
    entries = record(world, Journal())
    live, done = TraceState(), 0
    shots: dict[int, tuple[NodeView, ...]] = {}
    names, weights = list(WEIGHTS), np.array(list(WEIGHTS.values()))
    for step, choice in enumerate(world.rng.choice(len(names), 1500, p=weights / weights.sum())):
        world.step = step + 1
        getattr(world, names[choice])()
        for entry in entries[done:]:
            live.apply(entry)
        done = len(entries)
        compare(live.tier("device"), world.cache)
        if step % 250 == 0:
            shots[world.step] = world.cache.reader.nodes()
    assert len(entries) > 2000
    read = written(entries, tmp_path / "trace.jsonl")
    assert read == entries
    compare(state_at(read, float(world.step)).tier("device"), world.cache)
    for moment, nodes in shots.items():
        assert by_id(state_at(read, float(moment)).tier("device").nodes()) == by_id(nodes)


def test_who_begins_to_listen_late_knows_all_from_then_on(tmp_path: Path) -> None:
    world = World(60, 8, "coverage", 7)
    journal = Journal()
    entries = record(world, journal)
    names, weights = list(WEIGHTS), np.array(list(WEIGHTS.values()))
    for step, choice in enumerate(world.rng.choice(len(names), 600, p=weights / weights.sum())):
        world.step = step + 1
        if step == 300:
            entries[:] = [Entry(journal.seq, float(step), "device", found(world.cache))]
        getattr(world, names[choice])()
    read = written(entries, tmp_path / "trace.jsonl")
    compare(state_at(read, float(world.step)).tier("device"), world.cache)


def test_two_tiers_under_one_journal_are_told_apart() -> None:
    journal = Journal()
    state = TraceState()
    journal.listen(state.apply)

    def tier(name: TierName, slots: int, states: int) -> TwoPlaneCache:
        return TwoPlaneCache(
            slots,
            states,
            kv_slot_bytes=1,
            state_slot_bytes=100,
            clock=lambda: 1.0,
            journal=journal,
            tier=name,
        )

    device, host = tier("device", 300, 5), tier("host", 900, 20)
    tiers = Tiers(device, host, NoBytes(), log_change=journal.of("device", lambda: 1.0))
    rng = np.random.default_rng(9)
    prompts = [rng.integers(0, 50, 80) for _ in range(8)]
    for _ in range(120):
        base = prompts[int(rng.integers(len(prompts)))][: int(rng.integers(20, 81))]
        prompt = np.concatenate([base, rng.integers(0, 50, int(rng.integers(1, 30)))])
        ask = Ask(prompt, rng.integers(0, 50, 5), anchors=(20, len(prompt) - 4))
        run_request(tiers, ask, RunRules(interval=64, decode_interval=4))
        compare(state.tier("device"), device)
        compare(state.tier("host"), host)
    assert dict(state.copied) == dict(tiers.moved)
    assert {source for source, _, _ in tiers.moved} == {"device", "host"}


def test_pools_that_change_their_size_are_followed() -> None:
    journal = Journal()
    state = TraceState()
    journal.listen(state.apply)
    cache = TwoPlaneCache(300, 20, kv_slot_bytes=1, state_slot_bytes=10, journal=journal)
    tiers, rng = Tiers(cache), np.random.default_rng(12)
    for _ in range(60):
        prompt = rng.integers(0, 3, int(rng.integers(10, 90)))
        run_request(tiers, Ask(prompt, anchors=(5, len(prompt) - 2)), RunRules(interval=64))
        cache.resize(int(rng.integers(100, 300)), int(rng.integers(2, 20)))
        cache.reader.check()
        compare(state.tier("device"), cache)
    assert state.tier("device").evicted["kv pressure"] > 0
