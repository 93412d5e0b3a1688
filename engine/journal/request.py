"""Runs one request on a cache without a model: the same lookups, slots and states, no bytes.

The only module that runs a request without a model; traces and workloads both use it. It follows
the steps of the live run in order (run/prefill.py, run/decode.py, run/core.py), so its hits are
those of the live run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.cache.budget.balance import Balance
from engine.cache.lease import GROWTH_TOKENS, Lease
from engine.cache.match import Match, Tags
from engine.cache.tiers.tiers import Tiers
from engine.config import Mode
from engine.plan.cuts import CutPlan, plan_cuts, reasons, tags_for
from engine.plan.draft_depth import MOST_ROWS
from engine.plan.drafter import Drafter
from engine.plan.passes import Pass, branch_point, plan_passes
from engine.reuse import Reason
from engine.stored_state import Provenance, Why


def _nothing() -> npt.NDArray[np.int64]:
    return np.empty(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Ask:
    """The parameters of a request.

    Attributes:
        prompt: `[n] int64`, at least one token.
        applied: `[k] int64`, the answer's tokens that are run after the prompt.
        anchors: positions where prompts are expected to diverge or resume.
        headroom: KV slots to allocate beyond the prompt, if available.
        prompt_only: only the logits after the prompt are needed: no state is stored for an answer.
        cancelled_at: prompt tokens after which the request was cancelled; None if it was not.
        failed: the request failed at `cancelled_at` and stored nothing more.
        drops: positions at which the whole cache was dropped.
        one_shot: not expected to be continued; see Submit.
    """

    prompt: npt.NDArray[np.int64]
    applied: npt.NDArray[np.int64] = field(default_factory=_nothing)
    anchors: Sequence[int] = ()
    headroom: int = GROWTH_TOKENS
    prompt_only: bool = False
    cancelled_at: int | None = None
    failed: bool = False
    drops: Sequence[int] = ()
    one_shot: bool = False


@dataclass(frozen=True, slots=True)
class RunRules:
    """How requests are cut and where they store states; see EngineConfig and CacheSettings."""

    mode: Mode = "fast"
    interval: int = 1024
    decode_interval: int = 256
    mixture: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Drafting:
    """What drafts a request's answer.

    Attributes:
        most: tokens of a draft.
        room: tokens that the answer could have had.
    """

    drafter: Drafter
    most: int
    room: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a request found and did.

    Attributes:
        reused, replayed, computed: tokens of the prompt; they sum to its length.
        tier: where the checkpoint it resumed from was found, "" if it resumed from none.
        provenance: of that checkpoint.
        reason: why no more was reused.
        position: tokens applied at the end.
        skipped: checkpoints not taken because no slot was free.
        refused: KV for the prompt could not be allocated, so nothing ran.
    """

    reused: int
    replayed: int
    computed: int
    tier: str
    provenance: str
    reason: Reason
    position: int
    skipped: int
    refused: bool

    @property
    def ran(self) -> int:
        """Prompt tokens that had to be run."""
        return 0 if self.refused else self.replayed + self.computed


def run_request(
    tiers: Tiers,
    ask: Ask,
    rules: RunRules,
    balance: Balance | None = None,
    drafting: Drafting | None = None,
) -> Outcome:
    """Run a whole request; mutates the tiers as its live run would.

    Args:
        balance: lets the split between the planes follow the workload.
        drafting: is asked for drafts, as in a live run; they change nothing else.
    """
    total = len(ask.prompt)
    if balance is not None:
        balance.before_request(total)
    plan, tags, cut_hashes = marks(ask, rules)
    lookup: dict[str, Any] = {} if tags is None else {"cut_hash_at": cut_hashes.get, "tags": tags}
    tiers.promote(ask.prompt, **lookup)
    match = tiers.device.match(ask.prompt, **lookup)
    tier = "" if match.checkpoint is None else match.checkpoint.state.tier
    lease = Lease(tiers.device, exact=rules.mode == "exact", one_shot=ask.one_shot)
    try:
        opened = lease.open(
            ask.prompt,
            match,
            headroom=ask.headroom,
            tags=tags,
            cut_hashes=cut_hashes,
            # A trace has the positions of its anchors, but not their kinds.
            whys=reasons(plan, dict.fromkeys(ask.anchors, ""), rules.interval),
        )
        run = _Run(tiers, lease, ask, match)
        if opened:
            branch = branch_point(plan, match.matched)
            passes = plan_passes(plan, total, match.resume, branch, rules.mode)
            if run.prefill(passes, branch):
                run.decode(rules.decode_interval, drafting)
    finally:
        lease.close()
        if balance is not None:
            balance.after_request(match)
    return Outcome(
        reused=match.resume,
        replayed=match.replayed,
        computed=match.computed,
        tier=tier,
        provenance="" if match.checkpoint is None else match.checkpoint.state.provenance,
        reason=match.reason,
        position=run.position,
        skipped=lease.skipped,
        refused=not opened,
    )


def marks(ask: Ask, rules: RunRules) -> tuple[CutPlan, Tags | None, Mapping[int, int]]:
    """The prompt's cuts, and in exact mode the tags of its KV and the hashes of its cuts."""
    total = len(ask.prompt)
    plan = plan_cuts(total, ask.anchors, rules.interval)
    if rules.mode != "exact":
        return plan, None, {}
    hashed = ask.prompt if rules.mixture else None
    return plan, tags_for(plan, total, hashed), plan.cut_hashes(hashed)


class _Run:
    """The steps between opening the lease and closing it; `position` tokens are applied."""

    def __init__(self, tiers: Tiers, lease: Lease, ask: Ask, match: Match) -> None:
        self._tiers = tiers
        self._lease = lease
        self._ask = ask
        self._drops = sorted(ask.drops, reverse=True)
        self._resume = self.position = match.resume

    def prefill(self, passes: Sequence[Pass], branch: int | None) -> bool:
        """Run the passes; False if the prompt did not run to its end."""
        stop = self._ask.cancelled_at
        for planned in passes:
            self._poll()
            stores = planned.scan_splits + ((planned.end,) if planned.stores else ())
            if stop is not None and planned.end > stop:
                if self._ask.failed:
                    # The slots had been allocated when the model failed.
                    self._lease.take_states(stores)
                elif self.position > self._resume:
                    self._donate("prefill", "stopped")
                return False
            slots = self._lease.take_states(stores)
            self._lease.store(slots, planned.end, "prefill", branch=branch)
            self.position = planned.end
        return True

    def decode(self, interval: int, drafting: Drafting | None = None) -> None:
        """Apply the answer's tokens; store states along the way and at the end."""
        if self._ask.prompt_only:
            return
        self._poll()
        draft: tuple[int, ...] = ()
        for done, token in enumerate(self._ask.applied.tolist(), start=1):
            if drafting is not None:
                # Neither beyond the end, nor beyond the next checkpoint; see run/decode.py.
                ends = [drafting.room - 1, *([-(-done // interval) * interval] if interval else [])]
                draft = self._drafted(drafting, token, draft, min(ends) - done)
            if not self._lease.append(self.position, token):
                break
            self.position += 1
            if interval and done % interval == 0:
                self._donate("decode", "interval")
            self._poll()
        if self.position > len(self._ask.prompt) and not self._ask.failed:
            self._donate("decode", "end of answer")

    def _drafted(
        self, drafting: Drafting, token: int, draft: tuple[int, ...], ahead: int
    ) -> tuple[int, ...]:
        """What is left of a draft, or of a new one, when the answer goes on with a token."""
        drafter = drafting.drafter
        drafter.follow(token)
        if draft and draft[0] == token:
            drafter.took()
            return draft[1:]
        room = min(self._lease.capacity - self.position, MOST_ROWS) - 1
        made = drafter.draft(min(room, ahead, drafting.most))
        drafter.ran(made)
        return made

    def _donate(self, provenance: Provenance, why: Why) -> None:
        if self.position:
            slots = self._lease.take_states((self.position,))
            self._lease.store(slots, self.position, provenance, why=why)

    def _poll(self) -> None:
        """Apply the user's cache operations between two steps."""
        while self._drops and self._drops[-1] <= self.position:
            self._drops.pop()
            self._tiers.clear()
