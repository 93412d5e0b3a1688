"""The gated delta rule on a CPU: chunks of 64 tokens for prefill, one step for decode.

Source: Yang et al., "Gated Delta Networks" (2024), the chunked (WY) form. Keys and queries come in
unnormalised; their lengths are folded into the float32 coefficients, so that in bfloat16 the
products run on the exact inputs. State and decays are float32 throughout.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from kernels.norms import l2_scale

CHUNK = 64
# Decays below this share are dropped: far under float32's resolution of what they are added to,
# and denormal numbers would make the products five times slower.
NEGLIGIBLE = 1e-13
# Blocks bound the working set; chunks are independent of them, so results do not depend on it.
BLOCK_TOKENS = 512


def gated_delta_scan(
    q: Tensor, k: Tensor, v: Tensor, log_decay: Tensor, beta: Tensor, state: Tensor
) -> Tensor:
    """Run tokens through the rule in chunks; the tail shorter than 64 is one chunk of its own.

    q, k: [tokens, key_heads, key_dim]; v: [tokens, value_heads, value_dim], all of one dtype, the
    dtype of the products; log_decay, beta: [tokens, value_heads] float32;
    state: [value_heads, key_dim, value_dim] float32, mutated in place.
    Returns [tokens, value_heads, value_dim] float32.
    """
    tokens = v.shape[0]
    out = torch.empty(v.shape, dtype=torch.float32, device=v.device)
    whole = tokens - tokens % CHUNK
    parts = [(s, min(s + BLOCK_TOKENS, whole), CHUNK) for s in range(0, whole, BLOCK_TOKENS)]
    if whole < tokens:
        parts.append((whole, tokens, tokens - whole))
    for a, b, chunk in parts:
        _chunks(q[a:b], k[a:b], v[a:b], log_decay[a:b], beta[a:b], state, out[a:b], chunk)
    return out


def _factor(log_decay: Tensor) -> Tensor:
    """exp of logarithms of decays, zero where negligible; never overflows, never denormal."""
    return torch.threshold_(log_decay.clamp(-31.0, 0.0).exp_(), NEGLIGIBLE, 0.0)


def _by_head(x: Tensor, chunk: int) -> Tensor:
    """[tokens, heads, dim] to [chunks * heads, chunk, dim], copied."""
    heads, dim = x.shape[1:]
    return x.reshape(-1, chunk, heads, dim).transpose(1, 2).reshape(-1, chunk, dim)


def _chunks(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    log_decay: Tensor,
    beta: Tensor,
    state: Tensor,
    out: Tensor,
    chunk: int,
) -> None:
    """Whole chunks of `chunk` tokens: writes out [tokens, value_heads, value_dim], moves state."""
    tokens, key_heads, key_dim = k.shape
    heads, value_dim = v.shape[1:]
    count, repeat, dtype = tokens // chunk, heads // key_heads, v.dtype
    keys, queries, values = _by_head(k, chunk), _by_head(q, chunk), _by_head(v, chunk)
    # Per-token coefficients, [count * key_heads, repeat, chunk].
    groups = (count * key_heads, repeat, chunk)
    key_scale = l2_scale(keys).unsqueeze(1)
    query_scale = l2_scale(queries).mul_(key_dim**-0.5).unsqueeze(1)
    decay = log_decay.view(count, chunk, heads).transpose(1, 2).cumsum(-1).reshape(groups)
    rate = beta.view(count, chunk, heads).transpose(1, 2).reshape(groups)
    since_start = _factor(decay)

    # Above the diagonal the pair decays mean nothing: the solver and tril never read them.
    pair = _factor(decay.unsqueeze(-1) - decay.unsqueeze(-2))
    own = torch.bmm(keys, keys.mT).float().mul_(key_scale)
    lower = (pair * own.unsqueeze(1)).mul_((rate * key_scale).unsqueeze(-1))
    seen = torch.bmm(queries, keys.mT).float().mul_(key_scale).mul_(query_scale.mT)
    inside = pair.mul_(seen.unsqueeze(1)).tril_().to(dtype).view(-1, chunk, chunk)
    eye = torch.eye(chunk, device=v.device).expand_as(lower)
    inverse = torch.linalg.solve_triangular(lower, eye, upper=False, unitriangular=True)
    inverse = F.hardshrink(inverse, NEGLIGIBLE)

    fresh = (inverse * rate.unsqueeze(-2)).to(dtype).view(-1, chunk, chunk)
    news = torch.bmm(fresh, values).view(count, heads, chunk, value_dim)
    erase = inverse.mul_((rate * since_start * key_scale).unsqueeze(-2)).to(dtype)
    erased = torch.bmm(erase.reshape(-1, repeat * chunk, chunk), keys)
    erased = erased.view(count, heads, chunk, key_dim)
    to_end = _factor(decay[..., -1:] - decay).mul_(key_scale).unsqueeze(-1)
    writes = (keys.unsqueeze(1) * to_end).to(dtype).view(count, heads, chunk, key_dim)
    whole = since_start[..., -1].reshape(count, heads, 1, 1)

    before = torch.empty(count, heads, key_dim, value_dim, dtype=dtype, device=v.device)
    for step in range(count):
        entered = before[step].copy_(state)
        new = torch.baddbmm(news[step], erased[step], entered, alpha=-1)
        news[step] = new
        state.mul_(whole[step]).add_(torch.bmm(writes[step].mT, new))

    if repeat > 1:
        queries = queries.unsqueeze(1).expand(-1, repeat, -1, -1).reshape(-1, chunk, key_dim)
    read = torch.bmm(queries, before.view(-1, key_dim, value_dim)).float()
    read.mul_((since_start * query_scale).view(-1, chunk, 1))
    read.add_(torch.bmm(inside, news.view(-1, chunk, value_dim)))
    by_token = read.view(count, heads, chunk, value_dim).transpose(1, 2)
    out.view(count, chunk, heads, value_dim).copy_(by_token)


def gated_delta_step(qk: Tensor, v: Tensor, decay: Tensor, beta: Tensor, state: Tensor) -> Tensor:
    """One token; both reads of the state are one product, so it is streamed once before the write.

    qk: [2, key_heads, key_dim] (queries, then keys); v: [value_heads, value_dim];
    decay: [value_heads, 1] (the factor, not its logarithm); beta: [value_heads, 1];
    state: [value_heads, key_dim, value_dim], mutated in place; all float32.
    Returns [value_heads, value_dim] float32.
    """
    key_dim = qk.shape[-1]
    repeat = v.shape[0] // qk.shape[1]
    # rms_norm divides by the root of the *mean* square: that is the length over sqrt(key_dim).
    unit = F.rms_norm(qk, (key_dim,), None, 1e-6 / key_dim)
    both = unit.transpose(0, 1)
    if repeat > 1:
        both = both.repeat_interleave(repeat, 0)
    read = torch.bmm(both, state).mul_(decay.unsqueeze(-1))
    query, key = both[:, 0], both[:, 1]
    # Scales left out of `unit`: queries carry 1 / key_dim in all, keys key_dim ** -0.5.
    delta = torch.add(v, read[:, 1], alpha=-(key_dim**-0.5)).mul_(beta)
    dot = (query * key).sum(-1, keepdim=True)
    out = read[:, 0].addcmul(dot, delta, value=key_dim**-0.5).mul_(1.0 / key_dim)
    state.mul_(decay.unsqueeze(-1))
    delta.mul_(key_dim**-0.5)
    state.addcmul_(key.unsqueeze(2), delta.unsqueeze(1))
    return out
