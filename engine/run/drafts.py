"""Drafts of one answer: what is proposed at each step, and what became of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.run.draft_depth import Depth
from engine.run.draft_index import DraftIndex, Place, Source
from engine.run.sequence import LiveSequence

if TYPE_CHECKING:
    from torch import Tensor


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
    """Runs an answer's tokens, each with what is likely to follow it.

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

    def step(self, token: int, most: int) -> Tensor | None:
        """See LiveSequence.step; at most `most` tokens can follow this one."""
        expected = self._sequence.expects(token)
        place = self._follow(token)
        if expected:
            self._kept += 1
            self._from_tree += self._source == "tree"
            return self._sequence.step(token)
        draft: list[int] = []
        room = min(self._sequence.room, most)
        if place is not None and room > 0 and self._index is not None:
            depth = self._depth.best(place.length, room)
            draft = self._index.after(place, depth) if depth else []
            self._source = self._index.source(place)
        began = time.perf_counter()
        logits = self._sequence.step(token, draft)
        if logits is not None:
            self._depth.took(1 + len(draft), time.perf_counter() - began)
            self._steps += 1
            self._drafted += len(draft)
        return logits

    def _follow(self, token: int) -> Place | None:
        """The longest ending seen before that the conversation has with this token."""
        if self._index is None:
            self._index = self._make_index()
        index, place = self._index, self._place
        hit = place is not None and index.after(place, 1) == [token]
        if place is not None:
            self._depth.saw(place.length, hit)
        index.append(token)
        # An ending that goes on alike is still the longest.
        self._place = index.next(place) if hit and place is not None else index.find()
        return self._place
