"""The difference between two rows of logits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True, slots=True)
class Comparison:
    """Cached logits against cold ones.

    Attributes:
        largest: the largest absolute difference.
        relative: `largest` over the largest absolute cold logit.
        kl: divergence of the cached distribution from the cold one, in nats.
        same_top: whether the likeliest token is the same.
        behind: the cold run's largest logit minus its logit for the cached run's likeliest token,
            over the largest absolute cold logit.
        bit_equal: whether the rows are bit-equal.
    """

    largest: float
    relative: float
    kl: float
    same_top: bool
    behind: float
    bit_equal: bool


def compare(cached: torch.Tensor, cold: torch.Tensor) -> Comparison:
    """Compare two float32 rows [vocab]."""
    import torch

    largest = float((cached - cold).abs().max())
    scale = float(cold.abs().max())
    log_cached = torch.log_softmax(cached.double(), -1)
    log_cold = torch.log_softmax(cold.double(), -1)
    return Comparison(
        largest=largest,
        relative=largest / scale if scale > 0 else largest,
        kl=float((log_cold.exp() * (log_cold - log_cached)).sum()),
        same_top=int(cached.argmax()) == int(cold.argmax()),
        behind=float(cold.max() - cold[cached.argmax()]) / (scale if scale > 0 else 1.0),
        bit_equal=bool(torch.equal(cached, cold)),
    )
