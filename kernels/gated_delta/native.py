"""A linear layer between its two projections in one call: `src/sweep.c`."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import c_float, c_int32, c_int64, c_void_p

import torch
from torch import Tensor

from kernels.gated_delta.rule import Rule, ScanSplit
from kernels.native.library import Library

KINDS = {torch.float32: 0, torch.bfloat16: 1}
TAPS = 4
# Head dimensions are multiples of this.
LANES = 16


class _SplitFields(ctypes.Structure):
    """`SweepSplit` of src/sweep.h."""

    _fields_ = (("after", c_int64), ("delta", c_void_p), ("conv", c_void_p))


class _SweepFields(ctypes.Structure):
    """`Sweep` of src/sweep.h."""

    _fields_ = (
        *((name, c_int32) for name in ("kind", "key_heads", "value_heads", "key_dim", "value_dim")),
        ("eps", c_float),
        *((name, c_int64) for name in ("tokens", "stride", "splits")),
        *((name, c_void_p) for name in ("rows", "taps", "speed", "bias", "norm", "window")),
        *((name, c_void_p) for name in ("state", "split", "out")),
    )


def fits(rule: Rule, dtype: torch.dtype) -> bool:
    """Whether `sweep` supports a layer of these sizes on rows of this dtype."""
    even = rule.key_dim % LANES == 0 and rule.value_dim % LANES == 0
    return even and rule.taps.shape[0] == TAPS and dtype in KINDS


def sweep(
    library: Library,
    rows: Tensor,
    rule: Rule,
    window: Tensor,
    state: Tensor,
    splits: Sequence[ScanSplit] = (),
) -> Tensor:
    """As `kernels.gated_delta.unfused.sweep`, if `fits` allows it, without rounding in between.

    Rows may be strided; everything else is contiguous. Results are independent of the thread count.
    Raises MemoryError.
    """
    heads, dim = rule.value_heads, rule.value_dim
    tokens, stride = rows.shape[0], rows.stride(0)
    assert fits(rule, rows.dtype), "the kernel cannot do layers of these sizes"
    assert rows.shape[1] == sum(rule.widths), "rows of another layer"
    assert state.shape == (heads, rule.key_dim, dim), "a state of another layer"
    assert rows.stride(1) == 1, "the numbers of a row are not side by side"
    assert window.dtype == rows.dtype, "the window has another dtype than the rows"
    for part in (window, state, rule.taps, rule.norm, rule.speed, rule.bias):
        assert part.is_contiguous(), "states and weights must be contiguous"
    out = torch.empty(tokens, heads * dim, dtype=rows.dtype)
    fields = (_SplitFields * max(len(splits), 1))()
    for field, split in zip(fields, splits, strict=False):
        field.after = split.after
        field.delta, field.conv = _address(split.delta), _address(split.conv)
    given = _SweepFields(
        *(KINDS[rows.dtype], rule.key_heads, heads, rule.key_dim, dim),
        *(rule.eps, tokens, stride, len(splits)),
        *(part.data_ptr() for part in (rows, rule.taps, rule.speed, rule.bias, rule.norm)),
        *(window.data_ptr(), state.data_ptr(), ctypes.addressof(fields), out.data_ptr()),
    )
    library.call.biplane_sweep(ctypes.byref(given))
    return out


def _address(tensor: Tensor | None) -> int | None:
    assert tensor is None or tensor.is_contiguous(), "a split's tensors must be contiguous"
    return None if tensor is None else tensor.data_ptr()
