"""The gated delta rule on a CPU: chunks of tokens for prefill, steps for decode.

Source: Yang et al., "Gated Delta Networks" (2024), the chunked (WY) form. State and decays are
float32 throughout; products use the dtype of queries, keys and values.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from kernels.norms import root_scale

# Smaller decays are dropped: they are far below float32's resolution of what they are added to, and
# denormal numbers would make the products five times slower.
NEGLIGIBLE = 1e-13


def delta_chunks(
    q: Tensor, k: Tensor, v: Tensor, log_decay: Tensor, beta: Tensor, state: Tensor
) -> Tensor:
    """Run whole chunks of tokens through the rule.

    q, k: [chunks, key_heads, chunk, key_dim] of unit length, queries times key_dim ** -0.5;
    v: [chunks, value_heads, chunk, value_dim], all of one dtype;
    log_decay, beta: [chunks * chunk, value_heads] float32;
    state: [value_heads, key_dim, value_dim] float32, mutated in place.
    Returns [chunks, value_heads, chunk, value_dim] in v's dtype.
    """
    count, key_heads, chunk, key_dim = k.shape
    heads, value_dim = v.shape[1], v.shape[3]
    repeat, dtype = heads // key_heads, v.dtype
    keys, queries = k.view(-1, chunk, key_dim), q.view(-1, chunk, key_dim)
    # Per-token coefficients, [count * key_heads, repeat, chunk].
    groups = (count * key_heads, repeat, chunk)
    decay = log_decay.view(count, chunk, heads).transpose(1, 2).cumsum(-1).reshape(groups)
    rate = beta.view(count, chunk, heads).transpose(1, 2).reshape(groups)
    since_start = _factor(decay)

    # The pair decays above the diagonal are meaningless: the inverse and tril never read them.
    pair = _factor(decay.unsqueeze(-1) - decay.unsqueeze(-2))
    own = torch.bmm(keys, keys.mT).float().unsqueeze(1)
    lower = torch.mul(pair, own).mul_(rate.unsqueeze(-1))
    seen = torch.bmm(queries, keys.mT).float().unsqueeze(1)
    inside = pair.mul_(seen).tril_().to(dtype).view(-1, chunk, chunk)
    inverse = F.hardshrink(_unit_inverse(lower.view(-1, chunk, chunk)), NEGLIGIBLE)
    inverse = inverse.view(*groups, chunk)

    inverse.mul_(rate.unsqueeze(-2))
    news = torch.bmm(inverse.to(dtype).flatten(0, 1), v.reshape(-1, chunk, value_dim))
    news = news.view(count, heads, chunk, value_dim)
    erase = inverse.mul_(since_start.unsqueeze(-2)).to(dtype)
    erased = torch.bmm(erase.reshape(-1, repeat * chunk, chunk), keys)
    erased = erased.view(count, heads, chunk, key_dim)
    # Both operands of a product have one dtype: mixed products are not vectorised on a CPU.
    to_end = _factor(decay[..., -1:] - decay).to(dtype).unsqueeze(-1)
    writes = (keys.unsqueeze(1) * to_end).view(count, heads, chunk, key_dim)
    whole = since_start[..., -1].reshape(count, heads, 1, 1)

    before = torch.empty(count, heads, key_dim, value_dim, dtype=dtype, device=v.device)
    for step in range(count):
        entered = before[step].copy_(state)
        new = news[step].baddbmm_(erased[step], entered, alpha=-1)
        state.mul_(whole[step]).add_(torch.bmm(writes[step].mT, new))

    read = (queries.unsqueeze(1) * since_start.to(dtype).unsqueeze(-1)).view(-1, chunk, key_dim)
    out = torch.bmm(inside, news.view(-1, chunk, value_dim))
    out.baddbmm_(read, before.view(-1, key_dim, value_dim))
    return out.view(count, heads, chunk, value_dim)


def _factor(log_decay: Tensor) -> Tensor:
    """exp of the log decays, zero where negligible; never overflows, never denormal."""
    return torch.threshold_(log_decay.clamp(-31.0, 0.0).exp_(), NEGLIGIBLE, 0.0)


def _unit_inverse(lower: Tensor) -> Tensor:
    """Inverses of I plus the strict lower triangles of lower [batch, n, n] float32.

    Elements on and above the diagonal are not read.
    """
    size = lower.shape[-1]
    eye = torch.eye(size, device=lower.device).expand_as(lower)
    inverse: Tensor = torch.linalg.solve_triangular(lower, eye, upper=False, unitriangular=True)
    return inverse


def gated_delta_step(qk: Tensor, v: Tensor, decay: Tensor, beta: Tensor, state: Tensor) -> Tensor:
    """One token; a single product reads the state for both uses, so it is streamed once.

    qk: [2, key_heads, key_dim] (queries, then keys); v: [value_heads, value_dim];
    decay: [value_heads, 1] (the factor, not its logarithm); beta: [value_heads, 1];
    state: [value_heads, key_dim, value_dim], mutated in place; all float32.
    Returns [value_heads, value_dim] float32.
    """
    key_dim = qk.shape[-1]
    repeat = v.shape[0] // qk.shape[1]
    # Divided by the root of the *mean* square: that is unit length times sqrt(key_dim).
    unit = qk * root_scale(qk, 1e-6 / key_dim)
    both = unit.transpose(0, 1)
    if repeat > 1:
        both = both.repeat_interleave(repeat, 0)
    read = torch.bmm(both, state).mul_(decay.unsqueeze(-1))
    query, key = both[:, 0], both[:, 1]
    # Scales not contained in `unit`: queries need 1 / key_dim in total, keys key_dim ** -0.5.
    delta = torch.add(v, read[:, 1], alpha=-(key_dim**-0.5)).mul_(beta)
    dot = (query * key).sum(-1, keepdim=True)
    out = read[:, 0].addcmul(dot, delta, value=key_dim**-0.5).mul_(1.0 / key_dim)
    state.mul_(decay.unsqueeze(-1))
    delta.mul_(key_dim**-0.5)
    state.addcmul_(key.unsqueeze(2), delta.unsqueeze(1))
    return out


def rates_few(a: Tensor, b: Tensor, bias: Tensor, speed: Tensor, out: Tensor) -> None:
    """Decays, as factors, and betas of few rows a, b [rows, heads] into out [rows, 2, heads]."""
    out[:, 0] = F.softplus(a.float() + bias).mul_(speed).exp_()
    out[:, 1] = b.float().sigmoid()


def delta_few(x: Tensor, rates: Tensor, states: Tensor, rows: int, *, keep: bool) -> Tensor:
    """Few tokens through the states of one layer, or of several at once.

    x: [layers, most, channels] float32: queries, keys, values by head; rates: [layers, most, 2,
    value_heads] float32; states: [layers, value_heads, key_dim, value_dim] float32. The first
    `rows` rows of each layer run; if `keep`, its state becomes the one after them, else it is only
    read. Returns [layers, rows, value_heads, value_dim] float32.
    """
    heads, key_dim, value_dim = states.shape[1:]
    values = heads * value_dim
    out = []
    for held, of_layer, rate in zip(states, x, rates, strict=True):
        state = held if keep else held.clone()
        for row in range(rows):
            qk, v = of_layer[row].split_with_sizes((x.shape[2] - values, values))
            decay, beta = rate[row].unsqueeze(-1)
            qk_heads = qk.view(2, -1, key_dim)
            out.append(gated_delta_step(qk_heads, v.view(heads, -1), decay, beta, state))
    return torch.stack(out).view(len(x), rows, heads, value_dim)
