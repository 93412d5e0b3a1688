"""Drafts of one answer: what is proposed at each step, and what became of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.run.draft_depth import Depth
from engine.run.draft_index import DraftIndex, Place, Source
from engine.run.sequence import LiveSequence


@dataclass(frozen=True, slots=True)
class DraftCount:
    """What drafts did for an answer.

    Attributes:
        steps: passes of the model.
        drafted, kept: tokens that were proposed, and those of them that became part of the answer.
        from_tree: of the kept ones, those that another cached path had; the others were in the
            conversation or predicted.
    """

    steps: int = 0
    drafted: int = 0
    kept: int = 0
    from_tree: int = 0


NO_DRAFTS = DraftCount()


class Drafts:
    """What is likely to follow each token of an answer.

    Every token is drawn from the model's own logits, as it would be without drafts, and a draft
    only stays where it is that token: the text is the same with drafts and without.
    """

    def __init__(
        self, sequence: LiveSequence, depth: Depth, make_index: Callable[[], DraftIndex]
    ) -> None:
        """make_index: called with the first token, so that nothing delays it."""
        self._sequence, self._depth, self._make_index = sequence, depth, make_index
        self._index: DraftIndex | None = None
        self._place: Place | None = None
        self._source: Source = "text"
        self._steps = self._drafted = self._kept = self._from_tree = 0

    @property
    def count(self) -> DraftCount:
        """What drafts did so far."""
        return DraftCount(self._steps, self._drafted, self._kept, self._from_tree)

    def follow(self, token: int, *, expected: bool) -> None:
        """A token was drawn; `expected`: the last draft had it."""
        self._place = self._next_place(token)
        if expected:
            self._kept += 1
            self._from_tree += self._source == "tree"

    def propose(self, most: int, beside: int) -> list[int]:
        """At most `most` tokens that may follow the last one, in a pass with so many other rows."""
        self._steps += 1
        room, place = min(self._sequence.room, most), self._place
        if place is None or room <= 0 or self._index is None:
            return []
        depth = self._depth.best(place.length, room, beside)
        draft = self._index.after(place, depth) if depth else []
        self._source = self._index.source(place)
        self._drafted += len(draft)
        return draft

    def _next_place(self, token: int) -> Place | None:
        """The longest ending seen before that the conversation has with this token."""
        if self._index is None:
            self._index = self._make_index()
        index, place = self._index, self._place
        hit = place is not None and index.after(place, 1) == [token]
        if place is not None:
            self._depth.saw(place.length, hit)
        index.append(token)
        # An ending that goes on alike is still the longest.
        return index.next(place) if hit and place is not None else index.find()
