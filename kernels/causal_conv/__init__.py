"""Depthwise causal convolution with SiLU, and the window of rows it carries."""

from kernels.causal_conv.fast import causal_conv_step, conv_few, window_after

__all__ = ["causal_conv_step", "conv_few", "window_after"]
