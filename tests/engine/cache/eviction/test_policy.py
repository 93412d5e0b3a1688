"""Policies: the order they evict in, on paths, branches and whole traces."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from engine.cache.eviction.policy import (
    CheckpointFacts,
    Coverage,
    Field,
    Flops,
    LeafFacts,
    Lru,
    make_policy,
)
from engine.errors import CacheError
from engine.stored_state import StoredState

SPACING = 16


def largest_gap(positions, end):
    marks = [0, *positions, end]
    return max(b - a for a, b in itertools.pairwise(marks))


def facts(**changes):
    base = {
        "position": 10,
        "replay": 10,
        "chance": 0.1,
        "rate": 0.0,
        "consumed": 1,
    }
    return CheckpointFacts(**{**base, **changes})


class TestCoverageOnAPath:
    def path(self, driver, checkpoints=64, **sizes):
        d = driver(kv_slots=checkpoints * SPACING, state_slots=checkpoints, **sizes)
        tokens = np.arange(checkpoints * SPACING)
        d.run(tokens, at=range(SPACING, checkpoints * SPACING + 1, SPACING))
        return d

    @pytest.mark.parametrize("left", [2, 3, 4, 6, 8, 16])
    def test_evict_30_thinning_stays_within_twice_the_optimum(self, driver, left):
        d = self.path(driver)
        assert d.cache.evict_state(64 - left) == 64 - left
        d.cache.reader.check()
        end = 64 * SPACING
        optimum = -(-64 // (left + 1)) * SPACING
        assert largest_gap(d.positions(), end) <= 2 * optimum

    @pytest.mark.parametrize("left", [4, 8, 16])
    def test_several_paths_at_once_are_all_thinned_evenly(self, driver, left):
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

    def test_evict_30_the_shallow_ones_are_not_all_gone(self, driver):
        d = self.path(driver)
        d.cache.evict_state(60)
        assert min(d.positions()) <= 16 * SPACING
        assert max(d.positions()) == 64 * SPACING

    def test_lru_lets_the_shallow_ones_die_first(self, driver):
        d = self.path(driver, policy="lru")
        d.cache.evict_state(60)
        assert d.positions() == [61 * SPACING, 62 * SPACING, 63 * SPACING, 64 * SPACING]

    @pytest.mark.parametrize("slots", [3, 4, 6, 8])
    def test_a_long_prefill_thins_itself_as_it_goes(self, driver, slots):
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

    def test_where_nodes_are_split_does_not_matter(self, driver):
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

    def test_a_checkpoint_in_steady_use_outlives_its_neighbours(self, driver):
        d = self.path(driver)
        for _ in range(5):
            d.cache.match([*range(5 * SPACING), 99999])
        d.cache.evict_state(60)
        assert 5 * SPACING in d.positions()


class TestCoverageOnBranches:
    def test_a_trunk_many_chats_share_outlives_each_of_them(self, driver):
        d = driver(kv_slots=4000, state_slots=9)
        system = list(range(500))
        d.run(system)
        for chat in range(40):
            d.run([*system, 1000 + chat, *range(60)])
            assert 500 in d.positions()

    def test_a_cold_chat_is_thinned_before_a_warm_one(self, driver):
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

    def test_an_abandoned_branch_fades_at_the_pace_of_its_chat(self, driver):
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

    def test_kv_goes_from_the_coldest_chat(self, driver):
        d = driver(kv_slots=300)
        for chat in range(3):
            d.run([chat, *range(90)])
        for chat in (0, 2, 0, 2):
            d.cache.match([chat, *range(90), 7])
        d.cache.evict_kv(1)
        assert d.cache.reader.probe([1, *range(90)]).matched == 0


class TestValues:
    def test_coverage_counts_replay_times_chance(self):
        value = Coverage().checkpoint_value
        assert value(facts(replay=20)) > value(facts(replay=10))
        assert value(facts(chance=0.5)) > value(facts())
        assert value(facts(rate=1.0)) > value(facts())
        assert value(facts(consumed=99)) == value(facts())

    def test_coverage_counts_kv_by_the_slot(self):
        value = Coverage().leaf_value
        short, long = LeafFacts(5, facts(), 1), LeafFacts(50, facts(), 1)
        assert value(short) > value(long)

    def test_what_coverage_keeps_fades_with_age_as_learned(self):
        faded = Coverage().faded
        plain = Field(100, 1.0, [1.0] * 24)
        assert faded(10.0, 1, plain) > faded(10.0, 9, plain) > faded(5.0, 9, plain)
        assert faded(10.0, 9, Field(100, 1.0, [2.0] * 24)) == 2 * faded(10.0, 9, plain)

    def test_flops_weighs_recency_and_what_a_byte_saves(self):
        flops, field = Flops(), Field(100, 50.0, [1.0] * 24)
        value = flops.checkpoint_value
        assert value(facts(replay=20, position=20)) > 2 * value(facts(replay=10)) > 0
        assert value(facts(position=10**6, replay=10)) > value(facts(replay=10))
        assert flops.faded(10.0, 5, field) > flops.faded(10.0, 50, field)
        assert flops.faded(40.0, 50, field) > flops.faded(10.0, 50, field)
        short, long = LeafFacts(5, facts(), 1), LeafFacts(50, facts(), 1)
        assert flops.leaf_value(short) == 10 * flops.leaf_value(long)

    def test_lru_knows_only_the_order(self):
        lru = Lru()
        assert lru.checkpoint_value(facts(consumed=2)) > lru.checkpoint_value(
            facts(consumed=1, replay=10**6, chance=1.0)
        )
        assert lru.leaf_value(LeafFacts(5, facts(), 8)) > lru.leaf_value(LeafFacts(1, facts(), 7))

    def test_an_unknown_policy_is_refused_with_the_known_ones(self):
        with pytest.raises(CacheError, match='"coverage", "flops", "lru"'):
            make_policy("fifo")


class TestTrace:
    """Seeded traces of six chats of uneven use; what counts is how many tokens have to run."""

    def cost(self, driver, policy, seed, states, edits, restarts):
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
            own = d.cache.alloc_kv(len(prompt) - match.matched)
            d.cache.insert(prompt, [*match.runs, *own], owned_from=match.matched, lock=lock)
            wanted = {300, *range(128, len(prompt), 128), match.matched, before_answer}
            for position in sorted(p for p in wanted if p > match.resume):
                slot = d.cache.alloc_state()
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
        self, driver, name, states, edits, restarts, at_most
    ):
        costs = {
            policy: sum(self.cost(driver, policy, seed, states, edits, restarts) for seed in (1, 2))
            for policy in ("lru", "coverage")
        }
        print(f"{name}, seeds 1 and 2: {costs}")
        assert costs["coverage"] < at_most * costs["lru"]
