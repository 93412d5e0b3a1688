"""The gated activation of the feed-forward layer."""

from kernels.swiglu.fast import swiglu, swiglu_row

__all__ = ["swiglu", "swiglu_row"]
