"""Sorting and looking up by several columns, several times as fast as numpy's own. Without Qt."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from app.cache.arrays import Floats, Ints

_Keys = NDArray[np.uint64]
_MOST_BITS = 64
# numpy sorts 16 bits by counting, which its vector instructions do not beat on every processor.
_DIGIT = 16
# With so few rows out of order, it costs next to nothing to merge the others.
_RUN = 16
# Numbers this close together, or this few, are looked up in a column with a place for each.
_SPARSE, _FEW = 8, 1024


def order_by(*keys: Ints | Floats) -> Ints:
    """The rows by the first key, then by the next ones, then by their number.

    As `np.lexsort` with the keys turned around.
    """
    order = np.arange(len(keys[0]))
    for column in _packed(keys):
        order = order[_sorted(column[order])]
    return order


def _packed(keys: tuple[Ints | Floats, ...]) -> Iterator[_Keys]:
    """The keys, the last first; as many as fit are one column, which is sorted at once."""
    packed, used = np.zeros(len(keys[0]), dtype=np.uint64), 0
    for key in keys[::-1]:
        column = _whole(key)
        bits = int(column.max(initial=0)).bit_length()
        if used + bits > _MOST_BITS:
            yield packed
            packed, used = column, bits
        elif bits:
            packed = packed + (column << np.uint64(used))
            used += bits
    yield packed


def _whole(key: Ints | Floats) -> _Keys:
    """Whole numbers from 0 on in the order of a key."""
    if key.dtype.kind == "f":
        # Bits of a number without its sign are in its order; 0.0 makes one of both zeros.
        bits = (key.astype(np.float64) + 0.0).view(np.int64)
        key = bits ^ ((bits >> 63) & np.int64(2**63 - 1))
    # Modulo 2**64, so that no difference is too large.
    return key.astype(np.uint64) - (key.min().astype(np.uint64) if len(key) else np.uint64(0))


def _sorted(values: _Keys) -> Ints:
    """The places of some numbers in their order; of equal ones, the first comes first."""
    turns = np.count_nonzero(values[1:] < values[:-1])
    if _RUN * turns < len(values) or len(values) < _FEW:
        return np.argsort(values, kind="stable")
    order = np.arange(len(values))
    for low in range(0, int(values.max()).bit_length(), _DIGIT):
        digit = (values >> np.uint64(low)).astype(np.uint16)
        if (digit != digit[0]).any():
            order = order[np.argsort(digit[order], kind="stable")]
    return order


def one_of_each(values: Ints) -> Ints:
    """The place of the first of each different value, in the order of values."""
    order = order_by(values)
    ordered = values[order]
    return order[np.concatenate([[True], ordered[1:] != ordered[:-1]])] if len(order) else order


def find(known: Ints, wanted: Ints) -> Ints:
    """The places of the wanted numbers among known ones, which all differ; -1 where there is none.

    `known` must be sorted.
    """
    made = np.full(len(wanted), -1, dtype=np.int64)
    if not len(known):
        return made
    least, most = int(known[0]), int(known[-1])
    if most - least < _FEW + _SPARSE * len(known):
        places = np.full(most - least + 1, -1, dtype=np.int64)
        places[known - least] = np.arange(len(known))
        inside = np.flatnonzero((wanted >= least) & (wanted <= most))
        made[inside] = places[wanted[inside] - least]
        return made
    # Sorted questions are answered ten times as fast as others.
    order = order_by(wanted)
    at = np.searchsorted(known, wanted[order])
    at[at == len(known)] = 0
    made[order] = np.where(known[at] == wanted[order], at, -1)
    return made
