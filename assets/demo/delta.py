"""The gated delta rule over chunks, differentiable, in plain torch.

Source: Yang et al., "Gated Delta Networks" (2024), the chunked (WY) form.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor


class UnitLowerInverse(torch.autograd.Function):
    """Inverse of `I + L` for strictly lower triangular `L` [..., C, C] float32."""

    @staticmethod
    def forward(ctx: Any, lower: Tensor) -> Tensor:
        eye = torch.eye(lower.shape[-1], dtype=lower.dtype)
        inverse = torch.linalg.solve_triangular(
            lower, eye.expand_as(lower), upper=False, unitriangular=True
        )
        ctx.save_for_backward(inverse)
        return inverse

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        # d(X^-1) = -X^-1 dX X^-1: two products, far cheaper than differentiating the solve.
        (inverse,) = ctx.saved_tensors
        transposed = inverse.mT
        return (transposed @ grad @ transposed).tril_(-1).neg_()


def delta_rule(
    query: Tensor, key: Tensor, value: Tensor, log_decay: Tensor, beta: Tensor, chunk: int
) -> Tensor:
    """Run the gated delta rule from an empty state over whole sequences.

    query, key: [batch, tokens, key_heads, key_dim], already normalised (query also scaled).
    value: [batch, tokens, value_heads, value_dim]; log_decay, beta: [batch, tokens, value_heads]
    float32. tokens is a multiple of `chunk`. Returns [batch, tokens, value_heads, value_dim] in
    value's dtype, which is also the dtype of the large products.
    """
    batch, tokens, key_heads, key_dim = key.shape
    heads, value_dim = value.shape[2:]
    repeat, count = heads // key_heads, tokens // chunk
    dtype = value.dtype

    def chunked(x: Tensor) -> Tensor:
        return x.view(batch, count, chunk, x.shape[2], -1).transpose(2, 3)

    # Everything below is [batch, chunks, key_heads, repeat, chunk, ...].
    keys, queries = chunked(key).unsqueeze(3), chunked(query).unsqueeze(3)
    grouped = (batch, count, key_heads, repeat, chunk)
    values = chunked(value).reshape(*grouped, value_dim)
    decay = chunked(log_decay.unsqueeze(-1)).reshape(grouped).cumsum(-1)
    betas = chunked(beta.unsqueeze(-1)).reshape(*grouped, 1)

    causal = torch.ones(chunk, chunk, dtype=torch.bool).tril()
    gaps = (decay.unsqueeze(-1) - decay.unsqueeze(-2)).masked_fill(~causal, -torch.inf)
    pair = gaps.to(dtype).exp()
    lower = (keys * betas.to(dtype)) @ keys.mT * pair
    inverse = UnitLowerInverse.apply(lower.tril(-1).float()).to(dtype)
    from_start = decay.exp().unsqueeze(-1)
    fresh = inverse @ (values * betas.to(dtype))
    erased = inverse @ (keys * (betas * from_start).to(dtype))
    to_end = (decay[..., -1:] - decay).exp().unsqueeze(-1).to(dtype)
    writes = (keys * to_end).mT
    whole = decay[..., -1].exp()[..., None, None]

    flat = batch * heads
    state = torch.zeros(flat, key_dim, value_dim, dtype=torch.float32)
    states, news = [], []
    fresh_steps = fresh.transpose(0, 1).reshape(count, flat, chunk, value_dim).unbind(0)
    erased_steps = erased.transpose(0, 1).reshape(count, flat, chunk, key_dim).unbind(0)
    write_steps = writes.transpose(0, 1).reshape(count, flat, key_dim, chunk).unbind(0)
    whole_steps = whole.transpose(0, 1).reshape(count, flat, 1, 1).unbind(0)
    for step in range(count):
        before = state.to(dtype)
        states.append(before)
        new = torch.baddbmm(fresh_steps[step], erased_steps[step], before, alpha=-1)
        news.append(new)
        if step + 1 < count:
            state = state * whole_steps[step] + torch.bmm(write_steps[step], new).float()

    def regroup(steps: list[Tensor]) -> Tensor:
        stacked = torch.stack(steps).view(count, batch, key_heads, repeat, *steps[0].shape[1:])
        return stacked.transpose(0, 1)

    inside = (queries @ keys.mT) * pair
    out = (queries * from_start.to(dtype)) @ regroup(states) + inside @ regroup(news)
    return out.reshape(batch, count, heads, chunk, value_dim).transpose(2, 3).reshape(value.shape)
