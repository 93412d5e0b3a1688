"""What rounding may explain between a resumed run and a cold one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from engine.config import StateFormat, WeightFormat

if TYPE_CHECKING:
    from engine.model.hybrid import HybridModel

Bound = tuple[float, float]

# By the model's dtype: the largest difference over the largest logit, and the divergence of the
# distributions in nats.
BY_DTYPE: dict[str, Bound] = {
    "float32": (1e-3, 1e-5),
    "bfloat16": (0.1, 5e-3),
    "float16": (0.05, 1e-3),
}
# A state that was packed for a lower tier adds its own error.
BY_FORMAT: dict[StateFormat, Bound] = {
    "none": (0.0, 0.0),
    "bfloat16": (0.02, 2e-3),
    "int8": (0.05, 0.05),
}
# Rows in 8 bits turn the last bit of an activation into one step of 127; the two products of 4 bits
# round weights differently. Worst of the audit: 0.019 and 0.004 with the bundled model, 0.122 and
# 0.148 with random ones of 64 to 128 wide, whose distributions are sharper than trained ones.
BY_WEIGHTS: dict[WeightFormat, Bound] = {
    "stored": (0.0, 0.0),
    "int8": (0.1, 0.2),
    "int4": (0.1, 0.2),
}
# Near a tie rounding chooses another expert. Worst of the audit with random routers: 0.42 and 2.1
# with 2 of 8 experts, where one choice is half of what they add; 0.21 and 0.45 with 8 of 32. The
# same prompt on a state of zeros gives 1.0 and at least 4.6.
SPARSE: Bound = (0.35, 2.0)


def rounding_of(
    dtype: str, stored: StateFormat, weights: WeightFormat = "stored", sparse: bool = False
) -> Bound:
    """(largest relative difference, KL in nats) that are within the bound.

    sparse: the model routes tokens to experts. In float32, stored so, no choice was seen to change.
    """
    parts = [BY_DTYPE[dtype], BY_FORMAT[stored], BY_WEIGHTS[weights]]
    if sparse and (dtype != "float32" or weights != "stored"):
        parts.append(SPARSE)
    return sum(part[0] for part in parts), sum(part[1] for part in parts)


def rounding_for(model: HybridModel) -> Callable[[StateFormat], Bound]:
    """`rounding_of` this model, by the format in which a state was stored."""
    dtype = str(model.dtype).removeprefix("torch.")
    sparse = model.config.experts is not None
    return partial(rounding_of, dtype, weights=model.weights, sparse=sparse)
