"""The distance between what a run resumes from and what a cold run has at the same position.

A resumed run reads the state and the KV below it and nothing else. If those agree, so does every
answer that follows from them, whatever the next token is; comparing the logits of one more token
alone would miss wrong KV, which one step of attention hardly reveals.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

# A stretch of KV is wrong if most of this many neighbours are.
STRETCH_TOKENS = 8


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """What a run resumes from, copied.

    Attributes:
        delta: [linear_layers, value_heads, key_dim, value_dim] float32.
        conv: [linear_layers, rows, channels].
        hidden: [hidden]; None if it is not kept.
        k, v: [full_layers, kv_heads, tokens, head_dim].
    """

    delta: Tensor
    conv: Tensor
    hidden: Tensor | None
    k: Tensor
    v: Tensor


@dataclass(frozen=True, slots=True)
class Distance:
    """Differences relative to the norm of the cold run's values; infinite for any NaN.

    Attributes:
        equal: whether all bits are equal.
        largest: of any layer's delta state, any row of a window, the hidden row, and the key or
            value of any token in any layer.
        heads, rows, stretch: figures that a single token cannot move far, in the worst layer: the
            median over the heads of a delta state, the nearest row of a window, and the median over
            neighbouring tokens' KV.
    """

    equal: bool
    largest: float
    heads: float
    rows: float
    stretch: float


def distance(held: Held, cold: Held) -> Distance:
    """The distance of `held` from `cold`, for the same model and position."""
    layers = _apart(held.delta, cold.delta, (1, 2, 3))
    heads = _apart(held.delta, cold.delta, (2, 3)).median(1).values
    windows = _apart(held.conv, cold.conv, (2,))
    largest = [layers.max(), windows.max()]
    equal = torch.equal(held.delta, cold.delta) and torch.equal(held.conv, cold.conv)
    if held.hidden is not None and cold.hidden is not None:
        largest.append(_apart(held.hidden, cold.hidden, (0,)))
        equal &= torch.equal(held.hidden, cold.hidden)
    stretch = [torch.zeros(())]
    # Layer by layer: in float32, a long prompt's KV would take as much memory as the plane.
    for part, right in ((held.k, cold.k), (held.v, cold.v)):
        for layer, other in zip(part, right, strict=True):
            tokens = _apart(layer, other, (0, 2))
            largest.append(tokens.max())
            stretch.append(_stretch(tokens))
            equal &= torch.equal(layer, other)
    return Distance(
        equal=equal,
        largest=_worst(largest),
        heads=_worst([heads.max()]),
        rows=_worst([windows.min(1).values.max()]),
        stretch=_worst(stretch),
    )


def _apart(one: Tensor, other: Tensor, dims: tuple[int, ...]) -> Tensor:
    """Norm of the difference over the norm of `other`, over `dims`; 0 if both are zero."""
    one, other = one.float(), other.float()
    difference = (one - other).pow_(2).sum(dims).sqrt_()
    norm = other.pow(2).sum(dims).sqrt_()
    return torch.where(difference == 0, 0.0, difference / norm)


def _stretch(tokens: Tensor) -> Tensor:
    """The largest median of STRETCH_TOKENS neighbours; of fewer tokens, the median of all."""
    if len(tokens) <= STRETCH_TOKENS:
        return tokens.median()
    windows = tokens.unfold(0, STRETCH_TOKENS, STRETCH_TOKENS // 2)
    last = tokens[-STRETCH_TOKENS:].median()
    return torch.maximum(windows.median(1).values.max(), last)


def _worst(figures: list[Tensor]) -> float:
    worst = float(torch.stack(figures).max())
    # Comparisons with NaN are always false, so NaN would pass for no difference at all.
    return worst if math.isfinite(worst) else math.inf
