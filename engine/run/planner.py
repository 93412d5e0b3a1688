"""What a request will reuse, and why not more: a prompt's match, explained."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from engine.cache.match import Match
from engine.cache.node import Tokens
from engine.cache.reader import CacheReader
from engine.cache.tiers.tiers import NO_NODE
from engine.cache.tree import as_tokens
from engine.reuse import Reason, ReusePlan
from engine.run.explain import Asked, explain
from engine.run.prepared import Prepared
from engine.run.rates import Rates
from engine.run.sightings import Sighting, Sightings
from engine.trace.why.sharing import is_slight

SHOWN_TOKENS = 12


class Planner:
    """Explains matches; remembers recent prompts, to distinguish an edit from another chat."""

    def __init__(
        self,
        reader: CacheReader,
        rates: Rates,
        decode: Callable[[Sequence[int]], str],
        written_elsewhere: Callable[[Tokens, Iterable[int]], int],
    ) -> None:
        """written_elsewhere: see Store.written_elsewhere."""
        self._reader = reader
        self._rates = rates
        self._decode = decode
        self._written_elsewhere = written_elsewhere
        self._sightings = Sightings()

    def plan(
        self, prepared: Prepared, match: Match, *, owner: int = 0, damaged: Reason | None = None
    ) -> ReusePlan:
        """The plan that follows from a prompt's match.

        Args:
            owner: whose prompt it is; see Submit.
            damaged: see Asked.
        """
        ids, at = prepared.ids, match.matched
        here = _sighting(prepared, owner)
        slight = is_slight(at, match.total)
        asked = Asked(
            rendered=prepared.rendered,
            sighting=here,
            nearest=self._sightings.nearest(here),
            cached=self._decode(self._reader.continuation(match, SHOWN_TOKENS).tolist()),
            prompt=self._decode(ids[at : at + SHOWN_TOKENS].tolist()),
            now=time.monotonic(),
            damaged=damaged,
            elsewhere=self._elsewhere(prepared) if slight else 0,
            read_before=slight and _has_answer(prepared),
        )
        why = explain(match, asked)
        used = match.checkpoint
        plan = ReusePlan(
            total=match.total,
            reused=match.resume,
            replayed=match.replayed,
            computed=match.computed,
            reason=why.reason,
            detail=why.detail,
            predicted_seconds=self._rates.first_token_s(match.total - match.resume),
            divergence=why.divergence,
            missing=why.missing,
        )
        if used is None:
            return plan
        return replace(
            plan,
            checkpoint=None if used.node == NO_NODE else used.node,
            state=used.state,
        )

    def cold(self, prepared: Prepared) -> ReusePlan:
        """The plan of a run that does not use the cache."""
        total = len(prepared.ids)
        return ReusePlan(
            total=total,
            reused=0,
            replayed=0,
            computed=total,
            reason=Reason.CACHE_OFF,
            detail="The cache was neither read nor fed.",
            predicted_seconds=self._rates.first_token_s(total),
        )

    def remember(self, prepared: Prepared, owner: int = 0) -> None:
        """Remember a prompt that runs."""
        self._sightings.add(_sighting(prepared, owner))

    def _elsewhere(self, prepared: Prepared) -> int:
        """How much of a prompt is in files that this model with its kernels cannot use."""
        plan = prepared.plan
        return self._written_elsewhere(
            as_tokens(prepared.ids), {*plan.checkpoints, *plan.scan_splits, *prepared.anchors}
        )


def _has_answer(prepared: Prepared) -> bool:
    """Whether an answer of the prompt has the tokens that were once generated."""
    rendered = prepared.rendered
    changed = {*rendered.retokenised, *rendered.edited}
    return any(
        message.token_ids and index not in changed
        for index, message in enumerate(prepared.messages)
    )


def _sighting(prepared: Prepared, owner: int) -> Sighting:
    return Sighting.of(prepared.ids, prepared.messages, prepared.options, owner)
