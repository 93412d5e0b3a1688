"""Extents of KV slots: which physical slots hold the positions of a span, in order.

An extent is `(first_slot, length)`, a run of adjacent slots. A list of them is in *logical* order:
`((40, 3), (7, 2))` says that five positions are stored in slots 40, 41, 42, 7, 8. All functions are
pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

Extent = tuple[int, int]
Extents = tuple[Extent, ...]
Slots = npt.NDArray[np.int64]


def merged(extents: Iterable[Extent]) -> Extents:
    """The same slots in the same order, as the fewest possible extents; empty ones are dropped."""
    out: list[Extent] = []
    for first, length in extents:
        if not length:
            continue
        if out and out[-1][0] + out[-1][1] == first:
            out[-1] = (out[-1][0], out[-1][1] + length)
        else:
            out.append((first, length))
    return tuple(out)


def join(parts: Iterable[Sequence[Extent]]) -> Extents:
    """One list of extents for consecutive spans."""
    return merged(extent for part in parts for extent in part)


def count(extents: Iterable[Extent]) -> int:
    """The total number of slots in the extents."""
    return sum(length for _, length in extents)


def part(extents: Sequence[Extent], start: int, stop: int) -> Extents:
    """The extents of the logical positions [start, stop) of `extents`."""
    assert 0 <= start <= stop, "a span of extents needs 0 <= start <= stop"
    out: list[Extent] = []
    at = 0
    for first, length in extents:
        if at >= stop:
            break
        low, high = max(start, at), min(stop, at + length)
        if low < high:
            out.append((first + low - at, high - low))
        at += length
    assert at >= stop, "a span of extents must be inside the extents"
    return merged(out)


def to_slots(extents: Sequence[Extent]) -> Slots:
    """The slot of every position, `[positions] int64`."""
    if not extents:
        return np.empty(0, np.int64)
    return np.concatenate([np.arange(f, f + n, dtype=np.int64) for f, n in extents])


def from_slots(slots: Slots) -> Extents:
    """The extents of an array of slots, in its order."""
    if not slots.size:
        return ()
    breaks = np.flatnonzero(np.diff(slots) != 1) + 1
    firsts = np.concatenate([[0], breaks])
    lengths = np.diff(np.concatenate([firsts, [slots.size]]))
    return tuple((int(slots[at]), int(length)) for at, length in zip(firsts, lengths, strict=True))


def aligned(sources: Sequence[Extent], targets: Sequence[Extent]) -> Iterator[tuple[int, int, int]]:
    """(source slot, target slot, length) of each run that is contiguous on both sides."""
    left, right = list(sources), list(targets)
    while left and right:
        (first, have), (second, room) = left[0], right[0]
        length = min(have, room)
        yield first, second, length
        left[:1] = [(first + length, have - length)] if have > length else []
        right[:1] = [(second + length, room - length)] if room > length else []
    assert left == right == [], "both sides must hold equally many slots"
