"""Where a run is cut into forward passes, and which states it stores along the way.

Two modes, two answers. In `exact` mode the cuts are the prompt's canonical ones, so that a resumed
run has the same shapes as a cold one. In `fast` mode a cut costs GEMM efficiency without benefit,
so a run is cut only where a pass would get too long, and every other checkpoint is taken inside a
pass by splitting only the linear layers' scan.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.config import Mode
from engine.plan.cuts import CutPlan, Tokens, hash_cuts

# Alone, and beside requests that wait meanwhile.
PASS_TOKENS, SHARED_PASS_TOKENS = 1024, 256
SHORT_TAIL_TOKENS = 256


def recovered_cuts(
    tags: npt.NDArray[np.int64], ends: Sequence[int], tokens: Tokens | None = None
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """The cuts and scan splits with which KV was computed; None if they cannot be proven.

    All KV of a pass has one tag; a state stored inside a pass split the path there.

    Args:
        tags: `[n] int64`, of the KV of tokens [0, n), n being the last cut.
        ends: where the path is split.
        tokens: see hash_cuts.
    """
    end = len(tags)
    cuts = (*(np.flatnonzero(np.diff(tags)) + 1).tolist(), end)
    inside = tuple(at for at in ends if 0 < at < end and at not in cuts)
    known = tags[[cut - 1 for cut in cuts]].tolist()
    for splits in ((), inside):
        # The KV may have been rewritten since, with the cuts of another prompt.
        if list(hash_cuts(cuts, splits, tokens)) == known:
            return cuts, splits
    return None


def asked_plan(cuts: Sequence[int], splits: Sequence[int] = ()) -> CutPlan:
    """A run with these cuts that stores the state at the last one."""
    return CutPlan(tuple(cuts), (cuts[-1],), tuple(splits))


@dataclass(frozen=True, slots=True)
class Pass:
    """Tokens [start, end) of one forward pass.

    Attributes:
        scan_splits: positions inside (start, end) whose state is stored by splitting the scan.
        stores: whether the state at `end` is stored.
    """

    start: int
    end: int
    scan_splits: tuple[int, ...]
    stores: bool


def branch_point(plan: CutPlan, matched: int) -> int | None:
    """Where a prompt diverges from the cache, unless a checkpoint is planned there anyway."""
    return None if matched in (*plan.checkpoints, *plan.scan_splits) else matched


def plan_passes(
    plan: CutPlan,
    total: int,
    resume: int,
    branch: int | None,
    mode: Mode,
    *,
    shared: bool = False,
) -> tuple[Pass, ...]:
    """The passes of a run of tokens [resume, total).

    Args:
        shared: other requests run, too, so no pass should be long; exact cuts stay as they are.
        plan: the prompt's canonical cuts, checkpoints and scan splits.
        branch: the end of the token match, if beyond `resume`: a checkpoint there makes the next
            prompt that branches off there cheap. Not taken in exact mode, where the split would
            depend on what happens to be cached.
    """
    stored = set(plan.checkpoints) | set(plan.scan_splits)
    if mode == "exact":
        cuts = [c for c in plan.cuts if c > resume]
        split_at = set(plan.scan_splits)
    else:
        cuts = _even_cuts(resume, total, SHARED_PASS_TOKENS if shared else PASS_TOKENS)
        if branch is not None and resume < branch < total and stored:
            stored.add(branch)
        split_at = stored
    passes = []
    start = resume
    for end in cuts:
        inside = tuple(sorted(p for p in split_at if start < p < end))
        passes.append(Pass(start, end, inside, end in stored))
        start = end
    return tuple(passes)


def _even_cuts(resume: int, total: int, tokens: int) -> list[int]:
    """Ends of fast passes: a fixed grid of positions, without a short pass at either end."""
    first = (resume // tokens + 1) * tokens
    short = min(SHORT_TAIL_TOKENS, tokens // 2)
    inner = range(first, total - short + 1, tokens)
    cuts = [c for c in inner if c - resume >= short]
    return [*cuts, total] if total > resume else []
