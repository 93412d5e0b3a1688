"""RMS norms, plain and gated, each in one launch; statistics in float32."""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

# Elements per program; several short rows share one.
BLOCK = 2048


def rms_norm(x: Tensor, scale: Tensor, eps: float, dtype: torch.dtype) -> Tensor:
    """x [..., dim] over its root mean square times scale float32, as `dtype`.

    scale: [dim], or [n, dim] for rows [..., n, dim]. A row has the bits that it has alone.
    """
    return _normed(x, None, scale, eps, dtype)


def gated_rms_norm(
    x: Tensor, gate: Tensor, scale: Tensor, eps: float, dtype: torch.dtype
) -> Tensor:
    """RMS norm of x [..., dim] times SiLU(gate [..., dim]); no rounding in between.

    Up to three dimensions, of which only the last need be contiguous; scale: [dim] float32.
    """
    return _normed(x, gate, scale, eps, dtype)


def _normed(
    x: Tensor, gate: Tensor | None, scale: Tensor, eps: float, dtype: torch.dtype
) -> Tensor:
    dim = x.shape[-1]
    assert scale.shape in ((dim,), x.shape[-2:]), "scale and rows differ in shape"
    assert scale.is_contiguous(), "the scale is not contiguous"
    assert gate is None or gate.shape == x.shape, "gate and rows differ in shape"
    rows_3d, gate_3d = _as_3d(x), _as_3d(x if gate is None else gate)
    outer, inner = rows_3d.shape[:2]
    width = triton.next_power_of_2(dim)
    rows = max(1, BLOCK // width)
    out = torch.empty(x.shape, dtype=dtype, device=x.device)
    _norm[(triton.cdiv(outer * inner, rows),)](
        rows_3d,
        gate_3d,
        scale,
        out,
        eps,
        outer * inner,
        inner,
        *rows_3d.stride()[:2],
        *gate_3d.stride()[:2],
        dim if scale.ndim > 1 else 0,
        GATED=gate is not None,
        DIM=dim,
        ROWS=rows,
        WIDTH=width,
        num_warps=4 if width <= 4096 else 8,
    )
    return out


def _as_3d(x: Tensor) -> Tensor:
    """x as [outer, inner, dim], a view; rows alone are outer ones, however many there are."""
    assert 1 <= x.dim() <= 3, f"rows have {x.dim()} dimensions"
    assert x.stride(-1) == 1, "dims are not contiguous"
    while x.dim() < 3:
        x = x.unsqueeze(-2)
    return x


# Not compiled anew for one row, so that one row and several run the same instructions.
@triton.jit(do_not_specialize=["rows"])  # type: ignore[untyped-decorator]
def _norm(
    x: tl.tensor,
    gate: tl.tensor,
    scale: tl.tensor,
    out: tl.tensor,
    eps: tl.tensor,
    rows: tl.tensor,
    inner: tl.tensor,
    x_outer: tl.tensor,
    x_inner: tl.tensor,
    gate_outer: tl.tensor,
    gate_inner: tl.tensor,
    scale_inner: tl.tensor,
    GATED: tl.constexpr,
    DIM: tl.constexpr,
    ROWS: tl.constexpr,
    WIDTH: tl.constexpr,
) -> None:
    row = (tl.program_id(0) * ROWS + tl.arange(0, ROWS)).to(tl.int64)[:, None]
    d = tl.arange(0, WIDTH)[None, :]
    inside = (row < rows) & (d < DIM)
    outer_at, inner_at = row // inner, row % inner
    wide = tl.load(x + outer_at * x_outer + inner_at * x_inner + d, mask=inside, other=0.0)
    wide = wide.to(tl.float32)
    mean = tl.sum(wide * wide, 1) / DIM
    factor = tl.load(scale + inner_at * scale_inner + d, mask=inside, other=0.0)
    result = wide * (1.0 / tl.sqrt(mean + eps))[:, None] * factor
    if GATED:
        gate_at = outer_at * gate_outer + inner_at * gate_inner + d
        gate_value = tl.load(gate + gate_at, mask=inside, other=0.0).to(tl.float32)
        result = result * (gate_value / (1.0 + tl.exp(-gate_value)))
    tl.store(out + row * DIM + d, result, mask=inside)
