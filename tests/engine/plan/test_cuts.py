"""Cuts: a function of the tokens before them, and hashes that agree where the cuts agree."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from engine.plan.cuts import CutPlan, hash_cuts, plan_cuts, tags_for


class TestPlan:
    def test_the_grid_and_the_end(self) -> None:
        plan = plan_cuts(2500, [], 1024)
        assert plan.cuts == (1024, 2048, 2496, 2500)
        assert plan.checkpoints == plan.cuts
        assert plan.scan_splits == ()

    def test_short_prompts(self) -> None:
        assert plan_cuts(0, [], 1024) == CutPlan((), (), ())
        assert plan_cuts(1, [], 1024) == CutPlan((1,), (1,), ())
        assert plan_cuts(64, [], 1024).cuts == (64,)
        assert plan_cuts(65, [], 1024).cuts == (64, 65)

    def test_anchors_are_cuts_where_there_is_room(self) -> None:
        plan = plan_cuts(3000, [300, 900, 2990], 1024)
        # 1024 is too close to the anchor at 900; the next grid point is 2048.
        assert plan.cuts == (300, 900, 2048, 2990, 3000)
        assert plan.checkpoints == plan.cuts

    def test_anchors_too_close_are_captured(self) -> None:
        plan = plan_cuts(3000, [100, 300, 400, 2000, 2950, 2960], 1024)
        assert plan.cuts == (300, 1024, 2000, 2950, 2960, 3000)
        assert plan.scan_splits == (100, 400)

    def test_the_last_two_anchors_are_cuts_whatever_the_distance(self) -> None:
        plan = plan_cuts(1100, [1030, 1040, 1050, 1060], 1024)
        assert plan.cuts == (1024, 1050, 1060, 1100)
        assert plan.scan_splits == (1030, 1040)

    def test_an_anchor_before_a_body_cut_is_no_tail_cut(self) -> None:
        plan = plan_cuts(5000, [100, 200], 1024)
        assert plan.cuts == (1024, 2048, 3072, 4096, 4992, 5000)
        assert plan.scan_splits == (100, 200)

    @pytest.mark.parametrize(
        ("last_anchor", "cut"), [(930, 960), (935, 960), (936, None), (999, None)]
    )
    def test_a_prompt_without_late_anchors_is_cut_at_the_last_64(
        self, last_anchor: int, cut: int | None
    ) -> None:
        plan = plan_cuts(1000, [last_anchor], 1024)
        assert plan.cuts == tuple(p for p in (last_anchor, cut, 1000) if p)

    def test_an_anchor_at_the_very_end_does_not_replace_the_cut_before_it(self) -> None:
        assert plan_cuts(1000, [1000], 1024).cuts == (960, 1000)

    def test_anchors_outside_and_twice_do_not_matter(self) -> None:
        assert plan_cuts(900, [0, -5, 300, 300, 901, 5000], 1024) == plan_cuts(900, [300], 1024)

    def test_a_wide_interval_stores_less_than_it_cuts(self) -> None:
        plan = plan_cuts(5000, [], 4096)
        assert plan.cuts == (1024, 2048, 3072, 4096, 4992, 5000)
        assert plan.checkpoints == (4096, 4992, 5000)

    def test_a_narrow_interval_captures_what_it_cannot_cut(self) -> None:
        plan = plan_cuts(600, [], 64)
        assert plan.cuts == (256, 512, 576, 600)
        assert plan.scan_splits == (64, 128, 192, 320, 384, 448)

    def test_no_interval_stores_nothing(self) -> None:
        plan = plan_cuts(2500, [300, 2490], 0)
        assert plan == CutPlan((1024, 2048, 2500), (), ())

    @pytest.mark.parametrize("seed", range(5))
    def test_every_plan_is_in_order_and_spaced(self, seed: int) -> None:
        print(f"seed {seed}")
        rng = np.random.default_rng(seed)
        for _ in range(100):
            n = int(rng.integers(1, 6000))
            anchors = rng.integers(0, n + 1, int(rng.integers(0, 12))).tolist()
            interval = int(rng.choice([64, 128, 256, 512, 1024, 2048]))
            plan = plan_cuts(n, anchors, interval)
            assert plan.cuts[-1] == n
            assert list(plan.cuts) == sorted(set(plan.cuts))
            assert set(plan.checkpoints) <= set(plan.cuts)
            assert not set(plan.scan_splits) & set(plan.cuts)
            assert {a for a in anchors if a} <= {*plan.checkpoints, *plan.scan_splits}
            steps = [b - a for a, b in itertools.pairwise((0, *plan.cuts))]
            # The tail: two anchors, the last multiple of 64, the end.
            assert sum(step < 256 for step in steps) <= 4
            assert max(steps) < 1024 + 256


class TestPrefixStability:
    @pytest.mark.parametrize("seed", range(6))
    def test_a_longer_prompt_repeats_the_body_cuts_and_their_hashes(self, seed: int) -> None:
        print(f"seed {seed}")
        rng = np.random.default_rng(seed)
        for _ in range(60):
            total = int(rng.integers(600, 9000))
            anchors = sorted(rng.integers(1, total, int(rng.integers(0, 20))).tolist())
            interval = int(rng.choice([256, 512, 1024, 4096]))
            n = int(rng.integers(300, total))
            known = [a for a in anchors if a <= n]
            short, long = plan_cuts(n, known, interval), plan_cuts(total, anchors, interval)
            last = max((c for c in long.cuts if c in set(short.cuts) and c < n), default=0)
            shared = [c for c in short.cuts if c <= last]
            body = [c for c in shared if short.cut_hashes()[c] == long.cut_hashes()[c]]
            # All but the short prompt's last cuts are cuts of the long one, with the same history.
            assert list(short.cuts[: len(body)]) == body
            assert len(short.cuts) - len(body) <= 4

    def test_later_tokens_do_not_affect_earlier_cuts(self) -> None:
        one = plan_cuts(9000, [100, 700, 1500, 8000], 1024)
        two = plan_cuts(9000, [100, 700, 1500, 6000, 6100, 8900], 1024)
        same = [c for c in one.cuts if c < 6000]
        assert [one.cut_hashes()[c] for c in same] == [two.cut_hashes()[c] for c in same]

    def test_late_anchors_do_not_change_the_hashes_of_an_early_turn(self) -> None:
        first = plan_cuts(20_000, [100, 19_990], 1024)
        second = plan_cuts(20_400, [100, 19_990, 20_100, 20_390], 1024)
        shared = [c for c in first.cuts if c < 19_900]
        assert len(shared) == 19
        assert [first.cut_hashes()[c] for c in shared] == [second.cut_hashes()[c] for c in shared]


class TestHashes:
    def test_they_are_63_bit_and_never_zero(self) -> None:
        for value in hash_cuts(range(1, 2000)):
            assert 0 < value < 2**63

    def test_they_do_not_change_from_run_to_run(self) -> None:
        assert hash_cuts([1024, 2048]) == (3469335031279419794, 2315127481552631943)

    def test_each_depends_on_all_before_and_nothing_after(self) -> None:
        base = hash_cuts([10, 20, 30])
        assert hash_cuts([10, 20])[:2] == base[:2]
        assert hash_cuts([11, 20, 30])[2] != base[2]
        assert hash_cuts([20, 30])[0] != base[1]

    def test_a_scan_split_counts_and_is_not_a_cut(self) -> None:
        base, split = hash_cuts([10, 20, 30]), hash_cuts([10, 20, 30], [15])
        assert split[0] == base[0]
        assert split[1] != base[1]
        assert hash_cuts([10, 15, 20, 30])[2] != split[1]
        assert hash_cuts([10, 20, 30], [20]) == base

    def test_tags_are_the_hash_at_the_end_of_the_segment(self) -> None:
        plan = CutPlan((3, 5), (3, 5), ())
        a, b = hash_cuts((3, 5))
        assert tags_for(plan, 5).tolist() == [a, a, a, b, b]
        assert tags_for(plan, 7).tolist() == [a, a, a, b, b, 0, 0]
        assert tags_for(plan, 4).tolist() == [a, a, a, b]
        assert tags_for(plan, 5).dtype == np.int64

    def test_equal_tags_mean_equal_histories(self) -> None:
        one, two = plan_cuts(3000, [300], 1024), plan_cuts(3000, [300, 1400], 1024)
        same = tags_for(one, 3000) == tags_for(two, 3000)
        assert same[:1024].all()
        assert not same[1024:].any()


class TestMixtures:
    """A row's bits depend on all tokens of its pass."""

    def test_only_whole_passes_of_equal_tokens_have_equal_tags(self) -> None:
        plan = plan_cuts(1000, [], 256, pass_tokens=256)
        one = np.arange(1000)
        two = np.where(one < 600, one, one + 1)
        same = tags_for(plan, 1000, one) == tags_for(plan, 1000, two)
        assert np.flatnonzero(same).tolist() == list(range(512))
        assert plan.cut_hashes(one)[512] == plan.cut_hashes(two)[512]

    def test_the_width_of_token_ids_does_not_matter(self) -> None:
        tokens = np.arange(30)
        assert hash_cuts([10, 30], (), tokens) == hash_cuts([10, 30], (), tokens.astype(np.int32))
        assert hash_cuts([10, 30], (), tokens) != hash_cuts([10, 30])
