"""What a quick run computes of a grid."""

from __future__ import annotations

import itertools

import pytest

from tests.pairwise import covering


@pytest.mark.parametrize("sizes", [(1,), (7,), (2, 3), (2, 2, 2), (4, 3, 9, 2), (1, 5, 1)], ids=str)
def test_every_pair_of_values_is_in_a_chosen_cell(sizes: tuple[int, ...]) -> None:
    cells = list(itertools.product(*map(range, sizes)))
    chosen = [cells[at] for at in covering(cells)]
    for one, other in itertools.combinations(range(len(sizes)), 2):
        assert {(cell[one], cell[other]) for cell in chosen} == set(
            itertools.product(range(sizes[one]), range(sizes[other]))
        )
    assert {cell[0] for cell in chosen} == set(range(sizes[0]))


def test_three_axes_or_more_leave_most_cells_out() -> None:
    cells = list(itertools.product(range(9), range(3), range(2), range(5)))
    assert len(covering(cells)) <= 9 * 5 + 10
