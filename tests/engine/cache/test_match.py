"""Matching: the three parts of a prompt, the reasons, and what a match may not change."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.cache import Match
from engine.plan.cuts import CutPlan, plan_cuts, tags_for
from engine.reuse import Reason
from tests.engine.cache.conftest import Driver, Ids
from tests.present import present

A = list(range(100, 120))


class TestLongestMatch:
    def test_match_01_empty_tree_finds_nothing_and_makes_nothing(
        self, driver: type[Driver]
    ) -> None:
        cache = driver().cache
        match = cache.match(A)
        assert (match.matched, match.resume, match.node) == (0, 0, 0)
        assert match.checkpoint is None
        assert match.extents == ()
        assert match.reason is Reason.FIRST_SIGHT
        assert len(cache.reader.nodes()) == 1
        assert cache.reader.kv_pool().free == 64

    def test_match_01_empty_prompt(self, driver: type[Driver]) -> None:
        match = driver().cache.match([])
        assert (match.total, match.matched, match.resume, match.full) == (0, 0, 0, False)
        assert match.reason is Reason.NONE

    def test_match_02_extension_resumes_at_the_end_of_the_first(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A)
        match = d.cache.match([*A, 1, 2])
        assert (match.matched, match.resume) == (20, 20)
        assert match.checkpoint is not None
        assert match.checkpoint.state.position == 20
        assert match.reason is Reason.NEW_TOKENS

    def test_match_03_strict_prefix_without_interior_state_gives_no_state(
        self, driver: type[Driver]
    ) -> None:
        d = driver()
        d.run(A)
        match = d.cache.match(A[:12])
        assert (match.matched, match.resume) == (12, 0)
        assert match.checkpoint is None
        assert match.reason is Reason.NO_CHECKPOINT

    def test_match_03_a_split_does_not_lend_the_childs_state(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A)
        d.run([*A[:12], 7, 8])
        match = d.cache.match(A[:12])
        assert (match.matched, match.resume) == (12, 0)
        assert d.cache.match([*A[:12], 7, 8, 9]).resume == 14

    def test_match_04_same_prompt_resumes_at_the_deepest_checkpoint_before_its_end(
        self, driver: type[Driver]
    ) -> None:
        d = driver()
        d.run(A, at=[8, 16, 20])
        match = d.cache.match(A)
        assert (match.matched, match.resume) == (20, 16)
        assert not match.full
        assert match.reason is Reason.NO_CHECKPOINT

    def test_match_05_full_length_only_with_the_hidden_row(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A, has_hidden=True)
        match = d.cache.match(A)
        assert match.full
        assert (match.resume, match.replayed, match.computed) == (20, 0, 0)
        assert match.reason is Reason.NONE

    def test_match_06_parts_add_up_and_resume_is_a_checkpoint(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A, at=[4, 9])
        for n in range(len(A) + 1):
            match = d.cache.reader.probe(A[:n])
            assert match.resume + match.replayed + match.computed == n
            assert match.resume in (0, 4, 9)
            assert match.resume <= max(0, n - 1)

    def test_match_07_a_tombstone_does_not_hide_a_deeper_checkpoint(
        self, driver: type[Driver]
    ) -> None:
        d = driver()
        d.run(A, at=[20])
        d.run([*A[:10], 1], at=[11])
        assert d.cache.match([*A, 5]).resume == 20

    def test_match_08_runs_are_the_slots_of_the_matched_positions(
        self, driver: type[Driver]
    ) -> None:
        d = driver()
        lock, match = d.start(A)
        first = d.put(lock, A, match)
        d.donate(lock, 20)
        d.cache.unlock(lock)
        assert d.cache.reader.probe(A[:7]).extents == ((first.extents[0][0], 7),)
        assert d.cache.reader.probe(A).extents == first.extents

    def test_match_10_divergence_inside_a_node_counts_for_kv_only(
        self, driver: type[Driver]
    ) -> None:
        d = driver()
        d.run(A, at=[8, 20])
        match = d.cache.match([*A[:13], 1, 2])
        assert (match.matched, match.resume) == (13, 8)
        assert match.tail is not None
        assert match.token_reason is Reason.DIVERGED
        assert match.state_reason is Reason.NO_CHECKPOINT

    def test_match_11_a_match_that_ends_at_its_checkpoint_leaves_nothing_to_replay(
        self, driver: type[Driver]
    ) -> None:
        d = driver()
        d.run(A, at=[8, 20])
        match = d.cache.match([*A[:8], 1])
        assert (match.matched, match.resume, match.replayed) == (8, 8, 0)
        assert match.state_reason is Reason.NONE


class TestReasons:
    def test_an_evicted_checkpoint_is_the_reason(self, driver: type[Driver]) -> None:
        d = driver(policy="lru")
        d.run(A, at=[10, 20])
        d.cache.match([*A, 1])
        d.time = 5.0
        assert d.cache.evict_state() == 1
        match = d.cache.reader.probe(A[:12])
        assert match.state_reason is Reason.CHECKPOINT_EVICTED
        assert match.lost is not None
        assert (match.lost.position, match.lost.cause, match.lost.time) == (
            10,
            "state pressure",
            5.0,
        )

    def test_a_loss_above_the_resume_position_is_no_reason(self, driver: type[Driver]) -> None:
        d = driver(policy="lru")
        d.run(A, at=[6, 12, 20])
        d.cache.evict_state()
        match = d.cache.reader.probe([*A[:12], 1])
        assert match.resume == 12
        assert match.state_reason is Reason.NONE

    def test_the_deepest_obstacle_is_the_reason(self, driver: type[Driver]) -> None:
        """A refused state outranks an evicted one above it, but not one below it."""
        d = driver(policy="lru")
        d.run(A, at=[4, 10])
        d.run(A, at=[14, 20])
        d.cache.match([*A[:4], 1])
        assert d.cache.evict_state() == 1
        refused = d.cache.reader.probe([*A[:18], 1], usable=lambda c: c.position < 14)
        assert (refused.resume, refused.state_reason, refused.lost) == (4, Reason.NOT_EXACT, None)
        d.cache.evict_state()
        evicted = d.cache.reader.probe([*A[:18], 1], usable=lambda c: c.position < 14)
        assert (evicted.resume, evicted.state_reason) == (4, Reason.CHECKPOINT_EVICTED)

    def test_a_healed_tombstone_forgets_its_loss(self, driver: type[Driver]) -> None:
        d = driver(policy="lru")
        d.run(A, at=[10, 20])
        d.cache.evict_state()
        d.run(A, at=[10])
        assert d.cache.reader.probe(A[:12]).state_reason is Reason.NO_CHECKPOINT
        assert d.cache.reader.probe(A[:12]).resume == 10

    def test_a_removed_session_differs_from_one_never_seen(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A)
        leaf = d.cache.reader.probe([*A, 1]).node
        d.cache.evict_session(leaf)
        gone = d.cache.reader.probe(A)
        assert (gone.matched, gone.reason) == (0, Reason.CHECKPOINT_EVICTED)
        assert gone.lost is not None
        assert (gone.lost.cause, gone.lost.position) == ("session dropped", 20)
        assert d.cache.reader.probe([100, 7, 7]).reason is Reason.FIRST_SIGHT
        d.run(A)
        assert d.cache.reader.probe([100, 7, 7]).token_reason is Reason.DIVERGED

    def test_the_longer_gap_names_the_reason(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A, at=[4, 20])
        assert d.cache.reader.probe([*A[:18], 1, 2]).reason is Reason.NO_CHECKPOINT
        assert d.cache.reader.probe([*A[:6], *range(10)]).reason is Reason.DIVERGED

    def test_a_callers_condition_differs_from_a_missing_checkpoint(
        self, driver: type[Driver]
    ) -> None:
        d = driver()
        d.run(A, at=[8, 16])
        match = d.cache.reader.probe([*A, 1], usable=lambda c: c.position < 10)
        assert (match.resume, match.state_reason) == (8, Reason.NOT_EXACT)


class TestExact:
    def feed(
        self, d: Driver, tokens: Sequence[int], plan: CutPlan, provenance: str = "prefill"
    ) -> None:
        lock, match = d.start(tokens)
        d.put(lock, tokens, match, tags=tags_for(plan, len(tokens)))
        for position in plan.checkpoints:
            d.donate(lock, position, cut_hash=plan.cut_hashes()[position], provenance=provenance)
        d.cache.unlock(lock)

    def plan(self, n: int, anchors: Sequence[int] = (), interval: int = 64) -> CutPlan:
        return plan_cuts(n, anchors, interval, pass_tokens=64, spacing=8)

    def ask(self, d: Driver, tokens: Sequence[int], plan: CutPlan) -> Match:
        return d.cache.reader.probe(
            tokens, cut_hash_at=plan.cut_hashes().get, tags=tags_for(plan, len(tokens))
        )

    def test_same_cuts_are_exact(self, driver: type[Driver]) -> None:
        d = driver(kv_slots=512)
        tokens = list(range(200))
        plan = self.plan(200)
        self.feed(d, tokens, plan)
        match = self.ask(d, tokens, plan)
        assert match.resume == 192
        assert match.kv_valid == 200
        longer = self.plan(230)
        assert self.ask(d, [*tokens, *range(30)], longer).resume == 192

    def test_other_cuts_before_it_make_a_checkpoint_unusable(self, driver: type[Driver]) -> None:
        d = driver(kv_slots=512)
        tokens = list(range(200))
        self.feed(d, tokens, self.plan(200))
        other = self.plan(200, anchors=[100])
        match = self.ask(d, tokens, other)
        assert match.resume == 64
        assert match.state_reason is Reason.NOT_EXACT
        assert match.kv_valid == 64

    def test_a_checkpoint_made_by_other_cuts_over_the_same_kv_is_unusable(
        self, driver: type[Driver]
    ) -> None:
        d = driver(kv_slots=512)
        tokens = list(range(200))
        plan = self.plan(200)
        lock, match = d.start(tokens)
        d.put(lock, tokens, match, tags=tags_for(plan, 200))
        d.donate(lock, 64, cut_hash=plan.cut_hashes()[64])
        d.donate(lock, 128, cut_hash=plan.cut_hashes()[128] + 1)
        d.donate(lock, 150, cut_hash=plan.cut_hashes()[192])
        d.cache.unlock(lock)
        match = self.ask(d, tokens[:160], plan_cuts(160, [], 64, pass_tokens=64, spacing=8))
        assert (match.resume, match.state_reason) == (64, Reason.NOT_EXACT)

    def test_decode_checkpoints_are_never_exact(self, driver: type[Driver]) -> None:
        d = driver(kv_slots=512)
        tokens = list(range(200))
        plan = self.plan(200)
        self.feed(d, tokens, plan, provenance="decode")
        assert self.ask(d, tokens, plan).resume == 0
        assert d.cache.reader.probe([*tokens, 1]).resume == 200

    def test_foreign_kv_below_a_checkpoint_makes_it_unusable(self, driver: type[Driver]) -> None:
        d = driver(kv_slots=512)
        tokens = list(range(200))
        plan = self.plan(200)
        self.feed(d, tokens, plan)
        tags = tags_for(plan, 200)
        tags[70] = 5
        match = d.cache.reader.probe(tokens, cut_hash_at=plan.cut_hashes().get, tags=tags)
        assert (match.resume, match.kv_valid, match.matched) == (64, 70, 200)

    def test_untagged_kv_is_never_exact(self, driver: type[Driver]) -> None:
        d = driver(kv_slots=512)
        tokens = list(range(200))
        plan = self.plan(200)
        d.run(tokens, at=[64, 128], cut_hash=plan.cut_hashes()[64])
        assert self.ask(d, tokens, plan).resume == 0


class TestRecency:
    def test_match_09_a_probe_changes_nothing(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A, at=[8, 20])
        d.time = 9.0
        before = (
            d.cache.reader.nodes(),
            d.cache.reader.kv_pool(),
            d.cache.reader.state_pool(),
            d.cache.version,
        )
        d.cache.reader.probe([*A[:13], 1])
        d.cache.reader.probe(A)
        after = (
            d.cache.reader.nodes(),
            d.cache.reader.kv_pool(),
            d.cache.reader.state_pool(),
            d.cache.version,
        )
        assert before == after

    def test_a_probe_does_not_shift_the_eviction_order(self, driver: type[Driver]) -> None:
        d = driver(policy="lru")
        d.run([1, 2, 3])
        d.run([4, 5, 6])
        d.cache.reader.probe([1, 2, 3, 9])
        d.cache.evict_state()
        assert d.cache.reader.probe([1, 2, 3, 9]).resume == 0
        assert d.cache.reader.probe([4, 5, 6, 9]).resume == 3

    def test_a_probe_returns_what_the_match_does(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A, at=[8, 20])
        for prompt in (A, A[:5], [*A[:13], 1], [*A, 4], [3]):
            assert d.cache.reader.probe(prompt) == d.cache.match(prompt)

    def test_evict_27_a_match_refreshes_the_whole_path_but_only_its_checkpoint(
        self, driver: type[Driver]
    ) -> None:
        d = driver()
        d.run(A, at=[8, 14, 20])
        d.time = 3.0
        match = d.cache.match([*A[:15], 1])
        views = {n.end: n for n in d.cache.reader.nodes() if n.end}
        held = {end: present(view.checkpoint) for end, view in views.items()}
        assert match.resume == 14
        assert [views[end].last_used for end in (8, 14, 20)] == [3.0, 3.0, 3.0]
        used = {end: point.last_used for end, point in held.items()}
        assert used == {8: 0.0, 14: 3.0, 20: 0.0}
        assert {end: point.hits for end, point in held.items()} == {8: 0, 14: 1, 20: 0}


class TestInputs:
    def test_lists_tuples_and_arrays_are_the_same_prompt(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A)
        kinds: tuple[Ids, ...]
        kinds = (A, tuple(A), np.array(A), np.array(A, np.int32), np.array(A, np.uint16))
        assert len({d.cache.reader.probe(tokens) for tokens in kinds}) == 1

    def test_the_cache_keeps_its_own_copy_of_the_tokens(self, driver: type[Driver]) -> None:
        d = driver()
        tokens = np.array(A, np.int32)
        d.run(tokens)
        tokens[:] = 0
        assert d.cache.reader.probe(A).matched == 20
