"""A sequence as physical extents `(first_slot, length)` of a pool, in logical order."""

from __future__ import annotations

from collections.abc import Sequence

Extent = tuple[int, int]


def coalesce(extents: Sequence[Extent]) -> tuple[Extent, ...]:
    """The same slots in the same order, with adjacent extents joined and empty ones dropped."""
    joined: list[Extent] = []
    for first, length in extents:
        if not length:
            continue
        if joined and sum(joined[-1]) == first:
            joined[-1] = (joined[-1][0], joined[-1][1] + length)
        else:
            joined.append((first, length))
    return tuple(joined)


def crop(extents: Sequence[Extent], start: int, end: int) -> tuple[Extent, ...]:
    """The extents of logical positions [start, end) of a sequence stored in `extents`."""
    cut: list[Extent] = []
    position = 0
    for first, length in extents:
        low, high = max(start - position, 0), min(end - position, length)
        if low < high:
            cut.append((first + low, high - low))
        position += length
    return tuple(cut)
