"""Reads bytes of a model's files into tensors that own their memory.

Nothing is mapped: where a mapped file is cut short meanwhile, the next touch ends the process.
"""

from __future__ import annotations

import io
import os
import sys
import weakref
from pathlib import Path
from typing import NoReturn

import torch
from torch import Tensor

from engine.errors import ModelError
from engine.sentence import say


def read_into(tensor: Tensor, path: Path, start: int, name: str) -> Tensor:
    """Fill a contiguous tensor with the bytes at `start` of a file, and return it.

    name: of the tensor, for the error. Raises ModelError.
    """
    try:
        with path.open("rb", buffering=0) as file:
            _fill(tensor, file, start)
    except OSError as error:
        _refuse(path, name, error)
    return tensor


class FileRows:
    """A matrix in a file, whose rows are read when they are asked for.

    The file stays open: another that takes its name changes nothing.

    Attributes:
        shape: [rows, columns].
        dtype: of its numbers.
    """

    def __init__(
        self, path: Path, start: int, shape: tuple[int, int], dtype: torch.dtype, name: str
    ) -> None:
        """start: of its bytes; name: of the tensor, for errors. Raises ModelError."""
        self._path, self._start, self._name = path, start, name
        self.shape, self.dtype = shape, dtype
        self._row_bytes = shape[1] * dtype.itemsize
        try:
            self._file = path.open("rb", buffering=0)
        except OSError as error:
            _refuse(path, name, error)
        weakref.finalize(self, self._file.close)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, which: slice | Tensor) -> Tensor:
        """A range of rows, or those of which [n] int64; a copy. Raises ModelError."""
        if isinstance(which, slice):
            first, end, step = which.indices(len(self))
            assert step == 1, "rows beside one another"
            return self._read(torch.empty((end - first, self.shape[1]), dtype=self.dtype), [first])
        needed, places = which.unique(return_inverse=True)
        rows = torch.empty((len(needed), self.shape[1]), dtype=self.dtype)
        return self._read(rows, needed.tolist())[places]

    def _read(self, out: Tensor, starts: list[int]) -> Tensor:
        """Fill equal parts of `out`, each from the row that it starts with."""
        try:
            for part, row in zip(out.chunk(len(starts)), starts, strict=True):
                _fill(part, self._file, self._start + row * self._row_bytes)
        except OSError as error:
            _refuse(self._path, self._name, error)
        return out


def read_ahead(path: Path, start: int, nbytes: int) -> None:
    """Begin to read bytes that will all be wanted soon."""
    if sys.platform.startswith("linux"):
        with path.open("rb", buffering=0) as file:
            os.posix_fadvise(file.fileno(), start, nbytes, os.POSIX_FADV_WILLNEED)


def _fill(tensor: Tensor, file: io.FileIO, start: int) -> None:
    """Raises OSError, where the file ends before its bytes, too."""
    view = tensor.view(-1).view(torch.uint8).numpy().data
    file.seek(start)
    filled = 0
    while filled < len(view):
        read = file.readinto(view[filled:])
        if not read:
            raise OSError(say("it is truncated"))
        filled += read


def _refuse(path: Path, name: str, error: OSError) -> NoReturn:
    raise ModelError(
        '{name}: "{tensor}" cannot be read: {error}.', name=path.name, tensor=name, error=error
    ) from error
