"""Sampling the next token on the device; the plain version is the engine's own sampler."""

from kernels.sampling.cuda import sample

__all__ = ["sample"]
