"""The embedding table, in the model's dtype or in 8 bits."""

from __future__ import annotations

from typing import Protocol

from torch import Tensor

from kernels.matmul import Int8Weight


class Embedding(Protocol):
    """A table of one row per token."""

    def rows(self, token_ids: Tensor) -> Tensor:
        """The rows of token_ids [tokens] int64: [tokens, hidden] float32, a copy."""
        ...

    def tensors(self) -> tuple[Tensor, ...]:
        """Every tensor it holds, for counting bytes."""
        ...


class DenseEmbedding:
    """A table in the model's dtype."""

    def __init__(self, table: Tensor) -> None:
        """table: [vocab, hidden]."""
        self._table = table

    def rows(self, token_ids: Tensor) -> Tensor:
        # `float` would not copy a float32 table, but indexing does.
        return self._table[token_ids].float()

    def tensors(self) -> tuple[Tensor, ...]:
        return (self._table,)


class Int8Embedding:
    """A table of 8-bit codes, possibly in a mapped file: only the rows in use take memory."""

    def __init__(self, weight: Int8Weight, *, mapped: bool) -> None:
        self._weight, self._mapped = weight, mapped

    def rows(self, token_ids: Tensor) -> Tensor:
        codes = self._weight.codes[token_ids].float()
        return codes.mul_(self._weight.scale[token_ids].unsqueeze(1))

    def tensors(self) -> tuple[Tensor, ...]:
        return (self._weight.scale,) if self._mapped else (self._weight.codes, self._weight.scale)
