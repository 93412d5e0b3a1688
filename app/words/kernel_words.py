"""What runs a model, as a sentence: compiled kernels, PyTorch's operators, or a GPU's kernels."""

from __future__ import annotations

from app.words.engine_words import said
from app.words.tr import tr

# As the kernels say of themselves, in English whatever is set.
OPERATORS = "PyTorch's operators"
GPU = "Triton and FLA"


def kernels_sentence(kernels: str) -> str:
    """The sentence for a phrase such as "AMX" or "AVX-512 (BF16)"."""
    if kernels == OPERATORS:
        return tr(
            "Runs on {operators}; no compiled kernels are in use, so answers take longer."
        ).format(operators=said(kernels))
    if kernels == GPU:
        return tr("Runs on the GPU's kernels of {gpu}.").format(gpu=said(kernels))
    return tr("Runs on kernels compiled for this processor ({kernels}).").format(
        kernels=said(kernels)
    )
