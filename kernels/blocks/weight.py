"""A matrix as a GGUF file stores it, and its exact weights."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from kernels.blocks.forms import FORMS, Form, Unpacked
from kernels.blocks.types import BlockType
from kernels.blocks.unpack import unpack
from kernels.matmul.matrix import Rows

# Types whose numbers are not in blocks.
PLAIN = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}
# Bytes unpacked at a time: a dozen temporary tensors of the size stay in a cache.
CHUNK_BYTES = 1 << 18
# Bytes of a file read at a time.
PIECE_BYTES = 2 << 20


@dataclass(frozen=True, slots=True)
class BlockWeight:
    """A stored matrix: `raw` may still lie in its file.

    Attributes:
        raw: [outputs, row bytes] uint8, not copied.
    """

    raw: Rows
    kind: BlockType

    def __post_init__(self) -> None:
        if self.kind.name not in FORMS and self.kind.name not in PLAIN:
            raise ValueError(f"{self.kind.name} weights cannot be computed with.")
        assert len(self.raw.shape) == 2, "a stored matrix has two dimensions"
        assert self.raw.dtype == torch.uint8, "a stored matrix is bytes"
        assert self.raw.shape[1] % self.kind.bytes == 0, "rows end within a block"

    @property
    def outputs(self) -> int:
        return len(self.raw)

    @property
    def inputs(self) -> int:
        return self.raw.shape[1] // self.kind.bytes * self.kind.weights

    @property
    def form(self) -> Form:
        """The form of its blocks; not for F32, F16 and BF16."""
        return FORMS[self.kind.name]

    def chunks(self) -> list[slice]:
        """Ranges of rows small enough that what is made of them stays in a cache."""
        each = max(16, CHUNK_BYTES // max(self.inputs, 1) // 16 * 16)
        return [slice(at, at + each) for at in range(0, self.outputs, each)]

    def pieces(self) -> list[slice]:
        """Ranges of rows whose bytes are few enough to be read where others were before them."""
        each = max(16, PIECE_BYTES // self.raw.shape[1] // 16 * 16)
        return [slice(at, at + each) for at in range(0, self.outputs, each)]

    def unpacked(self, rows: slice | Tensor) -> Unpacked:
        """Some of its rows in their form; not for F32, F16 and BF16."""
        return unpack(self.raw[rows], self.kind)

    def rows(self, which: slice | Tensor) -> Tensor:
        """The weights of some rows, [rows, inputs] float32, to the bit; a copy."""
        plain = PLAIN.get(self.kind.name)
        if plain is None:
            return self.unpacked(which).dense()
        return self.raw[which].clone().view(plain).float()

    def dense(self) -> Tensor:
        """The weights, [outputs, inputs] float32, to the bit."""
        out = torch.empty(self.outputs, self.inputs)
        for rows in self.chunks():
            out[rows] = self.rows(rows)
        return out


def dequantize(raw: Tensor, kind: BlockType) -> Tensor:
    """raw [rows, row bytes] uint8 as [rows, inputs] float32, to the bit. Raises ValueError."""
    return BlockWeight(raw, kind).dense()
