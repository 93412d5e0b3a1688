"""Sampling the next token on the device, without making the host wait.

The same rules as the engine's sampler, in its order: temperature, top-k, top-p, min-p, one draw.
Weights are float64, so that both choose the same token given the same uniform number. Triton is
imported on first use.
"""

from __future__ import annotations

import torch
from torch import Tensor

# Without top-k, top-p and min-p choose among this many of the likeliest tokens.
CANDIDATES = 1024


def sample(
    logits: Tensor, temperature: float, top_k: int, top_p: float, min_p: float, uniform: Tensor
) -> Tensor:
    """Draw a token from logits [vocab] float32: [1] int64 on the device.

    uniform: one number in [0, 1) on the device, float64 or float32. top_k: 0 for none, at most
    1,024. The token is -1 if the greatest logit is not finite. If top_k is 0 and top-p or min-p is
    on, tokens beyond the likeliest 1,024 are never drawn, although they count in the total for
    top-p.
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
    mass = _weights(logits, values[0], temperature).sum() if whole else None
    from kernels.sampling.triton import choose

    return choose(values, ids, mass, uniform, temperature, top_p, min_p)


def _weights(logits: Tensor, top: Tensor, temperature: float) -> Tensor:
    """exp of the scaled logits in float64, 1 at the likeliest."""
    return torch.exp((logits - top).double() / temperature)


def _draw_from_all(logits: Tensor, temperature: float, uniform: Tensor) -> Tensor:
    top = logits.max()
    upto = torch.cumsum(_weights(logits, top, temperature), 0)
    drawn = torch.searchsorted(upto, uniform.double().reshape(1) * upto[-1], right=True)
    # Rounding may overshoot the end; the last running sum is first reached at a token with weight.
    last = torch.searchsorted(upto, upto[-1:], right=False)
    return torch.where(top.isfinite(), torch.minimum(drawn, last), -1)
