"""What rounding may explain between a resumed run and a cold one."""

from __future__ import annotations

from engine.config import StateFormat

# By the model's dtype: the largest difference over the largest logit, and the divergence of the
# distributions in nats.
BY_DTYPE = {"float32": (1e-3, 1e-5), "bfloat16": (0.1, 5e-3), "float16": (0.05, 1e-3)}
# A state that was packed for a lower tier adds its own error.
BY_FORMAT: dict[StateFormat, tuple[float, float]] = {
    "none": (0.0, 0.0),
    "bfloat16": (0.02, 2e-3),
    "int8": (0.05, 0.05),
}


def rounding_of(dtype: str, stored: StateFormat) -> tuple[float, float]:
    """(largest relative difference, KL in nats) that are within the bound."""
    relative, kl = BY_DTYPE[dtype]
    more_relative, more_kl = BY_FORMAT[stored]
    return relative + more_relative, kl + more_kl
