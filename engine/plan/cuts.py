"""Where a prefill is cut: pure functions of the prompt, never of what happens to be cached.

A run that resumes at a cut gives the logits of a cold run bit for bit only if the cold run has the
same cuts, for then all matrix products have the same shapes. So a cut that is not one of the last
ones of its prompt depends on the tokens and anchors before it alone, and each cut carries a hash of
all that came before: two runs agree on a prefix exactly where their hashes agree.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

TAIL_GRID = 64
TAIL_ANCHORS = 2
_SEED = b"biplane cuts 1"


@dataclass(frozen=True, slots=True)
class CutPlan:
    """How a prompt of `cuts[-1]` tokens is run.

    Attributes:
        cuts: ends of the segments that the whole model runs at once, ascending.
        checkpoints: the cuts at which a checkpoint is stored.
        captures: further positions to store, by splitting only the linear layers' scan.
    """

    cuts: tuple[int, ...]
    checkpoints: tuple[int, ...]
    captures: tuple[int, ...]

    def chains(self) -> dict[int, int]:
        """The chain hash at each cut; a position that is not cut has none."""
        return dict(zip(self.cuts, chain_hashes(self.cuts, self.captures), strict=True))


def plan_cuts(
    n: int, anchors: Sequence[int], interval: int, *, segment: int = 1024, spacing: int = 256
) -> CutPlan:
    """Plan a prompt of `n` tokens.

    The body: from left to right anchors, multiples of `interval` and multiples of `segment`, each
    if at least `spacing` tokens after the last cut. The tail, after the last body cut and whatever
    the distance: the prompt's last two anchors, and where no anchor lies in its last 64 tokens the
    last multiple of 64 before the end, so that the same prompt can resume. Always `n`. An anchor
    before a body cut is never a tail cut: it would change every hash behind it once later anchors
    follow.

    Args:
        anchors: positions where prompts are expected to part or resume; those outside [1, n] are
            ignored.
        interval: a checkpoint at least every so many tokens; 0 stores none.
        segment: grid of plain cuts, in tokens; no stretch is longer than segment + spacing.
    """
    assert min(n, interval) >= 0, "lengths are not negative"
    assert min(segment, spacing) > 0, "segments and spacings are not empty"
    if not n:
        return CutPlan((), (), ())
    if not interval:
        return CutPlan((*range(segment, n, segment), n), (), ())
    inner = sorted({a for a in anchors if 0 < a < n})
    grid = set(range(interval, n, interval))
    body = _spaced({*inner, *grid, *range(segment, n, segment)}, spacing)
    last = body[-1] if body else 0
    tail = {a for a in inner[-TAIL_ANCHORS:] if a > last}
    if not inner or inner[-1] < n - TAIL_GRID:
        tail |= {at for at in [(n - 1) // TAIL_GRID * TAIL_GRID] if at > last}
    cuts = sorted({*body, *tail, n})
    stored = {*inner, *grid, *tail, n}
    wanted = {*inner, *grid} if interval < spacing else set(inner)
    return CutPlan(
        cuts=tuple(cuts),
        checkpoints=tuple(c for c in cuts if c in stored),
        captures=tuple(sorted(wanted.difference(cuts))),
    )


def _spaced(candidates: Iterable[int], spacing: int) -> list[int]:
    taken: list[int] = []
    last = 0
    for candidate in sorted(candidates):
        if candidate - last >= spacing:
            taken.append(candidate)
            last = candidate
    return taken


def chain_hashes(cuts: Sequence[int], captures: Sequence[int] = ()) -> tuple[int, ...]:
    """A 63-bit hash per cut of all cuts and scan splits up to it; never 0, the same everywhere."""
    splits = set(captures).difference(cuts)
    hashes: list[int] = []
    state = hashlib.blake2b(_SEED, digest_size=8).digest()
    marked = sorted([(cut, b"cut") for cut in cuts] + [(split, b"scan") for split in splits])
    for position, kind in marked:
        state = hashlib.blake2b(state + kind + b"%d" % position, digest_size=8).digest()
        if kind == b"cut":
            hashes.append((int.from_bytes(state, "little") >> 1) or 1)
    return tuple(hashes)


def tags_for(plan: CutPlan, n: int) -> npt.NDArray[np.int64]:
    """`[n] int64`: for each position the chain hash at the end of its segment.

    KV computed under one plan equals, bit for bit, that of another where the tags are equal.
    Positions beyond the plan (decoded tokens) are 0, which equals nothing exact.
    """
    tags: npt.NDArray[np.int64] = np.zeros(n, np.int64)
    start = 0
    for end, tag in zip(plan.cuts, chain_hashes(plan.cuts, plan.captures), strict=True):
        tags[start : min(end, n)] = tag
        start = end
    return tags
