"""How much of the difference between a stored state and a cold run rounding may explain.

Worst of some 1,300 right checkpoints of the bundled model and of random ones (64 wide, 2 of 8 and
8 of 32 experts), and best of some 5,000 wrong ones: zeros, a neighbour's state, that of the
token before (where that is another token), one layer or one delta state swapped, KV one token off
or computed from a wrong state. `tests/engine/run/test_judge.py` repeats part of the measurement.

    largest difference        right    wrong
    float32                   8e-6     0.4
    bfloat16                  0.13     0.4
    bfloat16, 8-bit weights   0.30     0.4
    bfloat16, 4-bit weights   0.41     0.4
    a state packed in int8    +0.03    0.4
    routed experts            0.96     1.0

With routed experts, rounding can flip a near tie of the router and change one token's rows
completely. It hardly changes its neighbours', so three figures that one token does not move far
separate right from wrong: heads 0.45 and 0.95, rows 0.23 and 0.56, stretches 0.46 and 0.66. With
4-bit weights on a processor with AVX2 alone, whose products of few and of many rows round apart
the most, a stretch of a right checkpoint reached 0.57, with heads at 0.22 and rows at 0.07.

With rounded weights a few numbers of a random model go far too (one of 45 such models reached 0.93
in 8 bits), and the same three figures tell: heads 0.36, rows 0.08 and stretches 0.21 in 1,260 right
checkpoints. The bundled model stays below 0.05, and its wrong ones begin at 0.84.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from engine.config import StateFormat, WeightFormat

if TYPE_CHECKING:
    from engine.model.hybrid import HybridModel


@dataclass(frozen=True, slots=True)
class Bound:
    """The differences that rounding may cause.

    Attributes:
        largest: of a Distance.
        relative: the largest difference of two logits over the largest logit.
        kl: divergence of the next token's distribution, in nats.
        outliers: the largest difference of a few numbers while the others hardly differ.
    """

    largest: float
    relative: float
    kl: float
    outliers: float = 0.0

    def __add__(self, other: Bound) -> Bound:
        return Bound(
            self.largest + other.largest,
            self.relative + other.relative,
            self.kl + other.kl,
            max(self.outliers, other.outliers),
        )


NOTHING = Bound(0.0, 0.0, 0.0)
BY_DTYPE: dict[str, Bound] = {
    "float32": Bound(1e-3, 1e-3, 1e-6),
    "bfloat16": Bound(0.15, 0.1, 0.02),
    "float16": Bound(0.03, 0.02, 1e-3),
}
# A state packed for a lower tier adds its own error.
BY_FORMAT: dict[StateFormat, Bound] = {
    "none": NOTHING,
    "bfloat16": Bound(0.02, 0.02, 2e-3),
    "int8": Bound(0.06, 0.05, 0.02),
}
# Rows in 8 bits turn the last bit of an activation into one step of 127, and few rows have 16 bits
# where many have 8; the two products of 4 bits round weights differently.
BY_WEIGHTS: dict[WeightFormat, Bound] = {
    "stored": NOTHING,
    "int8": Bound(0.13, 0.1, 0.1, outliers=0.6),
    "int4": Bound(0.13, 0.1, 0.1, outliers=0.6),
}
# For figures that one token cannot move far: well above what it was measured to do, well below what
# a wrong state does.
FLIPPED_HEADS = 0.75
FLIPPED_ROWS = 0.45
FLIPPED_STRETCH = 0.62


def rounding_of(
    dtype: str, stored: StateFormat, weights: WeightFormat = "stored", sparse: bool = False
) -> Bound:
    """What rounding may explain.

    sparse: the model routes tokens to experts. In float32, stored as float32, no choice was
    measured to change.
    """
    coarse = dtype != "float32" or weights != "stored" or stored != "none"
    bound = BY_DTYPE[dtype] + BY_FORMAT[stored] + BY_WEIGHTS[weights]
    # One token's rows may differ completely where it may be routed to another expert.
    return bound + Bound(0.0, 0.0, 0.0, outliers=math.inf if sparse and coarse else 0.0)


def rounding_for(model: HybridModel) -> Callable[[StateFormat], Bound]:
    """`rounding_of` this model, by the format in which a state was stored."""
    dtype = str(model.dtype).removeprefix("torch.")
    sparse = model.config.experts is not None
    return partial(rounding_of, dtype, weights=model.weights, sparse=sparse)
