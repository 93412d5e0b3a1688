"""How tokens that are cached are run once more, for a state where a user asks for one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from engine.plan.cuts import CutPlan, Tokens, hash_cuts


def recovered_cuts(
    tags: npt.NDArray[np.int64], ends: Sequence[int], tokens: Tokens | None = None
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """The cuts and scan splits under which KV was computed; None if they cannot be proven.

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
        # The KV may have been rewritten since, under the cuts of another prompt.
        if list(hash_cuts(cuts, splits, tokens)) == known:
            return cuts, splits
    return None


def asked_plan(cuts: Sequence[int], splits: Sequence[int] = ()) -> CutPlan:
    """A run under these cuts that stores the state at the last one."""
    return CutPlan(tuple(cuts), (cuts[-1],), tuple(splits))
