"""An embedding table in blocks, read where it lies in a file."""

from __future__ import annotations

import torch
from torch import Tensor

from kernels.blocks.weight import BlockWeight


class BlockEmbedding:
    """A stored table, possibly in a file: only the rows in use are read."""

    def __init__(self, weight: BlockWeight, device: torch.device) -> None:
        """device: where rows are wanted; the table stays where it is, on the host."""
        self._weight, self._device = weight, device

    def rows(self, token_ids: Tensor) -> Tensor:
        """See `kernels.embedding.Embedding`."""
        return self._weight.rows(token_ids.cpu()).to(self._device)

    def tensors(self) -> tuple[Tensor, ...]:
        """See `kernels.embedding.Embedding`."""
        return (self._weight.raw,) if isinstance(self._weight.raw, Tensor) else ()
