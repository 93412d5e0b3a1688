"""Where a run is cut into whole-model segments, and which states it stores on the way.

Two modes, two answers. In `exact` mode the cuts are the canonical ones of the prompt, so a
resumed run has the same shapes as a cold one. In `fast` mode a cut costs GEMM efficiency and buys
nothing, so a run is cut only where a segment would get too long, and every other checkpoint is
taken inside a segment by splitting only the linear layers' scan.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.config import Mode
from engine.plan.cuts import CutPlan

SEGMENT_TOKENS = 1024
SHORT_TAIL_TOKENS = 256


@dataclass(frozen=True, slots=True)
class Segment:
    """Tokens [start, end) of one forward pass.

    Attributes:
        captures: positions inside (start, end) whose state is stored by splitting the scan.
        stores: whether the state at `end` is stored.
    """

    start: int
    end: int
    captures: tuple[int, ...]
    stores: bool


def branch_point(plan: CutPlan, matched: int) -> int | None:
    """Where a prompt leaves the cache, if no checkpoint is planned there anyway."""
    return None if matched in (*plan.checkpoints, *plan.captures) else matched


def plan_segments(
    plan: CutPlan, total: int, resume: int, branch: int | None, mode: Mode
) -> tuple[Segment, ...]:
    """The segments of a run of tokens [resume, total).

    Args:
        plan: the prompt's canonical cuts, checkpoints and captures.
        branch: the end of the token match where it lies beyond `resume`: a checkpoint there makes
            the next prompt that branches off there cheap. Not taken in exact mode, where the
            split would depend on what happens to be cached.
    """
    stored = set(plan.checkpoints) | set(plan.captures)
    if mode == "exact":
        cuts = [c for c in plan.cuts if c > resume]
        captured = set(plan.captures)
    else:
        cuts = _even_cuts(resume, total)
        if branch is not None and resume < branch < total and stored:
            stored.add(branch)
        captured = stored
    segments = []
    start = resume
    for end in cuts:
        inside = tuple(sorted(p for p in captured if start < p < end))
        segments.append(Segment(start, end, inside, end in stored))
        start = end
    return tuple(segments)


def _even_cuts(resume: int, total: int) -> list[int]:
    """Ends of fast segments: a fixed grid of positions, without a short piece at the end."""
    first = (resume // SEGMENT_TOKENS + 1) * SEGMENT_TOKENS
    inner = range(first, total - SHORT_TAIL_TOKENS + 1, SEGMENT_TOKENS)
    cuts = [c for c in inner if c - resume >= SHORT_TAIL_TOKENS]
    return [*cuts, total] if total > resume else []
