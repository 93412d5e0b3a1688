"""From a prompt to the logits after it: match, resume, replay and compute."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.cache.match import Match
from engine.config import EngineConfig
from engine.plan.passes import branch_point, plan_passes
from engine.run.prepared import Prepared
from engine.run.sequence import LiveSequence

if TYPE_CHECKING:
    from torch import Tensor

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Prefilled:
    """The result of a prefill.

    Attributes:
        logits: float32 [vocab] after the prompt; None if it was cancelled.
        restore_ms: allocating slots and copying the checkpoint into the live slot.
        prefill_ms: replaying and computing.
        ran: tokens replayed and computed.
    """

    logits: Tensor | None
    restore_ms: float
    prefill_ms: float
    ran: int


def prefill(
    sequence: LiveSequence,
    prepared: Prepared,
    match: Match | None,
    config: EngineConfig,
    *,
    headroom: int,
    cancelled: Callable[[], bool],
    progress: Progress,
) -> Prefilled:
    """Run a prompt on a fresh sequence; it may be cancelled between two passes.

    Raises:
        PromptError: the KV plane cannot hold the prompt; nothing has been changed.
    """
    began = time.perf_counter()
    sequence.start(
        prepared.ids,
        match,
        headroom=headroom,
        tags=prepared.tags,
        cut_hashes=prepared.cut_hashes,
        whys=prepared.whys,
    )
    restored = time.perf_counter()
    total = len(prepared.ids)
    resume = sequence.position
    branch = None if match is None else branch_point(prepared.plan, match.matched)
    logits = sequence.last_logits() if resume == total else None
    for planned in plan_passes(prepared.plan, total, resume, branch, config.mode):
        if cancelled():
            logits = None
            break
        stores = planned.scan_splits + ((planned.end,) if planned.stores else ())
        logits = sequence.forward(planned.end, stores, branch)
        progress(planned.end - resume, total - resume)
    done = time.perf_counter()
    return Prefilled(
        logits=logits,
        restore_ms=1e3 * (restored - began),
        prefill_ms=1e3 * (done - restored),
        ran=sequence.position - resume,
    )
