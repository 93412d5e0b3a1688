"""Which cells of a grid are run by every change: each pair of values of two axes at least once.

The whole grid is what `make full` runs.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Sequence

Cell = tuple[Hashable, ...]


def covering(cells: Sequence[Cell]) -> list[int]:
    """The indices of cells that hold every pair of values which any cell holds.

    Greedy: of those that add most, the first. A grid of fewer than three axes has no cell to spare.
    """
    pairs = [
        {((i, cell[i]), (j, cell[j])) for i, j in itertools.combinations(range(len(cell)), 2)}
        for cell in cells
    ]
    left = set().union(*pairs)
    if not left:
        return list(range(len(cells)))
    chosen: list[int] = []
    while left:
        best = max(range(len(cells)), key=lambda at: len(pairs[at] & left))
        chosen.append(best)
        left -= pairs[best]
    return sorted(chosen)
