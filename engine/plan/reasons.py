"""Why a prompt's states are stored where they are, for whoever looks at the cache."""

from __future__ import annotations

from collections.abc import Mapping

from engine.plan.cuts import CutPlan
from engine.stored_state import Why


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
    """A state that no anchor asks for: the interval's, or one to resume this prompt itself."""
    return "interval" if position < end and position % interval == 0 else "end of prompt"
