"""Makes quantised matrices, from files saved by an earlier run or from the checkpoint."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor

from engine.model.layer import Build
from engine.model.packed_files import PackedFiles
from kernels.embedding import Int8Embedding
from kernels.matmul import (
    Int4Weight,
    Int8Weight,
    Matrix,
    fits_int4,
    int4_matrix,
    int8_matrix,
    quantize_int4,
    quantize_int8,
)

QuantFormat = Literal["int8", "int4"]


class QuantMaker:
    """Matrices in 8 or 4 bits. Those unsuitable for 4 bits (odd widths, the head) use 8."""

    def __init__(self, kind: QuantFormat, device: torch.device, files: PackedFiles | None) -> None:
        self._kind, self._device, self._files = kind, device, files

    def make(self, key: str, build: Build) -> Matrix:
        """See MatrixMaker."""
        if self._kind == "int4":
            four = self._find_int4(key)
            if four is not None:
                return int4_matrix(four, self._device)
        eight = self._find_int8(key)
        if eight is not None:
            return int8_matrix(eight, self._device)
        weight = build()
        if self._kind == "int4" and fits_int4(*weight.shape):
            four = quantize_int4(weight)
            self._put(key, codes4=four.codes, scale=four.scale, offset=four.offset)
            return int4_matrix(four, self._device)
        return int8_matrix(self._made_int8(key, weight), self._device)

    def lacks(self, key: str) -> bool:
        """See MatrixMaker."""
        files = self._files
        return files is not None and files.lacks(f"{key}:scale")

    def make_wide(self, key: str, build: Build) -> Matrix:
        """A matrix that stays in 8 bits whatever the format: the vocabulary head."""
        weight = self._find_int8(key)
        return int8_matrix(weight or self._made_int8(key, build()), self._device)

    def embedding(self, key: str, build: Build) -> Int8Embedding:
        """The embedding table, read in the saved file if there is one."""
        weight = self._find_int8(key) or self._made_int8(key, build())
        if self._device.type != "cpu":
            return Int8Embedding(weight.codes.to(self._device), weight.scale.to(self._device))
        if self._files is not None:
            self._files.end()
            codes = self._files.rows(f"{key}:codes8")
            if codes is not None:
                return Int8Embedding(codes, weight.scale)
        return Int8Embedding(weight.codes, weight.scale)

    def _made_int8(self, key: str, weight: Tensor) -> Int8Weight:
        made = quantize_int8(weight)
        self._put(key, codes8=made.codes, scale=made.scale)
        return made

    def _put(self, key: str, **tensors: Tensor) -> None:
        if self._files is not None:
            for name, tensor in tensors.items():
                self._files.put(f"{key}:{name}", tensor)

    def _find_int8(self, key: str) -> Int8Weight | None:
        found = self._find(key, "codes8", "scale")
        return None if found is None else Int8Weight(*found)

    def _find_int4(self, key: str) -> Int4Weight | None:
        found = self._find(key, "codes4", "scale", "offset")
        return None if found is None else Int4Weight(*found)

    def _find(self, key: str, *names: str) -> list[Tensor] | None:
        if self._files is None:
            return None
        found = [self._files.find(f"{key}:{name}") for name in names]
        whole = [tensor for tensor in found if tensor is not None]
        return whole if len(whole) == len(names) else None
