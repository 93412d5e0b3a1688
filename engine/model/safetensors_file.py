"""One .safetensors file, its header checked against its size before any tensor is read.

Format: 8 bytes little-endian header length, a JSON header, then the data. Nothing in the file is
ever executed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import torch
from torch import Tensor

from engine.errors import ModelError
from engine.model.file_bytes import FileRows, read_into
from engine.sentence import say

DTYPES = {"F32": torch.float32, "BF16": torch.bfloat16, "F16": torch.float16}
# Readable but not directly usable in arithmetic: codes and scales of packed weights.
CODES = {
    "F8_E4M3": torch.float8_e4m3fn,
    "I8": torch.int8,
    "U8": torch.uint8,
}
_READ = DTYPES | CODES
_NAMES = {dtype: name for name, dtype in _READ.items()}
# The format's own limit; a longer header is an attack or damage.
MAX_HEADER_BYTES = 100 << 20


@dataclass(frozen=True, slots=True)
class TensorEntry:
    """One tensor of a file: dtype name as in the header, shape, first byte in the file, bytes."""

    dtype: str
    shape: tuple[int, ...]
    start: int
    nbytes: int


class SafetensorsFile:
    """A checked file.

    Attributes:
        path: of the file.
        entries: its tensors by name, without overlaps.
        data: the offset of the data, after the header.
    """

    def __init__(self, path: Path) -> None:
        """Read and check the header. Raises ModelError."""
        self.path = path
        self.entries, self.data = _read_header(path)

    def read(self, name: str, part: int | None = None) -> Tensor:
        """The tensor as stored, on the CPU, or `part` of its first dimension. Raises ModelError.

        The tensor owns its memory.
        """
        entry = self.entries[name]
        if entry.dtype not in _READ:
            raise ModelError(
                '{name}: "{tensor}" has the unsupported dtype {dtype}.',
                name=self.path.name,
                tensor=name,
                dtype=entry.dtype,
            )
        shape, start = entry.shape, entry.start
        if part is not None:
            shape = shape[1:]
            start += part * (entry.nbytes // max(entry.shape[0], 1))
        return read_into(torch.empty(shape, dtype=_READ[entry.dtype]), self.path, start, name)

    def rows(self, name: str) -> FileRows:
        """The matrix, of which rows are read when they are asked for. Raises ModelError."""
        entry = self.entries[name]
        rows, columns = entry.shape
        return FileRows(self.path, entry.start, (rows, columns), _READ[entry.dtype], name)


def write_safetensors(
    file: BinaryIO, tensors: Mapping[str, Tensor], facts: Mapping[str, str]
) -> None:
    """Write contiguous tensors, with `facts` as the file's metadata. Raises OSError."""
    # The widest dtypes first, so that every tensor starts at a multiple of its item size.
    order = sorted(tensors, key=lambda name: (-tensors[name].itemsize, name))
    header: dict[str, Any] = {"__metadata__": dict(facts)}
    at = 0
    for name in order:
        tensor = tensors[name]
        end = at + tensor.nbytes
        shape, dtype = list(tensor.shape), _NAMES[tensor.dtype]
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, end]}
        at = end
    head = json.dumps(header, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 8)
    file.write(len(head).to_bytes(8, "little") + head)
    for name in order:
        file.write(tensors[name].view(-1).view(torch.uint8).numpy().data)


def _read_header(path: Path) -> tuple[dict[str, TensorEntry], int]:
    """The tensors of a file and the offset of its data."""
    name = path.name
    raw, size = _raw_header(path)
    data = 8 + len(raw)
    try:
        header = json.loads(raw)
        header.pop("__metadata__", None)
        entries = {tensor: _entry(name, tensor, stated, data) for tensor, stated in header.items()}
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        OverflowError,
        RecursionError,
    ) as error:
        raise ModelError(
            "{name} is damaged: its header cannot be read ({error}).", name=name, error=error
        ) from error
    last = max((entry.start + entry.nbytes for entry in entries.values()), default=data)
    if size < last:
        raise ModelError(
            "{name} is truncated: {size} bytes, but its header claims {last}; download it again.",
            name=name,
            size=size,
            last=last,
        )
    _refuse_overlaps(name, entries)
    return entries, data


def _raw_header(path: Path) -> tuple[bytes, int]:
    """The bytes of the header, and the size of the file."""
    name = path.name
    try:
        if not path.is_file():
            raise ModelError("{name} is missing; download the model again.", name=name)
        size = path.stat().st_size
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            if size < 8 or length > min(size - 8, MAX_HEADER_BYTES):
                raise ModelError(
                    "{name} is truncated or damaged: its header does not fit into its {size} "
                    "bytes.",
                    name=name,
                    size=size,
                )
            return file.read(length), size
    except OSError as error:
        raise ModelError(
            "{name} cannot be read: {error}.", name=name, error=error.strerror or error
        ) from error


def _entry(file: str, tensor: str, stated: Mapping[str, Any], data: int) -> TensorEntry:
    """The header's entry for one tensor. Raises ModelError, or as a damaged header may."""
    shape = tuple(int(n) for n in stated["shape"])
    first, end = (int(n) for n in stated["data_offsets"])
    if first < 0 or end < first or min(shape, default=0) < 0:
        raise ValueError(say("offsets of {tensor}", tensor=tensor))
    entry = TensorEntry(str(stated["dtype"]), shape, data + first, end - first)
    if entry.dtype in _READ:
        expected = math.prod(shape) * _READ[entry.dtype].itemsize
        if entry.nbytes != expected:
            raise ModelError(
                '{file}: "{tensor}" takes {nbytes} bytes; its shape '
                "{shape} in {dtype} takes {expected}.",
                file=file,
                tensor=tensor,
                nbytes=entry.nbytes,
                shape=list(shape),
                dtype=entry.dtype,
                expected=expected,
            )
    return entry


def _refuse_overlaps(file: str, entries: Mapping[str, TensorEntry]) -> None:
    """A byte shared by many tensors would take memory many times, without limit."""
    end, before = 0, ""
    for name, entry in sorted(entries.items(), key=lambda item: item[1].start):
        if not entry.nbytes:
            continue
        if entry.start < end:
            raise ModelError(
                '{file} is damaged: "{before}" and "{name}" overlap; download it again.',
                file=file,
                before=before,
                name=name,
            )
        end, before = entry.start + entry.nbytes, name
