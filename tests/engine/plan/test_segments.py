"""Where a run is cut: exact mode by the canonical plan, fast mode only where it must."""

from __future__ import annotations

import itertools

from engine.plan.cuts import plan_cuts
from engine.plan.segments import SEGMENT_TOKENS, Segment, plan_segments


def covered(segments: tuple[Segment, ...]) -> list[tuple[int, int]]:
    return [(segment.start, segment.end) for segment in segments]


class TestExact:
    def test_a_resumed_run_has_the_segments_of_the_cold_one(self) -> None:
        plan = plan_cuts(5000, [300, 2600, 4950, 4990], 1024)
        cold = plan_segments(plan, 5000, 0, None, "exact")
        for at, cut in enumerate(plan.cuts[:-1], 1):
            assert plan_segments(plan, 5000, cut, None, "exact") == cold[at:]

    def test_a_branch_point_changes_nothing(self) -> None:
        plan = plan_cuts(3000, [], 1024)
        assert plan_segments(plan, 3000, 1024, 1500, "exact") == plan_segments(
            plan, 3000, 1024, None, "exact"
        )


class TestFast:
    def test_a_short_rest_is_one_segment_with_every_store_inside(self) -> None:
        plan = plan_cuts(1070, [1010, 1066], 1024)
        (segment,) = plan_segments(plan, 1070, 1000, None, "fast")
        assert (segment.start, segment.end) == (1000, 1070)
        assert segment.captures == (1010, 1024, 1066) or segment.captures == (1010, 1066)
        assert segment.stores

    def test_segments_cover_the_run_without_gap_and_stay_short(self) -> None:
        for total in (1, 64, 1023, 1024, 1025, 1300, 4869, 9000):
            for resume in (0, 1, 63, 1000, 1024, 4000):
                if resume >= total:
                    continue
                plan = plan_cuts(total, [], 1024)
                segments = plan_segments(plan, total, resume, None, "fast")
                ends = covered(segments)
                assert ends[0][0] == resume
                assert ends[-1][1] == total
                assert all(a[1] == b[0] for a, b in itertools.pairwise(ends))
                assert all(end - start < SEGMENT_TOKENS + 512 for start, end in ends)

    def test_the_branch_point_is_stored(self) -> None:
        plan = plan_cuts(2000, [], 1024)
        segments = plan_segments(plan, 2000, 0, 700, "fast")
        assert 700 in segments[0].captures

    def test_nothing_is_stored_without_an_interval(self) -> None:
        plan = plan_cuts(2000, [500], 0)
        segments = plan_segments(plan, 2000, 0, 700, "fast")
        assert not any(segment.captures or segment.stores for segment in segments)

    def test_nothing_runs_where_all_is_reused(self) -> None:
        assert plan_segments(plan_cuts(100, [], 1024), 100, 100, None, "fast") == ()
