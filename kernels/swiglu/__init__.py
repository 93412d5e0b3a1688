"""The gated activation of the feed-forward layer."""

from kernels.swiglu.fast import swiglu, swiglu_wide

__all__ = ["swiglu", "swiglu_wide"]
