"""Drawing among the likeliest tokens, in one launch."""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor


def choose(
    values: Tensor,
    ids: Tensor,
    mass: Tensor | None,
    uniform: Tensor,
    temperature: float,
    top_p: float,
    min_p: float,
) -> Tensor:
    """Draw one of the tokens `ids` [count] with the logits `values`, likeliest first: [1] int64.

    mass: the total that top-p is relative to: the sum over all tokens of exp of the scaled logit
    minus the likeliest's, in float64; None if that is the sum over these tokens. The token is -1 if
    the greatest logit is not finite.
    """
    count = values.shape[0]
    token = torch.empty(1, dtype=torch.int64, device=values.device)
    _choose[(1,)](
        values,
        ids,
        uniform if mass is None else mass,
        uniform,
        token,
        temperature,
        top_p,
        min_p,
        count,
        WHOLE=mass is not None,
        WIDTH=triton.next_power_of_2(count),
        num_warps=4,
    )
    return token


@triton.jit  # type: ignore[untyped-decorator]
def _choose(
    values: tl.tensor,
    ids: tl.tensor,
    mass: tl.tensor,
    uniform: tl.tensor,
    token: tl.tensor,
    temperature: tl.float64,
    top_p: tl.float64,
    min_p: tl.float64,
    count: tl.tensor,
    WHOLE: tl.constexpr,
    WIDTH: tl.constexpr,
) -> None:
    i = tl.arange(0, WIDTH)
    valid = i < count
    top = tl.load(values)
    value = tl.load(values + i, mask=valid, other=float("-inf"))
    weight = tl.exp((value - top).to(tl.float64) / temperature)
    upto = tl.cumsum(weight, 0)
    total = tl.max(upto, 0)
    if WHOLE:
        total = tl.load(mass)
    # If none is kept, everything below is zero, and so the likeliest is chosen, as in the sampler.
    kept = valid & (upto - weight < top_p * total) & (weight >= min_p)
    drawn_from = tl.max(tl.where(kept, upto, 0.0), 0)
    target = tl.load(uniform).to(tl.float64) * drawn_from
    drawn = tl.sum((upto <= target).to(tl.int32), 0)
    # Rounding may overshoot the last kept token; one without weight is never drawn.
    last = tl.max(tl.where(kept & (weight > 0.0), i, 0), 0)
    chosen = tl.load(ids + tl.minimum(drawn, last))
    finite = tl.abs(top) < float("inf")
    tl.store(token, tl.where(finite, chosen, -1))
