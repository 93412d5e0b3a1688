"""Run-length lists of KV slots: which physical slots hold the positions of a span, in order.

A run is `(first_slot, length)`; a list of runs is in *logical* order, so `((40, 3), (7, 2))` says
that five positions are stored in slots 40, 41, 42, 7, 8. All functions are pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

Run = tuple[int, int]
Runs = tuple[Run, ...]
Slots = npt.NDArray[np.int64]


def merged(runs: Iterable[Run]) -> Runs:
    """The same slots in the same order, as the fewest possible runs; empty runs are dropped."""
    out: list[Run] = []
    for first, length in runs:
        if not length:
            continue
        if out and out[-1][0] + out[-1][1] == first:
            out[-1] = (out[-1][0], out[-1][1] + length)
        else:
            out.append((first, length))
    return tuple(out)


def join(parts: Iterable[Sequence[Run]]) -> Runs:
    """One list of runs for consecutive spans."""
    return merged(run for part in parts for run in part)


def count(runs: Iterable[Run]) -> int:
    """The total number of slots in the runs."""
    return sum(length for _, length in runs)


def part(runs: Sequence[Run], start: int, stop: int) -> Runs:
    """The runs of the logical positions [start, stop) of `runs`."""
    assert 0 <= start <= stop, "a span of runs needs 0 <= start <= stop"
    out: list[Run] = []
    at = 0
    for first, length in runs:
        if at >= stop:
            break
        low, high = max(start, at), min(stop, at + length)
        if low < high:
            out.append((first + low - at, high - low))
        at += length
    assert at >= stop, "a span of runs must be inside the runs"
    return merged(out)


def to_slots(runs: Sequence[Run]) -> Slots:
    """The slot of every position, `[positions] int64`."""
    if not runs:
        return np.empty(0, np.int64)
    return np.concatenate([np.arange(f, f + n, dtype=np.int64) for f, n in runs])


def from_slots(slots: Slots) -> Runs:
    """The runs of an array of slots, in its order."""
    if not slots.size:
        return ()
    breaks = np.flatnonzero(np.diff(slots) != 1) + 1
    firsts = np.concatenate([[0], breaks])
    lengths = np.diff(np.concatenate([firsts, [slots.size]]))
    return tuple((int(slots[at]), int(length)) for at, length in zip(firsts, lengths, strict=True))


def aligned(sources: Sequence[Run], targets: Sequence[Run]) -> Iterator[tuple[int, int, int]]:
    """(source slot, target slot, length) of each stretch that is contiguous on both sides."""
    left, right = list(sources), list(targets)
    while left and right:
        (first, have), (second, room) = left[0], right[0]
        length = min(have, room)
        yield first, second, length
        left[:1] = [(first + length, have - length)] if have > length else []
        right[:1] = [(second + length, room - length)] if room > length else []
    assert left == right == [], "both sides must hold equally many slots"
