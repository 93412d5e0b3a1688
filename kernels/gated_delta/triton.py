"""The gated delta rule for few tokens; a state is read once, and written once if it goes on.

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
# Rates of one program.
HEADS = 32


def rates_few(a: Tensor, b: Tensor, bias: Tensor, speed: Tensor, out: Tensor) -> None:
    """Decays and betas of few rows, from what the projections give for them.

    a, b: [rows, heads], may be strided; bias, speed: [heads] float32; out: [rows, 2, heads] float32
    contiguous: the decay as a factor, not its logarithm, then beta.
    """
    rows, heads = a.shape
    assert a.stride(-1) == b.stride(-1) == 1, "heads are not contiguous"
    assert out.shape == (rows, 2, heads), "rows and rates do not match"
    for x in (bias, speed, out):
        assert x.is_contiguous(), "the rates or their parameters are not contiguous"
    _rates[(triton.cdiv(heads, HEADS), rows)](
        a, b, bias, speed, out, heads, a.stride(0), b.stride(0), WIDTH=HEADS, num_warps=1
    )


def delta_few(x: Tensor, rates: Tensor, states: Tensor, rows: int, *, keep: bool) -> Tensor:
    """Few tokens through the states of one layer, or of several at once.

    x: [layers, most, channels] float32: queries, keys, values by head; rates: [layers, most, 2,
    value_heads] float32, see `rates_few`; states: [layers, value_heads, key_dim, value_dim]
    float32, contiguous. The first `rows` rows of each layer run; if `keep`, its state becomes the
    one after them, else it is only read. Returns [layers, rows, value_heads, value_dim] float32.
    A row has the same bits whatever comes after it.
    """
    layers, most, channels = x.shape
    _, heads, key_dim, value_dim = states.shape
    key_width = (channels - heads * value_dim) // 2
    assert 0 < rows <= most, "more rows than there are"
    assert rates.shape == (layers, most, 2, heads), "rows and rates do not match"
    assert len(states) == layers, "states and layers differ in number"
    for part in (x, rates, states):
        assert part.dtype == torch.float32, "the rule runs in float32"
        assert part.is_contiguous(), "rows or states are not contiguous"
    out = torch.empty(layers, rows, heads, value_dim, dtype=torch.float32, device=x.device)
    _few[(layers * heads, triton.cdiv(value_dim, VALUES))](
        x,
        rates,
        states,
        out,
        key_dim**-0.5,
        L2_EPS,
        rows,
        int(keep),
        MOST=most,
        HEADS=heads,
        KEY_HEADS=key_width // key_dim,
        KEY_DIM=key_dim,
        VALUE_DIM=value_dim,
        KEYS=triton.next_power_of_2(key_dim),
        WIDTH=VALUES,
        num_warps=4,
    )
    return out


@triton.jit  # type: ignore[untyped-decorator]
def _rates(
    a: tl.tensor,
    b: tl.tensor,
    bias: tl.tensor,
    speed: tl.tensor,
    out: tl.tensor,
    heads: tl.tensor,
    a_row: tl.tensor,
    b_row: tl.tensor,
    WIDTH: tl.constexpr,
) -> None:
    head = tl.program_id(0) * WIDTH + tl.arange(0, WIDTH)
    row = tl.program_id(1).to(tl.int64)
    inside = head < heads
    step = tl.load(a + row * a_row + head, mask=inside, other=0.0).to(tl.float32)
    step += tl.load(bias + head, mask=inside, other=0.0)
    soft = tl.maximum(step, 0.0) + tl.log(1.0 + tl.exp(-tl.abs(step)))
    decay = tl.exp(soft * tl.load(speed + head, mask=inside, other=0.0))
    opened = tl.load(b + row * b_row + head, mask=inside, other=0.0).to(tl.float32)
    tl.store(out + row * 2 * heads + head, decay, mask=inside)
    tl.store(out + (row * 2 + 1) * heads + head, 1.0 / (1.0 + tl.exp(-opened)), mask=inside)


# Not compiled anew for one row, so that one row and several run the same instructions, and so does
# whoever goes on by some of them later.
@triton.jit(do_not_specialize=["rows", "keep"])  # type: ignore[untyped-decorator]
def _few(
    x: tl.tensor,
    rates: tl.tensor,
    states: tl.tensor,
    out: tl.tensor,
    scale: tl.tensor,
    eps: tl.tensor,
    rows: tl.tensor,
    keep: tl.tensor,
    MOST: tl.constexpr,
    HEADS: tl.constexpr,
    KEY_HEADS: tl.constexpr,
    KEY_DIM: tl.constexpr,
    VALUE_DIM: tl.constexpr,
    KEYS: tl.constexpr,
    WIDTH: tl.constexpr,
) -> None:
    place = tl.program_id(0).to(tl.int64)
    layer, head = place // HEADS, place % HEADS
    key_head = head // (HEADS // KEY_HEADS)
    i = tl.arange(0, KEYS)
    j = tl.program_id(1) * WIDTH + tl.arange(0, WIDTH)
    held_keys, held_values = i < KEY_DIM, j < VALUE_DIM
    at = states + (place * KEY_DIM + i[:, None]) * VALUE_DIM + j[None, :]
    inside = held_keys[:, None] & held_values[None, :]
    state = tl.load(at, mask=inside, other=0.0)
    for row in range(rows):
        number = layer * MOST + row
        own = x + number * (2 * KEY_HEADS * KEY_DIM + HEADS * VALUE_DIM)
        query = tl.load(own + key_head * KEY_DIM + i, mask=held_keys, other=0.0)
        key = tl.load(own + (KEY_HEADS + key_head) * KEY_DIM + i, mask=held_keys, other=0.0)
        query = query * (scale / tl.sqrt(tl.sum(query * query, 0) + eps))
        key = key * (1.0 / tl.sqrt(tl.sum(key * key, 0) + eps))
        state = state * tl.load(rates + number * 2 * HEADS + head)
        predicted = tl.sum(state * key[:, None], 0)
        value_at = 2 * KEY_HEADS * KEY_DIM + head * VALUE_DIM + j
        value = tl.load(own + value_at, mask=held_values, other=0.0)
        delta = (value - predicted) * tl.load(rates + (number * 2 + 1) * HEADS + head)
        state += key[:, None] * delta[None, :]
        read = tl.sum(state * query[:, None], 0)
        out_at = ((layer * rows + row) * HEADS + head) * VALUE_DIM + j
        tl.store(out + out_at, read, mask=held_values)
    if keep != 0:
        tl.store(at, state, mask=inside)
