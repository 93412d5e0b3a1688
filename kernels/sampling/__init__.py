"""Sampling the next token: the likeliest candidates, and a whole draw on the device."""

from kernels.sampling.cuda import sample
from kernels.sampling.largest import largest

__all__ = ["largest", "sample"]
