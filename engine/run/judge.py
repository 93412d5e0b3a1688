"""From the distance between a resumed and a cold run to a verdict on the checkpoint."""

from __future__ import annotations

from engine.run.compare import Comparison
from engine.run.distance import Distance
from engine.run.rounding import FLIPPED_HEADS, FLIPPED_ROWS, FLIPPED_STRETCH, Bound
from engine.verdict import VerdictStatus

# Beyond rounding but still harmless: within this distance, with nearly the same distribution.
HARMLESS = 0.3
HARMLESS_KL = 0.05


def judge(
    apart: Distance, seen: Comparison, bound: Bound, *, to_the_bit: bool = False
) -> VerdictStatus:
    """The verdict on a checkpoint.

    Args:
        apart: the distance between the state and KV of the resumed run and those of the cold one.
        seen: the comparison of the logits of one more token.
        bound: what rounding may explain.
        to_the_bit: the cold run had the checkpoint's own cuts, so all bits must agree.
    """
    if apart.equal and seen.bit_equal:
        return "verified"
    near = apart.largest <= bound.largest
    if near or (bound.flips and _one_token_off(apart)):
        # Rounding explains it, but bit-equality was promised.
        if to_the_bit:
            return "drifted"
        answers = seen.relative <= bound.relative and seen.kl <= bound.kl
        return "verified" if near and answers else "unclear"
    harmless = apart.largest <= HARMLESS and seen.kl <= HARMLESS_KL and _same_choice(seen, bound)
    return "drifted" if harmless else "quarantined"


def _one_token_off(apart: Distance) -> bool:
    """Single tokens may have been routed to other experts, but not most neighbours at once."""
    return (
        apart.heads <= FLIPPED_HEADS
        and apart.rows <= FLIPPED_ROWS
        and apart.stretch <= FLIPPED_STRETCH
    )


def _same_choice(seen: Comparison, bound: Bound) -> bool:
    """Whether both choose the same token, or two that rounding may put in either order.

    Each of the two logits may have moved by what rounding explains.
    """
    return seen.same_top or seen.behind <= 2 * bound.relative
