"""A sequence as physical runs `(first_slot, length)` of a pool, in logical order."""

from __future__ import annotations

from collections.abc import Sequence

Run = tuple[int, int]


def coalesce(runs: Sequence[Run]) -> tuple[Run, ...]:
    """The same slots in the same order with neighbouring runs joined and empty ones dropped."""
    joined: list[Run] = []
    for first, length in runs:
        if not length:
            continue
        if joined and sum(joined[-1]) == first:
            joined[-1] = (joined[-1][0], joined[-1][1] + length)
        else:
            joined.append((first, length))
    return tuple(joined)


def crop(runs: Sequence[Run], start: int, end: int) -> tuple[Run, ...]:
    """The runs of logical positions [start, end) of a sequence stored in `runs`."""
    cut: list[Run] = []
    position = 0
    for first, length in runs:
        low, high = max(start - position, 0), min(end - position, length)
        if low < high:
            cut.append((first + low, high - low))
        position += length
    return tuple(cut)
