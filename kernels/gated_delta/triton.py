"""One token of the gated delta rule; the state is read once and written once.

Source: Yang et al., "Gated Delta Networks" (2024), equation 10.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

# Value dims of one program: 64 bytes of a state row, and enough programs at 16 value heads.
VALUES = 16
L2_EPS = 1e-6


def gated_delta_step(qk: Tensor, v: Tensor, decay: Tensor, beta: Tensor, state: Tensor) -> Tensor:
    """As `kernels.gated_delta.fast.gated_delta_step`, in one launch.

    qk: [2, key_heads, key_dim] (queries, then keys); v: [value_heads, value_dim];
    decay: [value_heads, 1] (the factor, not its logarithm); beta: [value_heads, 1];
    state: [value_heads, key_dim, value_dim] contiguous, mutated in place; all float32.
    Returns [value_heads, value_dim] float32.
    """
    heads, value_dim = v.shape
    key_heads, key_dim = qk.shape[1:]
    assert state.shape == (heads, key_dim, value_dim), "state and heads do not match"
    for x in (qk, v, state):
        assert x.dtype == torch.float32, "the rule runs in float32"
        assert x.is_contiguous(), "rows or state are not contiguous"
    assert decay.numel() == beta.numel() == heads, "decay and beta are one number per head"
    out = torch.empty(heads, value_dim, dtype=torch.float32, device=v.device)
    _step[(heads, triton.cdiv(value_dim, VALUES))](
        qk,
        v,
        decay,
        beta,
        state,
        out,
        key_dim**-0.5,
        decay.stride(0),
        beta.stride(0),
        L2_EPS,
        KEY_HEADS=key_heads,
        REPEAT=heads // key_heads,
        KEY_DIM=key_dim,
        VALUE_DIM=value_dim,
        KEYS=triton.next_power_of_2(key_dim),
        WIDTH=VALUES,
        num_warps=4,
    )
    return out


@triton.jit  # type: ignore[untyped-decorator]
def _step(
    qk: tl.tensor,
    v: tl.tensor,
    decay: tl.tensor,
    beta: tl.tensor,
    state: tl.tensor,
    out: tl.tensor,
    scale: tl.tensor,
    decay_head: tl.tensor,
    beta_head: tl.tensor,
    eps: tl.tensor,
    KEY_HEADS: tl.constexpr,
    REPEAT: tl.constexpr,
    KEY_DIM: tl.constexpr,
    VALUE_DIM: tl.constexpr,
    KEYS: tl.constexpr,
    WIDTH: tl.constexpr,
) -> None:
    head = tl.program_id(0).to(tl.int64)
    key_head = head // REPEAT
    i = tl.arange(0, KEYS)
    j = tl.program_id(1) * WIDTH + tl.arange(0, WIDTH)
    rows, columns = i < KEY_DIM, j < VALUE_DIM
    query = tl.load(qk + key_head * KEY_DIM + i, mask=rows, other=0.0)
    key = tl.load(qk + (KEY_HEADS + key_head) * KEY_DIM + i, mask=rows, other=0.0)
    query = query * (scale / tl.sqrt(tl.sum(query * query, 0) + eps))
    key = key * (1.0 / tl.sqrt(tl.sum(key * key, 0) + eps))
    at = state + (head * KEY_DIM + i[:, None]) * VALUE_DIM + j[None, :]
    inside = rows[:, None] & columns[None, :]
    held = tl.load(at, mask=inside, other=0.0) * tl.load(decay + head * decay_head)
    predicted = tl.sum(held * key[:, None], 0)
    value = tl.load(v + head * VALUE_DIM + j, mask=columns, other=0.0)
    delta = (value - predicted) * tl.load(beta + head * beta_head)
    held += key[:, None] * delta[None, :]
    tl.store(at, held, mask=inside)
    read = tl.sum(held * query[:, None], 0)
    tl.store(out + head * VALUE_DIM + j, read, mask=columns)
