"""Biplane's own Triton kernels, one module per operation, for CUDA devices.

They follow the signatures of their torch counterparts in `kernels`, read no tensor on the host, and
carry no autotuner: every launch can be recorded in a CUDA graph. Importing them needs Triton but no
GPU; under `TRITON_INTERPRET=1` they run on CPU tensors, which is how they are tested without one.
"""
