"""The few steps that turn one order of rows into another. Without Qt."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

# So many steps are dearer than making all rows anew.
_MOST_STEPS = 12


@dataclass(frozen=True, slots=True)
class Insert:
    """Rows come to stand from `at` on."""

    at: int
    count: int


@dataclass(frozen=True, slots=True)
class Remove:
    """Rows from `at` on go."""

    at: int
    count: int


@dataclass(frozen=True, slots=True)
class Move:
    """The row `source` comes to stand at `target`."""

    source: int
    target: int


def steps(old: Sequence[int], new: Sequence[int]) -> list[Insert | Remove | Move] | None:
    """From `old` to `new`, ids that occur once each; None if that takes too many steps."""
    if old == new:
        return []
    now, found = list(old), list[Insert | Remove | Move]()
    wanted = set(new)
    at = 0
    while at < len(now):
        count = _strange(now, at, wanted)
        if count:
            del now[at : at + count]
            found.append(Remove(at, count))
        else:
            at += 1
    at = 0
    while at < len(new) and len(found) <= _MOST_STEPS:
        if at < len(now) and now[at] == new[at]:
            at += 1
            continue
        count = _strange(new, at, set(now[at:]))
        if count:
            now[at:at] = new[at : at + count]
            found.append(Insert(at, count))
            continue
        # One that leaves for further down is one step; the others would be many.
        down = at + 1 < len(now) and now[at + 1] == new[at]
        source, target = (at, _place(now, new, at)) if down else (now.index(new[at], at), at)
        now.insert(target, now.pop(source))
        found.append(Move(source, target))
    return found if len(found) <= _MOST_STEPS else None


def _strange(ids: Sequence[int], at: int, known: Set[int]) -> int:
    """How many ids from a place on are not known."""
    end = at
    while end < len(ids) and ids[end] not in known:
        end += 1
    return end - at


def _place(now: Sequence[int], new: Sequence[int], at: int) -> int:
    """Where the row `at` comes to stand, once it is out of the way of the others."""
    follows = new.index(now[at]) - 1
    return now.index(new[follows]) if new[follows] in now else len(now) - 1
