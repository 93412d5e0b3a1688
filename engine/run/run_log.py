"""What a run writes to the log: figures, never the text of a conversation."""

from __future__ import annotations

import logging
from collections import Counter

from engine.cache.tiers.tiers import Tiers
from engine.events import ModelInfo, StopReason
from engine.reuse import ReuseReport

log = logging.getLogger(__name__)


class RunLog:
    """Logs the model, each request and the evictions since the previous one, one line each."""

    def __init__(self, tiers: Tiers) -> None:
        self._tiers = tiers
        self._evicted = Counter(tiers.device.reader.evicted)
        self._requests = 0

    def opened(self, model: ModelInfo, torch: str, threads: int) -> None:
        """The model is ready. `torch`: its version."""
        log.info(
            "Opened %s (%s): %d parameters, %s in %s on %s, context %d; torch %s, %d threads, "
            "kernels: %s.",
            model.name,
            model.family,
            model.parameters,
            model.weights or model.dtype,
            model.dtype,
            model.device,
            model.context,
            torch,
            threads,
            model.kernels,
        )

    def finished(self, request: int, stop: StopReason, report: ReuseReport) -> None:
        """A request is over."""
        self._requests += 1
        plan = report.plan
        log.info(
            "Request %d: %d tokens, %d reused (%s), %d replayed, %d computed, %d generated, "
            "ended by %s; first token %s, total %.2f s, decode %s; reason: %s.",
            request,
            plan.total,
            plan.reused,
            "no tier" if plan.state is None else plan.state.tier,
            plan.replayed,
            plan.computed,
            report.generated,
            stop,
            "none" if report.first_token_s is None else f"{report.first_token_s:.2f} s",
            report.total_s,
            "none" if report.decode_tok_s is None else f"{report.decode_tok_s:.1f} tok/s",
            plan.reason.value,
        )
        self._evictions()

    def closed(self) -> None:
        """The core is closed."""
        log.info(
            "Closed. Requests: %d; evicted in all: %s.",
            self._requests,
            _counts(Counter(self._tiers.device.reader.evicted)),
        )

    def _evictions(self) -> None:
        """Evictions since the last request, by cause."""
        evicted = Counter(self._tiers.device.reader.evicted)
        new = evicted - self._evicted
        self._evicted = evicted
        if new:
            log.info("Evicted since the last request: %s.", _counts(new))


def _counts(counts: Counter[str]) -> str:
    return ", ".join(f"{cause} {n}" for cause, n in sorted(counts.items())) or "nothing"
