"""The gated delta rule: fused with the preceding convolution for many tokens, alone for one."""

from kernels.gated_delta.fast import gated_delta_step
from kernels.gated_delta.fused import conv_delta

__all__ = ["conv_delta", "gated_delta_step"]
