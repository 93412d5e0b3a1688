"""Policies: the order they evict in, on paths, branches and whole traces."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from engine.cache.eviction.coverage import Coverage, expected_replay
from engine.cache.eviction.policy import Peers, Policy
from engine.cache.eviction.registry import POLICIES, Flops, Lru, make_policy, saved
from engine.cache.node import Checkpoint, Node
from engine.cache.recency import Stamp
from engine.config import POLICY_NAMES
from engine.errors import CacheError
from engine.stored_state import StoredState
from tests.engine.cache.conftest import Driver
from tests.present import present

SPACING = 16


def largest_gap(positions: Iterable[int], end: int) -> int:
    marks = [0, *positions, end]
    return max(b - a for a, b in itertools.pairwise(marks))


def node(end: int = 10, used: int = 1, consumed: int = 1) -> Node:
    """A leaf by itself with a checkpoint; its replay is its length."""
    held = Checkpoint(StoredState(end), 1, 0.0, Stamp(consumed, 0, 0.0))
    created = Stamp(0, 0, 0.0)
    tokens = np.arange(end, dtype=np.int32)
    return Node(7, 0, tokens, ((0, end),), created, Stamp(used, 0, 0.0), checkpoint=held)


def known(policy: Policy, *nodes: Node) -> Policy:
    """The policy, after on_store for each of the nodes."""
    for each in nodes:
        policy.on_store(each)
    return policy


class TestCoverageOnAPath:
    def path(self, driver: type[Driver], checkpoints: int = 64, **sizes: Any) -> Driver:
        d = driver(kv_slots=checkpoints * SPACING, state_slots=checkpoints, **sizes)
        tokens = np.arange(checkpoints * SPACING)
        d.run(tokens, at=range(SPACING, checkpoints * SPACING + 1, SPACING))
        return d

    @pytest.mark.parametrize("left", [2, 3, 4, 6, 8, 16])
    def test_evict_30_thinning_stays_within_twice_the_optimum(
        self, driver: type[Driver], left: int
    ) -> None:
        d = self.path(driver)
        assert d.cache.evict_state(64 - left) == 64 - left
        d.cache.reader.check()
        end = 64 * SPACING
        optimum = -(-64 // (left + 1)) * SPACING
        assert largest_gap(d.positions(), end) <= 2 * optimum

    @pytest.mark.parametrize("left", [4, 8, 16])
    def test_several_paths_at_once_are_all_thinned_evenly(
        self, driver: type[Driver], left: int
    ) -> None:
        d = driver(kv_slots=4 * 64 * SPACING, state_slots=4 * 64)
        end = 64 * SPACING
        for path in range(4):
            d.run(np.arange(end) + path * end, at=range(SPACING, end + 1, SPACING))
        assert d.cache.evict_state(4 * (64 - left)) == 4 * (64 - left)
        d.cache.reader.check()
        nodes = {n.id: n for n in d.cache.reader.nodes()}
        optimum = -(-64 // (left + 1)) * SPACING
        for path in range(4):
            on_path = d.cache.reader.path_of(d.cache.reader.probe(np.arange(end) + path * end).node)
            kept = [nodes[n].end for n in on_path if nodes[n].checkpoint is not None]
            assert largest_gap(kept, end) <= 2 * optimum
            assert min(kept) <= end / 2

    def test_evict_30_the_shallow_ones_are_not_all_gone(self, driver: type[Driver]) -> None:
        d = self.path(driver)
        d.cache.evict_state(60)
        assert min(d.positions()) <= 16 * SPACING
        assert max(d.positions()) == 64 * SPACING

    def test_lru_lets_the_shallow_ones_die_first(self, driver: type[Driver]) -> None:
        d = self.path(driver, policy="lru")
        d.cache.evict_state(60)
        assert d.positions() == [61 * SPACING, 62 * SPACING, 63 * SPACING, 64 * SPACING]

    @pytest.mark.parametrize("slots", [3, 4, 6, 8])
    def test_a_long_prefill_thins_itself_as_it_goes(self, driver: type[Driver], slots: int) -> None:
        d = driver(kv_slots=64 * SPACING, state_slots=slots)
        tokens = np.arange(64 * SPACING)
        lock, _match = d.start(tokens)
        for end in range(SPACING, 64 * SPACING + 1, SPACING):
            d.put(lock, tokens[:end], d.cache.reader.probe(tokens[: end - SPACING]))
            assert d.donate(lock, end)
            optimum = -(-end // SPACING // (slots + 1)) * SPACING
            assert largest_gap(d.positions(), end) <= 4 * optimum
        d.cache.unlock(lock)
        d.cache.reader.check()

    def test_where_nodes_are_split_does_not_matter(self, driver: type[Driver]) -> None:
        whole, split = self.path(driver), self.path(driver)
        tokens = list(range(64 * SPACING))
        for d in (whole, split):
            for _ in range(30):
                d.cache.match([*tokens, 1])
        for position in range(5, len(tokens), 7):
            split.cache.unlock(split.cache.lock(split.cache.reader.probe(tokens[:position])))
        assert len(split.cache.reader.nodes()) > 2 * len(whole.cache.reader.nodes())
        for d in (whole, split):
            d.cache.evict_state(52)
        assert split.positions() == whole.positions()

    def test_a_checkpoint_in_steady_use_outlives_its_neighbours(self, driver: type[Driver]) -> None:
        d = self.path(driver)
        for _ in range(5):
            d.cache.match([*range(5 * SPACING), 99999])
        d.cache.evict_state(60)
        assert 5 * SPACING in d.positions()


class TestCoverageOnBranches:
    def test_a_trunk_many_chats_share_outlives_each_of_them(self, driver: type[Driver]) -> None:
        d = driver(kv_slots=4000, state_slots=9)
        system = list(range(500))
        d.run(system)
        for chat in range(40):
            d.run([*system, 1000 + chat, *range(60)])
            assert 500 in d.positions()

    def test_a_cold_chat_is_thinned_before_a_warm_one(self, driver: type[Driver]) -> None:
        d = driver(kv_slots=2000, state_slots=20)
        cold, warm = list(range(400)), list(range(1000, 1400))
        d.run(cold, at=range(40, 401, 40))
        d.run(warm, at=range(40, 401, 40))
        for _ in range(10):
            d.cache.match([*warm, 1])
        d.cache.evict_state(8)
        left = d.checkpoints()
        on_warm = set(d.cache.reader.path_of(d.cache.reader.probe([*warm, 1]).node))
        assert sum(n in on_warm for n in left) > sum(n not in on_warm for n in left)
        assert any(n not in on_warm for n in left)

    def test_an_abandoned_branch_fades_at_the_pace_of_its_chat(self, driver: type[Driver]) -> None:
        d = driver(kv_slots=2000, state_slots=20)
        trunk = list(range(200))
        old, new = [*trunk, *range(1000, 1100)], [*trunk, *range(2000, 2100)]
        other = list(range(5000, 5100))
        for tokens in (other, trunk, old, new):
            d.run(tokens)
        for _ in range(6):
            d.cache.match([*new, 1])
            d.cache.match([*other, 1])
        d.cache.evict_state()
        assert d.cache.reader.probe([*old, 1]).resume == 200
        assert d.cache.reader.probe([*new, 1]).resume == 300
        assert d.cache.reader.probe([*other, 1]).resume == 100

    def test_kv_goes_from_the_coldest_chat(self, driver: type[Driver]) -> None:
        d = driver(kv_slots=300)
        for chat in range(3):
            d.run([chat, *range(90)])
        for chat in (0, 2, 0, 2):
            d.cache.match([chat, *range(90), 7])
        d.cache.evict_kv(1)
        assert d.cache.reader.probe([1, *range(90)]).matched == 0


class TestValues:
    def test_coverage_counts_replay_times_chance(self) -> None:
        base = expected_replay(10, 0.1, 0.0)
        assert expected_replay(20, 0.1, 0.0) > base
        assert expected_replay(10, 0.5, 0.0) > base
        assert expected_replay(10, 0.1, 1.0) > base
        long, short, late = node(20), node(10), node(10, consumed=99)
        worth = known(Coverage(), long, short, late).checkpoint_worth
        assert worth(long) > worth(short) == worth(late)

    def test_coverage_counts_kv_by_the_slot(self) -> None:
        leaf = node(10)
        policy = known(Coverage(), leaf)
        assert policy.leaf_worth(leaf) == policy.checkpoint_worth(leaf) / 10

    def test_what_coverage_keeps_fades_with_age_as_learned(self) -> None:
        policy, peers = Coverage(), Peers(100, 1.0)
        assert policy.faded(10.0, 1, peers) > policy.faded(10.0, 9, peers)
        assert policy.faded(10.0, 9, peers) > policy.faded(5.0, 9, peers)
        plain = policy.faded(10.0, 9, peers)
        policy._returns.ratios = [2.0] * 24
        assert policy.faded(10.0, 9, peers) == 2 * plain

    def test_flops_weighs_recency_and_what_a_byte_saves(self) -> None:
        flops, peers = Flops(), Peers(100, 50.0)
        assert saved(20, 20) > 2 * saved(10, 10) > 0
        assert saved(10**6, 10) > saved(10, 10)
        assert flops.faded(10.0, 5, peers) > flops.faded(10.0, 50, peers)
        assert flops.faded(40.0, 50, peers) > flops.faded(10.0, 50, peers)
        leaf = node(20)
        assert flops.checkpoint_worth(leaf) == saved(20, 20) == 20 * flops.leaf_worth(leaf)

    def test_lru_knows_only_the_order(self) -> None:
        lru = Lru()
        assert lru.checkpoint_worth(node(1, consumed=2)) > lru.checkpoint_worth(node(1000))
        assert lru.leaf_worth(node(5, used=8)) > lru.leaf_worth(node(1, used=7))

    def test_what_can_be_chosen_is_what_there_is(self) -> None:
        assert tuple(sorted(POLICIES)) == POLICY_NAMES

    @pytest.mark.parametrize("name", POLICY_NAMES)
    def test_each_cache_gets_a_policy_of_its_own(self, name: str) -> None:
        assert make_policy(name) is not make_policy(name)

    def test_an_unknown_policy_is_refused_with_the_known_ones(self) -> None:
        known = ", ".join(f'"{name}"' for name in POLICY_NAMES)
        with pytest.raises(CacheError, match=f'"newest"; choose one of {known}'):
            make_policy("newest")


class TestTrace:
    """Seeded traces of six chats of uneven use; what counts is how many tokens have to run."""

    def cost(
        self,
        driver: type[Driver],
        policy: str,
        seed: int,
        states: int,
        edits: float,
        restarts: float,
    ) -> int:
        rng = np.random.default_rng(seed)
        d = driver(kv_slots=40_000, state_slots=states, policy=policy)
        system = rng.integers(0, 9999, 300).tolist()
        chats = [list(system) for _ in range(6)]
        ran = 0
        for _ in range(100):
            chat = min(int(rng.zipf(1.6)), len(chats)) - 1
            tokens, kind = chats[chat], rng.random()
            if kind < edits and len(tokens) > 400:
                tokens = tokens[: int(rng.integers(300, len(tokens)))]
            elif kind > 1 - restarts:
                tokens = system
            prompt = [*tokens, *rng.integers(0, 9999, int(rng.integers(20, 150))).tolist()]
            before_answer = len(prompt) - 4
            match = d.cache.match(prompt)
            lock = d.cache.lock(match)
            own = present(d.cache.alloc_kv(len(prompt) - match.matched))
            d.cache.insert(prompt, [*match.extents, *own], owned_from=match.matched, lock=lock)
            wanted = {300, *range(128, len(prompt), 128), match.matched, before_answer}
            for position in sorted(p for p in wanted if p > match.resume):
                slot = present(d.cache.alloc_state())
                d.cache.donate(lock, slot, StoredState(position))
            d.cache.unlock(lock)
            ran += match.total - match.resume
            # The template strips the thinking, so the next turn parts before the answer.
            answer = rng.integers(0, 9999, int(rng.integers(20, 200))).tolist()
            chats[chat] = [*prompt[:before_answer], *answer]
        d.cache.reader.check()
        return ran

    @pytest.mark.parametrize(
        ("name", "states", "edits", "restarts", "at_most"),
        [
            ("plain turns, few slots", 8, 0.0, 0.0, 0.5),
            ("plain turns", 16, 0.0, 0.0, 0.5),
            ("edits", 10, 0.3, 0.0, 0.85),
            ("edits and new chats", 10, 0.2, 0.1, 0.85),
            ("edits and new chats, many slots", 60, 0.2, 0.1, 1.1),
        ],
    )
    def test_coverage_runs_fewer_tokens_than_lru(
        self,
        driver: type[Driver],
        name: str,
        states: int,
        edits: float,
        restarts: float,
        at_most: float,
    ) -> None:
        costs = {
            policy: sum(self.cost(driver, policy, seed, states, edits, restarts) for seed in (1, 2))
            for policy in ("lru", "coverage")
        }
        print(f"{name}, seeds 1 and 2: {costs}")
        assert costs["coverage"] < at_most * costs["lru"]
