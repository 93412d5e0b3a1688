"""RMS norms. Statistics in float32; the caller's scale is applied as is (no implicit plus one)."""

from kernels.norms.fast import gated_rms_norm, rms_norm, root_scale

__all__ = ["gated_rms_norm", "rms_norm", "root_scale"]
