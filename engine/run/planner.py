"""Plans what a request will reuse, and explains why no more: a prompt's match in words."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from engine.analysis.why.divergence import is_slight
from engine.cache.match import Match
from engine.cache.node import Tokens
from engine.cache.tiers.tiers import NO_NODE
from engine.cache.tree import as_tokens, common_prefix
from engine.reuse import Divergence, Reason, ReusePlan
from engine.run.explain import Asked, explain, run_again, run_for_thinking
from engine.run.prepared import Prepared
from engine.run.sightings import Sighting, Sightings
from engine.run.store import Store
from engine.sentence import say

SHOWN_TOKENS = 12
# This many tokens of an answer occur in no other conversation's file.
ANSWER_RUN = 8


class Rates:
    """Running averages of prefill and decode speed.

    Attributes:
        prefill_tok_s: tokens per second of prefill, None before any measurement.
        decode_s: seconds of one decode step, None before any measurement.
    """

    def __init__(self) -> None:
        self.prefill_tok_s: float | None = None
        self.decode_s: float | None = None

    def observe_prefill(self, tokens: int, seconds: float) -> None:
        # Short runs are dominated by fixed costs and would make predictions for long ones too
        # pessimistic.
        if tokens >= 32 and seconds > 0:
            self.prefill_tok_s = _mixed(self.prefill_tok_s, tokens / seconds)

    def observe_decode(self, tokens: int, seconds: float) -> None:
        if tokens > 0 and seconds > 0:
            self.decode_s = _mixed(self.decode_s, seconds / tokens)

    def first_token_s(self, tokens_to_run: int) -> float | None:
        """Predicted seconds until the first token, with `tokens_to_run` prompt tokens to run."""
        if self.prefill_tok_s is None:
            return None
        return tokens_to_run / self.prefill_tok_s + (self.decode_s or 0.0)


def _mixed(old: float | None, new: float) -> float:
    return new if old is None else 0.7 * old + 0.3 * new


class Planner:
    """Explains matches; remembers recent prompts, to distinguish an edit from another chat."""

    def __init__(self, store: Store, rates: Rates, decode: Callable[[Sequence[int]], str]) -> None:
        self._store = store
        self._reader = store.cache.reader
        self._rates = rates
        self._decode = decode
        self._sightings = Sightings()

    def plan(
        self, prepared: Prepared, match: Match, *, owner: int = 0, damaged: Reason | None = None
    ) -> ReusePlan:
        """The plan derived from a prompt's match.

        Args:
            owner: the prompt's owner; see Submit.
            damaged: see Asked.
        """
        ids, at = prepared.ids, match.matched
        here = _sighting(prepared, owner)
        slight = is_slight(at, match.total)
        answers = _answers(prepared)
        asked = Asked(
            rendered=prepared.rendered,
            sighting=here,
            nearest=self._sightings.nearest(here),
            cached=self._decode(self._reader.continuation(match, SHOWN_TOKENS).tolist()),
            prompt=self._decode(ids[at : at + SHOWN_TOKENS].tolist()),
            now=time.monotonic(),
            damaged=damaged,
            elsewhere=self._elsewhere(prepared) if slight else 0,
            answers=answers,
            filed=self._filed(prepared, answers) if slight else None,
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
            again=run_again(match, asked, why),
            reread_for_thinking=run_for_thinking(match, asked, why),
        )
        if used is None:
            return plan
        return replace(
            plan,
            checkpoint=None if used.node == NO_NODE else used.node,
            state=used.state,
        )

    def cold(self, prepared: Prepared) -> ReusePlan:
        """The plan of a run without the cache."""
        total = len(prepared.ids)
        return ReusePlan(
            total=total,
            reused=0,
            replayed=0,
            computed=total,
            reason=Reason.CACHE_OFF,
            detail=say("The cache was neither read nor fed."),
            predicted_seconds=self._rates.first_token_s(total),
        )

    def remember(self, prepared: Prepared, owner: int = 0) -> None:
        """Remember a prompt that is run."""
        self._sightings.add(_sighting(prepared, owner))

    def _elsewhere(self, prepared: Prepared) -> int:
        """How much of a prompt is in files that this model and its kernels cannot use."""
        plan = prepared.plan
        return self._store.written_elsewhere(
            as_tokens(prepared.ids), {*plan.checkpoints, *plan.scan_splits, *prepared.anchors}
        )

    def _filed(self, prepared: Prepared, answers: Sequence[int]) -> Divergence | None:
        """See Asked.filed."""
        for index in answers:
            run = as_tokens(prepared.messages[index].token_ids[:ANSWER_RUN])
            found = self._store.filed_with(run) if len(run) == ANSWER_RUN else None
            if found is None:
                continue
            at = common_prefix(found, as_tokens(prepared.ids))
            shown = slice(at, at + SHOWN_TOKENS)
            changed = self._changed(prepared, index, found, at)
            return Divergence(
                token=at,
                message=changed,
                role="" if changed is None else prepared.messages[changed].role,
                cached=self._decode(found[shown].tolist()),
                prompt=self._decode(prepared.ids[shown].tolist()),
            )
        return None

    def _changed(self, prepared: Prepared, answer: int, filed: Tokens, at: int) -> int | None:
        """The first message before an answer that a file diverging at `at` does not contain."""
        theirs, mine = self._decode(filed.tolist()), self._decode(prepared.ids.tolist())
        same = len(self._decode(prepared.ids[:at].tolist()).rstrip())
        end = 0
        for index, message in enumerate(prepared.messages[:answer]):
            text = message.content.strip()
            start = max(mine.find(text, end), end)
            end = start + len(text)
            if text not in theirs or len(mine[:start].rstrip()) <= same <= end:
                return index
        return None


def _answers(prepared: Prepared) -> list[int]:
    """The messages that were generated and still have their original tokens in the prompt."""
    rendered = prepared.rendered
    changed = {*rendered.retokenised, *rendered.edited}
    return [
        index
        for index, message in enumerate(prepared.messages)
        if message.token_ids and index not in changed
    ]


def _sighting(prepared: Prepared, owner: int) -> Sighting:
    return Sighting.of(prepared.ids, prepared.messages, prepared.options, owner)
