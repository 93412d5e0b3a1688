"""An embedding table in blocks, read where it lies in a file."""

from __future__ import annotations

import torch
from torch import Tensor

from kernels.blocks.weight import BlockWeight


class BlockEmbedding:
    """A stored table, possibly in a mapped file: only the rows in use take memory."""

    def __init__(self, weight: BlockWeight, *, mapped: bool, device: torch.device) -> None:
        """device: where rows are wanted; the table stays where it is."""
        self._weight, self._mapped, self._device = weight, mapped, device

    def rows(self, token_ids: Tensor) -> Tensor:
        """See `kernels.embedding.Embedding`."""
        return self._weight.rows(token_ids.to(self._weight.raw.device)).to(self._device)

    def tensors(self) -> tuple[Tensor, ...]:
        """See `kernels.embedding.Embedding`."""
        return () if self._mapped else (self._weight.raw,)
