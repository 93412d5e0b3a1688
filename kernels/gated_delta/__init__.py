"""The gated delta rule: for many tokens with the operations around it, for one token alone."""

from collections.abc import Sequence

from torch import Tensor

from kernels.gated_delta import native
from kernels.gated_delta.fast import gated_delta_step
from kernels.gated_delta.fused import conv_delta
from kernels.gated_delta.rule import Rule, ScanSplit
from kernels.gated_delta.unfused import rates
from kernels.gated_delta.unfused import sweep as unfused_sweep
from kernels.native.library import library

__all__ = ["Rule", "ScanSplit", "gated_delta_step", "rates", "sweep"]


def sweep(
    rows: Tensor, rule: Rule, window: Tensor, state: Tensor, splits: Sequence[ScanSplit] = ()
) -> Tensor:
    """See `kernels.gated_delta.unfused.sweep`; on a CPU, in C if compiled and supported."""
    found = library()
    if found is not None and native.fits(rule, rows.dtype):
        return native.sweep(found, rows, rule, window, state, splits)
    return unfused_sweep(conv_delta, rows, rule, window, state, splits)
