"""What runs a model, as a sentence: compiled kernels, PyTorch's operators, or a GPU's kernels."""

from __future__ import annotations

OPERATORS = "PyTorch's operators"
GPU = "Triton and FLA"


def kernels_sentence(kernels: str) -> str:
    """The sentence for a phrase such as "AMX" or "AVX-512 (BF16)"."""
    if kernels == OPERATORS:
        return f"Runs on {OPERATORS}; no compiled kernels are in use, so answers take longer."
    if kernels == GPU:
        return f"Runs on the GPU's kernels of {GPU}."
    return f"Runs on kernels compiled for this processor ({kernels})."
