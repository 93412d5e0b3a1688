"""From how far a resumed run is from a cold one to what that says of the checkpoint."""

from __future__ import annotations

from engine.run.compare import Comparison
from engine.run.distance import Distance
from engine.run.rounding import FLIPPED_HEADS, FLIPPED_ROWS, FLIPPED_STRETCH, Bound
from engine.verdict import VerdictStatus

# Beyond rounding, but still harmless: as far as that, and nearly the same distribution.
HARMLESS = 0.3
HARMLESS_KL = 0.05


def judge(
    apart: Distance, seen: Comparison, bound: Bound, *, to_the_bit: bool = False
) -> VerdictStatus:
    """What to say of a checkpoint.

    Args:
        apart: state and KV of the resumed run and of the cold one.
        seen: the logits of one more token.
        bound: what rounding may explain.
        to_the_bit: the cold run was cut as the checkpoint's own was, so all bits have to agree.
    """
    if apart.equal and seen.bit_equal:
        return "verified"
    near = apart.largest <= bound.largest
    if near or (bound.flips and _one_token_off(apart)):
        # Rounding explains it, but where bits were promised there is none.
        if to_the_bit:
            return "drifted"
        answers = seen.relative <= bound.relative and seen.kl <= bound.kl
        return "verified" if near and answers else "unclear"
    harmless = apart.largest <= HARMLESS and seen.kl <= HARMLESS_KL and _same_choice(seen, bound)
    return "drifted" if harmless else "quarantined"


def _one_token_off(apart: Distance) -> bool:
    """Tokens here and there may have gone to other experts; neighbours do not all do so."""
    return (
        apart.heads <= FLIPPED_HEADS
        and apart.rows <= FLIPPED_ROWS
        and apart.stretch <= FLIPPED_STRETCH
    )


def _same_choice(seen: Comparison, bound: Bound) -> bool:
    """The same token is the likeliest, or two that rounding alone may put in either order.

    Each of the two may have moved by what rounding explains.
    """
    return seen.same_top or seen.behind <= 2 * bound.relative
