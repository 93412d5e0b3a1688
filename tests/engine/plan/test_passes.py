"""Where a run is cut: in exact mode by the canonical plan, in fast mode only where it must be."""

from __future__ import annotations

import itertools

from engine.plan.cuts import plan_cuts
from engine.plan.passes import PASS_TOKENS, Pass, plan_passes


def covered(passes: tuple[Pass, ...]) -> list[tuple[int, int]]:
    return [(one.start, one.end) for one in passes]


class TestExact:
    def test_a_resumed_run_has_the_segments_of_the_cold_one(self) -> None:
        plan = plan_cuts(5000, [300, 2600, 4950, 4990], 1024)
        cold = plan_passes(plan, 5000, 0, None, "exact")
        for at, cut in enumerate(plan.cuts[:-1], 1):
            assert plan_passes(plan, 5000, cut, None, "exact") == cold[at:]

    def test_a_branch_point_changes_nothing(self) -> None:
        plan = plan_cuts(3000, [], 1024)
        assert plan_passes(plan, 3000, 1024, 1500, "exact") == plan_passes(
            plan, 3000, 1024, None, "exact"
        )


class TestFast:
    def test_a_short_rest_is_one_segment_with_every_store_inside(self) -> None:
        plan = plan_cuts(1070, [1010, 1066], 1024)
        (one,) = plan_passes(plan, 1070, 1000, None, "fast")
        assert (one.start, one.end) == (1000, 1070)
        assert one.scan_splits == (1010, 1024, 1066) or one.scan_splits == (1010, 1066)
        assert one.stores

    def test_segments_cover_the_run_without_gap_and_stay_short(self) -> None:
        for total in (1, 64, 1023, 1024, 1025, 1300, 4869, 9000):
            for resume in (0, 1, 63, 1000, 1024, 4000):
                if resume >= total:
                    continue
                plan = plan_cuts(total, [], 1024)
                passes = plan_passes(plan, total, resume, None, "fast")
                ends = covered(passes)
                assert ends[0][0] == resume
                assert ends[-1][1] == total
                assert all(a[1] == b[0] for a, b in itertools.pairwise(ends))
                assert all(end - start < PASS_TOKENS + 512 for start, end in ends)

    def test_the_branch_point_is_stored(self) -> None:
        plan = plan_cuts(2000, [], 1024)
        passes = plan_passes(plan, 2000, 0, 700, "fast")
        assert 700 in passes[0].scan_splits

    def test_nothing_is_stored_without_an_interval(self) -> None:
        plan = plan_cuts(2000, [500], 0)
        passes = plan_passes(plan, 2000, 0, 700, "fast")
        assert not any(one.scan_splits or one.stores for one in passes)

    def test_nothing_runs_if_all_is_reused(self) -> None:
        assert plan_passes(plan_cuts(100, [], 1024), 100, 100, None, "fast") == ()
