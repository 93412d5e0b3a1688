"""Whose sequences a tape has at any of its moments.

What an engine knows is known here, too: the latest sequences of each conversation, where one that
continues another replaces it. Sequences are kept by number, since a later one mostly continues an
earlier one's tokens.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.cache.journal.request_ran import TokenArray
from engine.cache.view.owners import Owners


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """The sequences of a conversation from one entry of it to the next.

    Attributes:
        last: index of the entry that told of it last.
        sequences: number and request of each, oldest first.
    """

    last: int
    sequences: tuple[tuple[int, int], ...]


HeldBy = Mapping[int, Held]
"""By conversation, the one heard of last first."""


@dataclass(slots=True, eq=False)
class _Past:
    """What was held, by the indices of the entries that told so."""

    indices: list[int] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)


class OwnedBook:
    """Grows at its end only."""

    def __init__(self) -> None:
        self._now = Owners()
        self._past: dict[int, _Past] = {}
        self._indices: list[int] = []
        # Between two indices the answer is the same.
        self._answer: tuple[int, HeldBy] | None = None

    def add(self, index: int, owner: int, number: int, tokens: TokenArray, request: int) -> None:
        """Entry `index` tells that sequence `number` is a conversation's; 0 is nobody."""
        if not owner:
            return
        before = len(self._now) + (owner not in self._now)
        self._now.add(owner, tokens, request, number)
        self._note(index, owner)
        if len(self._now) < before:
            for other, past in self._past.items():
                if other not in self._now and past.held[-1].sequences:
                    self._note(index, other)

    def drop(self, index: int, owner: int) -> None:
        """Entry `index` tells that nothing is a conversation's any longer."""
        if owner in self._past:
            self._now.drop(owner)
            self._note(index, owner)

    def at(self, moment: int) -> HeldBy:
        """What is held after the first `moment` entries."""
        before = bisect_left(self._indices, moment)
        if self._answer is not None and self._answer[0] == before:
            return self._answer[1]
        found = []
        # On a long file it grows meanwhile, on another thread.
        for owner, past in list(self._past.items()):
            at = bisect_left(past.indices, moment) - 1
            if at >= 0 and past.held[at].sequences:
                found.append((owner, past.held[at]))
        found.sort(key=lambda one: -one[1].last)
        self._answer = before, dict(found)
        return self._answer[1]

    def _note(self, index: int, owner: int) -> None:
        insort(self._indices, index)
        self._answer = None
        past = self._past.setdefault(owner, _Past())
        past.indices.append(index)
        known = tuple((one.number, one.request) for one in self._now.held(owner))
        past.held.append(Held(index, known))
