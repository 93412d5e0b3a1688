"""What a request will reuse, and why not more: a prompt's match, explained."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from engine.cache.match import Match
from engine.cache.reader import CacheReader
from engine.cache.tiers.tiers import NO_NODE
from engine.reuse import Reason, ReusePlan
from engine.run.explain import Asked, explain
from engine.run.prepared import Prepared
from engine.run.rates import Rates
from engine.run.sightings import Sighting, Sightings

SHOWN_TOKENS = 12


class Planner:
    """Explains matches; remembers recent prompts, to distinguish an edit from another chat."""

    def __init__(
        self, reader: CacheReader, rates: Rates, decode: Callable[[Sequence[int]], str]
    ) -> None:
        self._reader = reader
        self._rates = rates
        self._decode = decode
        self._sightings = Sightings()

    def plan(self, prepared: Prepared, match: Match, *, damaged: bool = False) -> ReusePlan:
        """The plan that follows from a prompt's match.

        Args:
            damaged: a file that would have been used turned out to be damaged.
        """
        ids, at = prepared.ids, match.matched
        asked = Asked(
            rendered=prepared.rendered,
            sighting=_sighting(prepared),
            nearest=self._sightings.nearest(ids),
            cached=self._decode(self._reader.continuation(match, SHOWN_TOKENS).tolist()),
            prompt=self._decode(ids[at : at + SHOWN_TOKENS].tolist()),
            now=time.monotonic(),
            damaged=damaged,
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

    def remember(self, prepared: Prepared) -> None:
        """Remember a prompt that runs."""
        self._sightings.add(_sighting(prepared))


def _sighting(prepared: Prepared) -> Sighting:
    return Sighting.of(prepared.ids, prepared.messages, prepared.options)
