"""Depthwise causal convolution with SiLU: one launch for few tokens, one for a prompt."""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

TOKENS = 16
CHANNELS = 128


def conv_few(x: Tensor, window: Tensor, taps: Tensor, out: Tensor, kept: Tensor) -> None:
    """Few tokens: out [rows, channels] float32; kept [rows, channels] receives a copy of x.

    x: [rows, channels], may be strided; window: [kernel - 1, channels], oldest first, only read;
    taps: [kernel, channels] float32, contiguous. Each row has the bits that it has alone.
    """
    kernel, channels = taps.shape
    _check(x, window, taps)
    for made in (out, kept):
        assert made.shape == x.shape, "rows and results differ in shape"
        assert made.is_contiguous(), "results are not contiguous"
    _few[(triton.cdiv(channels, CHANNELS), len(x))](
        x,
        window,
        taps,
        out,
        kept,
        channels,
        x.stride(0),
        window.stride(0),
        KERNEL=kernel,
        ROWS=triton.next_power_of_2(kernel),
        WIDTH=CHANNELS,
        num_warps=4,
    )


def causal_conv(x: Tensor, window: Tensor, taps: Tensor) -> Tensor:
    """Convolve x [tokens, channels] and apply SiLU; float32 inside, x's dtype outside.

    window: the kernel - 1 rows before x, oldest first; taps: [kernel, channels] float32,
    contiguous. Rows of x may be strided. Does not mutate the window.
    """
    tokens, channels = x.shape
    _check(x, window, taps)
    out = torch.empty(tokens, channels, dtype=x.dtype, device=x.device)
    _rows[(triton.cdiv(tokens, TOKENS), triton.cdiv(channels, CHANNELS))](
        x,
        window,
        taps,
        out,
        tokens,
        channels,
        x.stride(0),
        window.stride(0),
        KERNEL=taps.shape[0],
        ROWS=TOKENS,
        WIDTH=CHANNELS,
        num_warps=4,
    )
    return out


def _check(x: Tensor, window: Tensor, taps: Tensor) -> None:
    assert window.shape == (taps.shape[0] - 1, taps.shape[1]), "window and taps do not match"
    assert x.shape[-1] == taps.shape[1], "rows and taps differ in channels"
    assert x.stride(-1) == window.stride(-1) == 1, "channels are not contiguous"
    assert taps.is_contiguous(), "taps are not contiguous"


@triton.jit  # type: ignore[untyped-decorator]
def _few(
    x: tl.tensor,
    window: tl.tensor,
    taps: tl.tensor,
    out: tl.tensor,
    kept: tl.tensor,
    channels: tl.tensor,
    x_row: tl.tensor,
    window_row: tl.tensor,
    KERNEL: tl.constexpr,
    ROWS: tl.constexpr,
    WIDTH: tl.constexpr,
) -> None:
    channel = tl.program_id(0) * WIDTH + tl.arange(0, WIDTH)
    token = tl.program_id(1).to(tl.int64)
    inside = channel < channels
    row = tl.arange(0, ROWS)[:, None]
    at = channel[None, :]
    source = token + row - (KERNEL - 1)
    used = (row < KERNEL) & inside[None, :]
    own = tl.load(x + source * x_row + at, mask=used & (source >= 0), other=0.0)
    before = used & (source < 0)
    early = tl.load(window + (source + KERNEL - 1) * window_row + at, mask=before, other=0.0)
    seen = tl.where(source >= 0, own, early)
    tap = tl.load(taps + row * channels + at, mask=used, other=0.0)
    total = tl.sum(seen.to(tl.float32) * tap, 0)
    tl.store(out + token * channels + channel, total / (1.0 + tl.exp(-total)), mask=inside)
    new = tl.load(x + token * x_row + channel, mask=inside, other=0.0)
    tl.store(kept + token * channels + channel, new, mask=inside)


@triton.jit  # type: ignore[untyped-decorator]
def _rows(
    x: tl.tensor,
    window: tl.tensor,
    taps: tl.tensor,
    out: tl.tensor,
    tokens: tl.tensor,
    channels: tl.tensor,
    x_row: tl.tensor,
    window_row: tl.tensor,
    KERNEL: tl.constexpr,
    ROWS: tl.constexpr,
    WIDTH: tl.constexpr,
) -> None:
    token = (tl.program_id(0) * ROWS + tl.arange(0, ROWS)).to(tl.int64)
    channel = tl.program_id(1) * WIDTH + tl.arange(0, WIDTH)
    inside = channel < channels
    at = channel[None, :]
    total = tl.full([ROWS, WIDTH], 0.0, tl.float32)
    for tap in tl.static_range(KERNEL):
        source = (token + (tap - (KERNEL - 1)))[:, None]
        own = (source >= 0) & (source < tokens) & inside[None, :]
        row = tl.load(x + source * x_row + at, mask=own, other=0.0).to(tl.float32)
        before = (source < 0) & inside[None, :]
        early = tl.load(window + (source + KERNEL - 1) * window_row + at, mask=before, other=0.0)
        scale = tl.load(taps + tap * channels + channel, mask=inside, other=0.0)
        total += (row + early.to(tl.float32)) * scale[None, :]
    result = total / (1.0 + tl.exp(-total))
    written = (token < tokens)[:, None] & inside[None, :]
    tl.store(out + token[:, None] * channels + at, result, mask=written)
