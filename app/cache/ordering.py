"""Sorting and looking up by several columns, several times as fast as numpy's own. Without Qt."""

from __future__ import annotations

import numpy as np

from app.cache.arrays import Floats, Ints

# Of a whole number, without its sign.
_MOST_BITS = 63


def order_by(*keys: Ints | Floats, distinct: bool = False) -> Ints:
    """The rows by the first key, then by the next ones, then by their number.

    As `np.lexsort` with the keys turned around. numpy sorts one column of whole numbers with vector
    instructions, so the keys are packed into one: as they are, or their ranks where those are
    shorter.

    `distinct`: no two rows have equal keys, so that their numbers need no room.
    """
    size = len(keys[0])
    rank_bits = max(1, size - 1).bit_length()
    used = 0 if distinct else rank_bits
    packed = np.zeros(size, dtype=np.int64) if distinct else np.arange(size, dtype=np.int64)
    for key in keys[::-1]:
        column, bits = _short(key, rank_bits)
        if used + bits > _MOST_BITS:
            return np.lexsort(keys[::-1])
        packed += column << used
        used += bits
    return np.argsort(packed)


def _short(key: Ints | Floats, rank_bits: int) -> tuple[Ints, int]:
    """Whole numbers from 0 on in the order of a key, and how many bits they take."""
    if key.dtype.kind == "i" and len(key):
        least = int(key.min())
        bits = (int(key.max()) - least).bit_length()
        if bits <= rank_bits:
            return (key - least).astype(np.int64), bits
    return ranks(key), rank_bits


def ranks(values: Ints | Floats) -> Ints:
    """The place of each among the different values, from 0 on."""
    order = np.argsort(values)
    ordered = values[order]
    made = np.empty(len(values), dtype=np.int64)
    steps = np.concatenate([[0], ordered[1:] != ordered[:-1]]) if len(values) else ordered
    made[order] = np.cumsum(steps)
    return made


def one_of_each(values: Ints) -> Ints:
    """The place of the first of each different value, in the order of values."""
    order = order_by(values)
    ordered = values[order]
    return order[np.concatenate([[True], ordered[1:] != ordered[:-1]])] if len(order) else order


def find(known: Ints, wanted: Ints) -> Ints:
    """The places of the wanted numbers among known ones, which all differ; -1 where there is none.

    `known` must be sorted. Sorted questions are answered ten times as fast as others.
    """
    made = np.full(len(wanted), -1, dtype=np.int64)
    if not len(known):
        return made
    order = np.argsort(wanted)
    at = np.searchsorted(known, wanted[order])
    at[at == len(known)] = 0
    made[order] = np.where(known[at] == wanted[order], at, -1)
    return made
