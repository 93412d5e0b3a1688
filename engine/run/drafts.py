"""Drafts of one answer: what is proposed at each step, and what became of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.config import DraftSources
from engine.drafted import Drafted
from engine.plan.draft_depth import Depth
from engine.plan.draft_index import DraftIndex
from engine.plan.drafter import Drafter
from engine.run.sequence import LiveSequence

if TYPE_CHECKING:
    from torch import Tensor


class Drafts:
    """Runs an answer's tokens, each with what is likely to follow it.

    Every token is drawn from the model's own logits, as it would be without drafts, and a draft
    only stays where it is that token: the text is the same with drafts and without.
    """

    def __init__(
        self,
        sequence: LiveSequence,
        sources: DraftSources,
        depth: Depth,
        make_index: Callable[[], DraftIndex],
    ) -> None:
        """make_index: called with the first token, so that nothing delays it."""
        self._sequence, self._drafter = sequence, Drafter(sources, depth, make_index)

    @property
    def drafted(self) -> Drafted:
        """What drafts did so far."""
        return self._drafter.drafted

    def step(self, token: int, most: int) -> Tensor | None:
        """See LiveSequence.step; at most `most` tokens can follow this one."""
        expected = self._sequence.expects(token)
        self._drafter.follow(token)
        if expected:
            self._drafter.took()
            return self._sequence.step(token)
        draft = self._drafter.draft(min(self._sequence.room, most))
        began = time.perf_counter()
        logits = self._sequence.step(token, draft)
        if logits is not None:
            self._drafter.ran(draft, time.perf_counter() - began)
        return logits
