"""Run lists: the same slots in the same order, in the fewest extents."""

from __future__ import annotations

import numpy as np
import pytest

from engine.cache.extents import count, from_slots, join, merged, part, to_slots

RUNS = ((40, 3), (7, 2), (20, 5))


def test_adjacent_runs_merge_and_empty_ones_vanish() -> None:
    assert merged([(0, 2), (2, 3), (9, 0), (5, 1), (4, 1)]) == ((0, 6), (4, 1))
    assert merged([]) == ()


def test_join_merges_across_the_seam() -> None:
    assert join([((0, 4),), ((4, 2), (9, 1))]) == ((0, 6), (9, 1))


@pytest.mark.parametrize("start", range(11))
@pytest.mark.parametrize("stop", range(11))
def test_part_is_the_slice_of_the_slots(start: int, stop: int) -> None:
    if start > stop:
        with pytest.raises(AssertionError):
            part(RUNS, start, stop)
        return
    np.testing.assert_array_equal(to_slots(part(RUNS, start, stop)), to_slots(RUNS)[start:stop])


def test_part_beyond_the_end_fails() -> None:
    with pytest.raises(AssertionError):
        part(RUNS, 5, 11)


def test_slots_and_runs_convert_both_ways() -> None:
    assert from_slots(to_slots(RUNS)) == RUNS
    assert count(RUNS) == len(to_slots(RUNS)) == 10
    assert from_slots(to_slots(())) == ()
    assert from_slots(np.array([3, 2, 1, 5, 6])) == ((3, 1), (2, 1), (1, 1), (5, 2))
