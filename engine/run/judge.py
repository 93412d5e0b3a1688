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
    difference: Distance, logits: Comparison, bound: Bound, *, to_the_bit: bool = False
) -> VerdictStatus:
    """The verdict on a checkpoint.

    Args:
        difference: between the state and KV of the resumed run and those of the cold one.
        logits: difference of the logits of one more token.
        bound: what rounding may explain.
        to_the_bit: the cold run had the checkpoint's own cuts, so all bits must agree.
    """
    if difference.equal and logits.bit_equal:
        return "verified"
    near = difference.largest <= bound.largest
    if near or (difference.largest <= bound.outliers and _few_off(difference)):
        # Rounding explains it, but bit-equality was promised.
        if to_the_bit:
            return "drifted"
        answers = logits.relative <= bound.relative and logits.kl <= bound.kl
        return "verified" if near and answers else "unclear"
    harmless = (
        difference.largest <= HARMLESS and logits.kl <= HARMLESS_KL and _same_choice(logits, bound)
    )
    return "drifted" if harmless else "quarantined"


def _few_off(difference: Distance) -> bool:
    """Single tokens may have been routed to other experts, but not most neighbours at once."""
    return (
        difference.heads <= FLIPPED_HEADS
        and difference.rows <= FLIPPED_ROWS
        and difference.stretch <= FLIPPED_STRETCH
    )


def _same_choice(logits: Comparison, bound: Bound) -> bool:
    """Whether both choose the same token, or two that rounding may put in either order.

    Each of the two logits may have moved by what rounding explains.
    """
    return logits.same_top or logits.behind <= 2 * bound.relative
