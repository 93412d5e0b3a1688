"""Where a prefill is cut: pure functions of the prompt, independent of what is cached.

A run that resumes at a cut reproduces a cold run's logits bit for bit only if the cold run has the
same cuts, since only then do all matrix products have the same shapes. So every cut but the last
few of a prompt depends only on the tokens and anchors before it, and each cut carries a hash of all
earlier ones: two runs agree on a prefix exactly where their hashes agree.

In a mixture an expert's product has as many rows as the pass has tokens for it, so a row's bits
depend on all tokens of its pass. Its hashes therefore include the tokens.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.stored_state import Why

TAIL_GRID = 64
TAIL_ANCHORS = 2
_SEED = b"biplane cuts 1"

Tokens = npt.NDArray[np.int64] | npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class CutPlan:
    """How a prompt of `cuts[-1]` tokens is run.

    Attributes:
        cuts: ends of the forward passes of the whole model, ascending.
        checkpoints: the cuts at which a checkpoint is stored.
        scan_splits: further positions to store, by splitting only the linear layers' scan.
    """

    cuts: tuple[int, ...]
    checkpoints: tuple[int, ...]
    scan_splits: tuple[int, ...]

    def cut_hashes(self, tokens: Tokens | None = None) -> dict[int, int]:
        """The cut hash at each cut; other positions have none. tokens: see hash_cuts."""
        return dict(zip(self.cuts, hash_cuts(self.cuts, self.scan_splits, tokens), strict=True))


def plan_cuts(
    n: int, anchors: Sequence[int], interval: int, *, pass_tokens: int = 1024, spacing: int = 256
) -> CutPlan:
    """Plan a prompt of `n` tokens.

    The body: from left to right, anchors and multiples of `interval` and of `pass_tokens`, each if
    it is at least `spacing` tokens after the last cut. The tail, after the last body cut and
    regardless of spacing: the prompt's last two anchors and, if no anchor is in its last 64 tokens,
    the last multiple of 64 before the end, so that the same prompt can resume. Always `n`. An
    anchor before a body cut is never a tail cut: it would change every later hash once more anchors
    follow.

    Args:
        anchors: positions where prompts are expected to diverge or resume; those outside [1, n] are
            ignored.
        interval: a checkpoint at least every `interval` tokens; 0 stores none.
        pass_tokens: grid of plain cuts; no pass is longer than pass_tokens + spacing.
    """
    assert min(n, interval) >= 0, "lengths are not negative"
    assert min(pass_tokens, spacing) > 0, "passes and spacings are not empty"
    if not n:
        return CutPlan((), (), ())
    if not interval:
        return CutPlan((*range(pass_tokens, n, pass_tokens), n), (), ())
    inner = sorted({a for a in anchors if 0 < a < n})
    grid = set(range(interval, n, interval))
    body = _spaced({*inner, *grid, *range(pass_tokens, n, pass_tokens)}, spacing)
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
        scan_splits=tuple(sorted(wanted.difference(cuts))),
    )


def _spaced(candidates: Iterable[int], spacing: int) -> list[int]:
    taken: list[int] = []
    last = 0
    for candidate in sorted(candidates):
        if candidate - last >= spacing:
            taken.append(candidate)
            last = candidate
    return taken


def hash_cuts(
    cuts: Sequence[int], scan_splits: Sequence[int] = (), tokens: Tokens | None = None
) -> tuple[int, ...]:
    """A 63-bit hash per cut of all cuts and scan splits up to it; never 0, machine-independent.

    tokens: `[n]` of a mixture's prompt, which its hashes include; None for a dense model's.
    """
    splits = set(scan_splits).difference(cuts)
    hashes: list[int] = []
    state = hashlib.blake2b(_SEED, digest_size=8).digest()
    marked = sorted([(cut, b"cut") for cut in cuts] + [(split, b"scan") for split in splits])
    start = 0
    for position, kind in marked:
        ran = b"" if tokens is None else tokens[start:position].astype("<i8").tobytes()
        state = hashlib.blake2b(state + kind + b"%d" % position + ran, digest_size=8).digest()
        start = position
        if kind == b"cut":
            hashes.append((int.from_bytes(state, "little") >> 1) or 1)
    return tuple(hashes)


def tags_for(plan: CutPlan, n: int, tokens: Tokens | None = None) -> npt.NDArray[np.int64]:
    """`[n] int64`: for each position, the cut hash at the end of its pass.

    KV computed under two plans is bit-equal wherever the tags are equal. Positions beyond the plan
    (decoded tokens) are 0, which never counts as exact. tokens: see hash_cuts.
    """
    tags: npt.NDArray[np.int64] = np.zeros(n, np.int64)
    start = 0
    for end, tag in plan.cut_hashes(tokens).items():
        tags[start : min(end, n)] = tag
        start = end
    return tags


def reasons(plan: CutPlan, kinds: Mapping[int, Why], interval: int) -> dict[int, Why]:
    """Why there is a state at each position of a plan.

    Args:
        kinds: of the anchors that the prompt was planned with.
    """
    return {
        at: kinds[at] if at in kinds else _grid(at, plan.cuts[-1], interval)
        for at in (*plan.checkpoints, *plan.scan_splits)
    }


def _grid(position: int, end: int, interval: int) -> Why:
    """The reason for a state without an anchor: the interval, or resuming this prompt itself."""
    return "interval" if position < end and position % interval == 0 else "end of prompt"
