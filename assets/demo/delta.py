"""The gated delta rule over chunks, differentiable, in plain torch.

Source: Yang et al., "Gated Delta Networks" (2024), the chunked (WY) form.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor


class PairDecay(torch.autograd.Function):
    """exp(G_i - G_j) for j <= i, else 0: G [rows, C] float32 to [rows, C, C] in `dtype`."""

    @staticmethod
    def forward(ctx: Any, decay: Tensor, dtype: torch.dtype) -> Tensor:
        chunk = decay.shape[-1]
        later = torch.ones(chunk, chunk, dtype=torch.bool).triu(1)
        gaps = decay.unsqueeze(-1) - decay.unsqueeze(-2)
        pair = gaps.masked_fill_(later, -torch.inf).to(dtype).exp_()
        ctx.save_for_backward(pair)
        return pair

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        (pair,) = ctx.saved_tensors
        change = grad * pair
        # Sums as matrix products: float32 accumulation without a float32 copy.
        ones = change.new_ones(1, 1, pair.shape[-1]).expand(pair.shape[0], -1, -1)
        columns = torch.bmm(ones, change).squeeze(1).float()
        return torch.bmm(change, ones.mT).squeeze(2).float() - columns, None


class Erasure(torch.autograd.Function):
    """Inverse of `I + strictly_lower(scores * pair)`: both [rows, C, C], solved in float32."""

    @staticmethod
    def forward(ctx: Any, scores: Tensor, pair: Tensor) -> Tensor:
        lower = (scores * pair).float().tril_(-1)
        eye = torch.eye(lower.shape[-1], dtype=lower.dtype).expand_as(lower)
        inverse = torch.linalg.solve_triangular(lower, eye, upper=False, unitriangular=True)
        inverse = inverse.to(scores.dtype)
        ctx.save_for_backward(scores, pair, inverse)
        return inverse

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor]:
        scores, pair, inverse = ctx.saved_tensors
        # d(X^-1) = -X^-1 dX X^-1: two products, far cheaper than differentiating the solve.
        change = torch.bmm(torch.bmm(inverse.mT, grad), inverse.mT).tril_(-1).neg_()
        return change * pair, change * scores


def delta_rule(
    query: Tensor, key: Tensor, value: Tensor, log_decay: Tensor, beta: Tensor, chunk: int
) -> Tensor:
    """Run the gated delta rule from an empty state over whole sequences.

    query, key: [batch, tokens, key_heads, key_dim], already normalised (query also scaled).
    value: [batch, tokens, value_heads, value_dim]; log_decay, beta: [batch, tokens, value_heads]
    float32. tokens is a multiple of `chunk`. Returns [batch, tokens, value_heads, value_dim] in
    value's dtype, which is also the dtype of the large products.
    """
    batch, tokens = key.shape[:2]
    heads, count = value.shape[2], tokens // chunk
    dtype, flat = value.dtype, batch * heads

    def chunked(x: Tensor) -> Tensor:
        """[batch, tokens, heads, dim] to contiguous [chunks * batch * heads, chunk, dim]."""
        x = x.view(batch, count, chunk, x.shape[2], 1, -1)
        x = x.expand(-1, -1, -1, -1, heads // x.shape[3], -1)
        return x.permute(1, 0, 3, 4, 2, 5).reshape(count * flat, chunk, -1)

    keys, queries, values = chunked(key), chunked(query), chunked(value)
    decay = chunked(log_decay.unsqueeze(-1)).squeeze(-1).cumsum(-1)
    betas = chunked(beta.unsqueeze(-1)).to(dtype)
    pair = PairDecay.apply(decay, dtype)
    from_start = decay.exp().to(dtype).unsqueeze(-1)
    to_end = (decay[:, -1:] - decay).exp().to(dtype).unsqueeze(-1)
    whole = decay[:, -1].exp().view(count, flat, 1, 1)

    scaled = keys * betas
    inverse = Erasure.apply(torch.bmm(scaled, keys.mT), pair)
    fresh = torch.bmm(inverse, values * betas).view(count, flat, chunk, -1)
    erased = torch.bmm(inverse, scaled * from_start).view(count, flat, chunk, -1)
    writes = (keys * to_end).view(count, flat, chunk, -1)

    state = torch.zeros(flat, key.shape[-1], value.shape[-1], dtype=torch.float32)
    states, news = [], []
    for step, (new, erase, write, kept) in enumerate(
        zip(fresh.unbind(0), erased.unbind(0), writes.unbind(0), whole.unbind(0), strict=True)
    ):
        before = state.to(dtype)
        states.append(before)
        if step:
            new = torch.baddbmm(new, erase, before, alpha=-1)
        news.append(new)
        if step + 1 < count:
            state = torch.addcmul(torch.bmm(write.mT, new).float(), state, kept)

    inside = torch.bmm(queries, keys.mT) * pair
    out = torch.bmm(inside, torch.cat(news))
    if count > 1:
        out = torch.baddbmm(out, queries * from_start, torch.cat(states))
    out = out.view(count, batch, heads, chunk, -1).permute(1, 0, 3, 2, 4)
    return out.reshape(value.shape)
