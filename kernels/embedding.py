"""The embedding table, in the model's dtype or in 8 bits."""

from __future__ import annotations

from typing import Protocol

from torch import Tensor

from kernels.matmul.matrix import Rows


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
    """A table of 8-bit codes, possibly in a file: only the rows in use are read."""

    def __init__(self, codes: Rows, scale: Tensor) -> None:
        """See Int8Weight."""
        self._codes, self._scale = codes, scale

    def rows(self, token_ids: Tensor) -> Tensor:
        codes = self._codes[token_ids].float()
        return codes.mul_(self._scale[token_ids].unsqueeze(1))

    def tensors(self) -> tuple[Tensor, ...]:
        codes = self._codes
        return (codes, self._scale) if isinstance(codes, Tensor) else (self._scale,)
