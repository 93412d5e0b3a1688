"""A whole linear layer between its projections in one call: `src/sweep.c`."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import c_float, c_int32, c_int64, c_void_p
from dataclasses import dataclass

import torch
from torch import Tensor

from kernels.gated_delta.rule import Rule
from kernels.native.library import Library

KINDS = {torch.float32: 0, torch.bfloat16: 1}


class _SplitFields(ctypes.Structure):
    """`Split` of src/sweep.h."""

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


@dataclass(frozen=True, slots=True)
class ScanSplit:
    """Where chunks of tokens start anew.

    Attributes:
        after: tokens before it.
        delta, conv: take the layer's state and window after that many tokens; None: nobody does.
    """

    after: int
    delta: Tensor | None = None
    conv: Tensor | None = None


class NativeSweep:
    """Convolution, decay, gated delta rule and gated norm of all tokens in one pass per head."""

    def __init__(self, library: Library) -> None:
        self._call = library.call.biplane_sweep

    def fits(self, rule: Rule, dtype: torch.dtype) -> bool:
        """Whether the kernel can do layers of these sizes and rows of this dtype."""
        even = rule.key_dim % 16 == 0 and rule.value_dim % 16 == 0
        return even and rule.taps.shape[0] == 4 and dtype in KINDS

    def __call__(
        self,
        rows: Tensor,
        rule: Rule,
        window: Tensor,
        state: Tensor,
        splits: Sequence[ScanSplit] = (),
    ) -> Tensor:
        """Rows ready for the output projection, [tokens, value_heads * value_dim] in their dtype.

        rows: [tokens, >= outputs of the input projections]: queries, keys, values, z, b, a side by
        side; window: [3, channels], the rows before, in the rows' dtype;
        state: [value_heads, key_dim, value_dim] float32, contiguous. Mutates both, and copies them
        to the splits' tensors, which have the same shapes. Splits ascend and end at `tokens` at
        most; results depend on them, since chunks of 64 tokens start anew there.
        """
        heads, dim = rule.value_heads, rule.value_dim
        tokens, stride = rows.shape[0], rows.stride(0)
        width = 2 * rule.key_heads * rule.key_dim + 2 * heads * (dim + 1)
        assert rows.shape[1] >= width, "rows are too short"
        assert rows.stride(1) == 1, "numbers of a row are not side by side"
        assert state.shape == (heads, rule.key_dim, dim), "a state of another layer"
        assert window.dtype == rows.dtype, "the window is of another dtype than the rows"
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
        self._call(ctypes.byref(given))
        return out


def _address(tensor: Tensor | None) -> int | None:
    assert tensor is None or tensor.is_contiguous(), "a split's tensors must be contiguous"
    return None if tensor is None else tensor.data_ptr()
