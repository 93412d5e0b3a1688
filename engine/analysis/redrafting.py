"""Drafts the answers of a recording anew: how many passes they would have taken.

The choice is the live one (`engine.plan.drafter`), on recorded tokens and the replayed cache. What
rows cost decides how much is drafted, and cannot be known without the machine: a request is drafted
with what passes had cost at its end. Where costs do not change the choice, drafts with the recorded
settings are the recorded ones.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.cache.journal.request_ran import RequestRan
from engine.cache.tiers.tiers import Tiers
from engine.cache.tree import as_tokens
from engine.config import DraftSources
from engine.drafted import NO_DRAFTS, Drafted
from engine.journal.request import Drafting
from engine.plan.draft_depth import Depth
from engine.plan.draft_index import LONGEST, MOST_LINES_TOKENS, MOST_VOCAB, DraftIndex
from engine.plan.drafter import Drafter
from engine.sentence import say

# More than any answer has.
ANY_ROOM = 1 << 40


@dataclass(frozen=True, slots=True)
class Passes:
    """The passes of the model that wrote answers.

    Attributes:
        answered: tokens that they applied.
        passes: of the model.
        drafted, kept: tokens.
        seconds: what they take at the shortest that each number of rows took; None if no pass was
            timed.
    """

    answered: int = 0
    passes: int = 0
    drafted: int = 0
    kept: int = 0
    seconds: float | None = 0.0

    def plus(self, other: Passes) -> Passes:
        """The sum; its seconds are unknown where either's are."""
        known = self.seconds is not None and other.seconds is not None
        return Passes(
            self.answered + other.answered,
            self.passes + other.passes,
            self.drafted + other.drafted,
            self.kept + other.kept,
            (self.seconds or 0.0) + (other.seconds or 0.0) if known else None,
        )


NO_PASSES = Passes()


class Redrafting:
    """Drafts one request after another.

    Attributes:
        notes: what it cannot know.
    """

    def __init__(self, sources: DraftSources | None, most: int, *, anew: bool = True) -> None:
        """Start without having seen anything.

        Args:
            sources: None takes each request's own.
            most: tokens of a draft.
            anew: False only counts what was recorded, which takes no time.
        """
        self._sources, self._most, self._anew = sources, most, anew
        self._depth = Depth()
        self._drafting: Drafting | None = None
        self.notes: dict[str, None] = {}

    def begin(self, ran: RequestRan, tiers: Tiers) -> Drafting | None:
        """What drafts the answer of the next request; None if nothing does."""
        self._drafting = None
        recorded = ran.drafts
        if recorded.costs:
            self._depth.costs(recorded.costs)
        sources = recorded.sources if self._sources is None else self._sources
        if not self._anew or sources == "off" or not len(ran.decoded):
            return None
        if max(ran.prompt.max(), ran.decoded.max()) >= MOST_VOCAB:
            self.notes |= {say("The trace has hashes for tokens, so nothing is drafted."): None}
            return None
        if any(draft.source == "prediction" for draft in recorded.drafts):
            self.notes |= {say("What clients predicted is not in the trace."): None}
        if any(draft.source == "disk" for draft in recorded.drafts):
            self.notes |= {say("Nothing is drafted from the files of the disk tier here."): None}

        def index() -> DraftIndex:
            known = tiers.lines(LONGEST, MOST_LINES_TOKENS) if sources == "auto" else {}
            return DraftIndex(known, (), as_tokens(ran.prompt))

        # How long another answer might have become is not recorded.
        room = len(ran.decoded) if ran.stop in ("length", "context") else ANY_ROOM
        drafter = Drafter(sources, self._depth, index)
        self._drafting = Drafting(drafter, self._most, room)
        return self._drafting

    def passes(self, ran: RequestRan) -> tuple[Passes, Passes]:
        """The passes of the request that began last, and those that were recorded."""
        applied = max(ran.position - len(ran.prompt), 0)
        recorded = self._counted(applied, ran.drafts, ran)
        if not self._anew:
            return recorded, recorded
        anew = NO_DRAFTS if self._drafting is None else self._drafting.drafter.drafted
        return self._counted(applied, anew, ran), recorded

    def _counted(self, applied: int, drafted: Drafted, ran: RequestRan) -> Passes:
        drafts = drafted.drafts
        plain = applied - drafted.kept - len(drafts)
        alone = dict(self._depth.shortest()).get(1) or _token_s(ran)
        rows = plain + sum(self._depth.cost(1 + draft.size) for draft in drafts)
        return Passes(
            applied,
            plain + len(drafts),
            drafted.drafted,
            drafted.kept,
            None if alone is None else alone * rows,
        )


def _token_s(ran: RequestRan) -> float | None:
    """Seconds a token of an answer without drafts."""
    applied = ran.position - len(ran.prompt)
    if ran.first_token_s is None or applied <= 0:
        return None
    return (ran.total_s - ran.first_token_s) / applied
