"""The choice of the next token on the device, without a wait of the host.

The same rules as the engine's sampler, in its order: temperature, top-k, top-p, min-p, one draw.
Weights are float64, so that with the same uniform number both choose the same token.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

# Without top-k, top-p and min-p choose among so many of the likeliest tokens.
CANDIDATES = 1024


def sample(
    logits: Tensor, temperature: float, top_k: int, top_p: float, min_p: float, uniform: Tensor
) -> Tensor:
    """Draw a token from logits [vocab] float32: [1] int64 on the device.

    uniform: one number of [0, 1) on the device, float64 or float32. top_k: 0 for none, at most
    1,024. The token is -1 where the greatest logit is no finite number. Where top_k is 0, the
    tokens past the likeliest 1,024 are never drawn if top-p or min-p is on, although they count
    in the mass that top-p takes its share of.
    """
    assert logits.dim() == 1, f"logits are {tuple(logits.shape)}, not [vocab]"
    assert 0 <= top_k <= CANDIDATES, f"top_k is {top_k}"
    if temperature == 0:
        top, token = logits.max(0, keepdim=True)
        return torch.where(top.isfinite(), token, -1)
    if top_k == 0 and top_p >= 1 and min_p == 0:
        return _draw_from_all(logits, temperature, uniform)
    count = min(top_k or CANDIDATES, logits.shape[0])
    values, ids = torch.topk(logits, count)
    whole = top_k == 0 and top_p < 1
    mass = _weights(logits, values[0], temperature).sum() if whole else uniform
    token = torch.empty(1, dtype=torch.int64, device=logits.device)
    _choose[(1,)](
        values,
        ids,
        mass,
        uniform,
        token,
        temperature,
        top_p,
        min_p,
        count,
        WHOLE=whole,
        WIDTH=triton.next_power_of_2(count),
        num_warps=4,
    )
    return token


def _weights(logits: Tensor, top: Tensor, temperature: float) -> Tensor:
    """exp of the scaled logits in float64, 1 at the likeliest."""
    return torch.exp((logits - top).double() / temperature)


def _draw_from_all(logits: Tensor, temperature: float, uniform: Tensor) -> Tensor:
    top = logits.max()
    upto = torch.cumsum(_weights(logits, top, temperature), 0)
    drawn = torch.searchsorted(upto, uniform.double().reshape(1) * upto[-1], right=True)
    # Rounding may pass the end; the last running sum is first reached at a token with weight.
    last = torch.searchsorted(upto, upto[-1:], right=False)
    return torch.where(top.isfinite(), torch.minimum(drawn, last), -1)


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
    there = i < count
    top = tl.load(values)
    value = tl.load(values + i, mask=there, other=float("-inf"))
    weight = tl.exp((value - top).to(tl.float64) / temperature)
    upto = tl.cumsum(weight, 0)
    total = tl.max(upto, 0)
    if WHOLE:
        total = tl.load(mass)
    # Where none is kept, all below is zero, and so the likeliest is chosen, as in the sampler.
    kept = there & (upto - weight < top_p * total) & (weight >= min_p)
    drawn_from = tl.max(tl.where(kept, upto, 0.0), 0)
    target = tl.load(uniform).to(tl.float64) * drawn_from
    drawn = tl.sum((upto <= target).to(tl.int32), 0)
    # Rounding may pass the last kept token; one without weight is never drawn.
    last = tl.max(tl.where(kept & (weight > 0.0), i, 0), 0)
    chosen = tl.load(ids + tl.minimum(drawn, last))
    finite = tl.abs(top) < float("inf")
    tl.store(token, tl.where(finite, chosen, -1))
