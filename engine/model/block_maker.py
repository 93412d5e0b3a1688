"""Makes matrices of a GGUF file's own blocks: nothing is rounded again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

import torch
from torch import Tensor

from engine.model.file_bytes import read_ahead
from engine.model.gguf_store import GgufStore, StoredMatrix
from engine.model.layer import own
from engine.model.safetensors_file import DTYPES
from kernels.blocks import BlockEmbedding, BlockWeight, block_matrix, stack
from kernels.blocks.types import BLOCK_TYPES
from kernels.embedding import DenseEmbedding, Embedding
from kernels.matmul import DenseMatrix, Matrix
from kernels.matmul.matrix import Rows

# Columns are put in order in groups of this many.
GROUP = 32
F32 = 0
MOST_KEPT_BYTES = 32 << 20


class BlockMaker:
    """Matrices of one file, in the file's own types or, where that loses nothing, the model's.

    Attributes:
        types: what most of the file is stored in; "" if nothing is in blocks.
    """

    def __init__(
        self,
        store: GgufStore,
        dtype: torch.dtype,
        device: torch.device,
        count: Callable[[int], None],
    ) -> None:
        """count: told how many bytes of the file were read."""
        self._store, self._dtype, self._device, self._count = store, dtype, device, count
        self._kept = torch.empty(0, dtype=torch.uint8)
        self.types = store.blocks.partition(",")[0]

    def matrix(self, parts: Sequence[tuple[str, Tensor | None]]) -> Matrix:
        """Stored matrices, or rows [n] int64 of them, below one another. Raises ModelError."""
        stored = [(self._store.stored(name), order) for name, order in parts]
        for each in {part.tensor: part for part, _ in stored}.values():
            self._count(each.count * each.row_bytes)
        if all(self._is_dense(part) for part, _ in stored):
            return DenseMatrix(
                own(torch.cat([self._dense(*part) for part in stored]), self._device)
            )
        made = [
            self._blocks([(part, order) for part, order in group])
            for _, group in groupby(stored, key=lambda part: part[0].kind)
        ]
        return made[0] if len(made) == 1 else stack(made)

    def embedding(self, name: str) -> Embedding:
        """The table of a row per token, read where it lies in the file."""
        stored = self._store.stored(name)
        if self._is_dense(stored):
            self._count(stored.count * stored.row_bytes)
            return DenseEmbedding(own(self._dense(stored, None), self._device))
        return BlockEmbedding(BlockWeight(stored.in_file(), stored.kind), self._device)

    def _is_dense(self, stored: StoredMatrix) -> bool:
        """Whether it is kept in the model's dtype, as all matrices of an unquantised file are."""
        kept = DTYPES.get(stored.kind.name)
        if kept is None:
            return False
        fits = torch.promote_types(kept, self._dtype) == self._dtype
        return fits or not self._store.quantised

    def _dense(self, stored: StoredMatrix, order: Tensor | None) -> Tensor:
        """Rows in the model's dtype, [rows, inputs]."""
        found = stored.raw(order).view(DTYPES[stored.kind.name])
        return (found if stored.columns is None else found[:, stored.columns]).to(self._dtype)

    def _blocks(self, parts: Sequence[tuple[StoredMatrix, Tensor | None]]) -> Matrix:
        """Parts of one type as one matrix."""
        first = parts[0][0]
        weight = BlockWeight(self._raw(parts), first.kind)
        if first.columns is None:
            return block_matrix(weight, self._device)
        assert len(parts) == 1, "a matrix with columns in another order stands alone"
        groups = first.columns.view(-1, GROUP) if len(first.columns) % GROUP == 0 else None
        if groups is None or not torch.equal(groups, groups[:, :1] + torch.arange(GROUP)):
            return self._expanded(weight, first.columns)
        return block_matrix(weight, self._device, order=groups[:, 0] // GROUP)

    def _raw(self, parts: Sequence[tuple[StoredMatrix, Tensor | None]]) -> Rows:
        """The bytes of parts of one type below one another, good until the next call."""
        first, order = parts[0]
        if len(parts) == 1 and first.rows is None and order is None:
            read_ahead(first.place.path, first.start, first.stored_rows * first.row_bytes)
            return first.in_file()
        counts = [stored.count if order is None else len(order) for stored, order in parts]
        width = parts[0][0].row_bytes
        found = self._space(sum(counts) * width).view(-1, width)
        for (stored, order), rows in zip(parts, found.split_with_sizes(counts), strict=True):
            stored.fill(rows, order)
        return found

    def _space(self, nbytes: int) -> Tensor:
        """Memory to read into: kept, as the system clears each new page, unless it is much."""
        if nbytes > MOST_KEPT_BYTES:
            return torch.empty(nbytes, dtype=torch.uint8)
        if len(self._kept) < nbytes:
            self._kept = torch.empty(nbytes, dtype=torch.uint8)
        return self._kept[:nbytes]

    def _expanded(self, weight: BlockWeight, columns: Tensor) -> Matrix:
        """In float32, which loses nothing: heads narrower than a group cut its blocks apart."""
        wide = weight.dense()[:, columns].contiguous()
        return block_matrix(BlockWeight(wide.view(torch.uint8), BLOCK_TYPES[F32]), self._device)
