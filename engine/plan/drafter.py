"""Chooses the drafts of one answer, and records what became of them.

It needs no model: a replay of recorded tokens runs the same choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.config import DraftSources
from engine.drafted import Draft, Drafted, Source, packed
from engine.plan.draft_depth import Depth
from engine.plan.draft_index import DraftIndex, Place


class Drafter:
    """Follows an answer's tokens, and says which ones are likely to follow."""

    def __init__(
        self, sources: DraftSources, depth: Depth, make_index: Callable[[], DraftIndex]
    ) -> None:
        """make_index: called with the first token, so that nothing delays it."""
        self._sources, self._depth, self._make_index = sources, depth, make_index
        self._index: DraftIndex | None = None
        self._place: Place | None = None
        self._steps = self._kept = 0
        self._tried: list[Draft] = []
        # The last draft, and how many of its tokens the answer has taken.
        self._last: tuple[int, ...] = ()
        self._taken = 0
        # How sure the draft head was of each of them, if they are its own.
        self._sure: tuple[float, ...] = ()
        # Whether the step that is going on began with asking the head; see Depth.over.
        self._asked: bool | None = None

    @property
    def drafted(self) -> Drafted:
        """What drafts did so far."""
        self._close()
        tried = packed(self._tried)
        return Drafted(self._sources, self._steps, tried, self._depth.shortest())

    def follow(self, token: int) -> None:
        """The answer goes on with this token."""
        if self._index is None:
            self._index = self._make_index()
        if self._taken < len(self._sure):
            stays = token == self._last[self._taken]
            self._depth.sure.saw(self._sure[self._taken], stays)
        index, place = self._index, self._place
        hit = place is not None and index.after(place, 1) == [token]
        if place is not None:
            self._depth.endings.saw(place.length, hit)
        index.append(token)
        # An ending that goes on alike is still the longest.
        self._place = index.next(place) if hit and place is not None else index.find()

    def took(self) -> None:
        """The last token was the next one of the last draft."""
        self._taken += 1
        self._kept += 1

    def draft(
        self,
        room: int,
        beside: int = 0,
        predictions: Callable[[], Iterator[tuple[int, float]]] | None = None,
    ) -> tuple[int, ...]:
        """At most `room` tokens that may follow, in a pass with so many other rows.

        predictions: asks the model's draft head, which is slower than to look tokens up.
        """
        self._close()
        self._depth.over(1 + self._taken, self._asked)
        self._taken, self._asked = 0, None if beside else False
        if room <= 0:
            return ()
        index, place = self._index, self._place
        if index is not None and place is not None:
            depth = self._depth.best(place.length, room, beside)
            if depth:
                self._asked = None
                return tuple(index.after(place, depth))
        if predictions is None or self._sources != "auto" or not self._depth.asks_head():
            return ()
        self._asked = None if beside else True
        found = self._depth.from_head(predictions(), room, beside)
        self._sure = tuple(sure for _, sure in found)
        return tuple(token for token, _ in found)

    def ran(self, draft: tuple[int, ...]) -> None:
        """A pass of the last token and its draft has run."""
        self._close()
        self._steps += 1
        if draft:
            source = self._source()
            self._tried.append(Draft(self._steps + self._kept, 0, *source, ()))
            self._last, self._taken = draft, 0

    def _source(self) -> tuple[Source, int, int]:
        if self._sure:
            return "head", 0, 0
        assert self._index is not None
        assert self._place is not None, "a draft comes from a place"
        return self._index.source(self._place)

    def _close(self) -> None:
        """What the answer has not taken of the last draft was rejected."""
        if self._last:
            kept = self._taken
            self._tried[-1] = self._tried[-1]._replace(kept=kept, rejected=self._last[kept:])
            self._last, self._sure = (), ()
