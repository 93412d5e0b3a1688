"""One .safetensors file, its header checked against its size before any tensor is read.

Format: 8 bytes little-endian header length, a JSON header, then the data. Nothing in the file is
ever executed.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from engine.errors import ModelError

DTYPES = {"F32": torch.float32, "BF16": torch.bfloat16, "F16": torch.float16}
# Read, but not computed with as they are: codes and scales of packed weights.
CODES = {
    "F8_E4M3": torch.float8_e4m3fn,
    "I8": torch.int8,
    "U8": torch.uint8,
}
_READ = DTYPES | CODES
# The format's own bound; a longer header is an attack or damage.
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
        entries: its tensors by name.
    """

    def __init__(self, path: Path) -> None:
        """Read and check the header. Raises ModelError."""
        self.path = path
        self.entries = _read_header(path)

    def read(self, name: str, part: int | None = None) -> Tensor:
        """The tensor as stored, on the CPU, or `part` of its first dimension. Raises ModelError.

        It is memory of its own: a mapped file would be counted beside the copy made of it.
        """
        entry = self.entries[name]
        if entry.dtype not in _READ:
            raise ModelError(f'{self.path.name}: "{name}" is stored as {entry.dtype}.')
        shape, start = entry.shape, entry.start
        if part is not None:
            shape = shape[1:]
            start += part * (entry.nbytes // max(entry.shape[0], 1))
        tensor = torch.empty(shape, dtype=_READ[entry.dtype])
        view = tensor.view(-1).view(torch.uint8).numpy().data
        try:
            with self.path.open("rb", buffering=0) as file:
                file.seek(start)
                filled = 0
                while filled < len(view):
                    read = file.readinto(view[filled:])
                    if not read:
                        raise OSError("it ends too early")
                    filled += read
        except OSError as error:
            raise ModelError(f'{self.path.name}: "{name}" cannot be read: {error}.') from error
        return tensor

    def mapped(self, name: str) -> Tensor:
        """The tensor in the file itself: only what is touched of it takes memory."""
        entry = self.entries[name]
        whole = torch.from_file(str(self.path), size=entry.start + entry.nbytes, dtype=torch.uint8)
        return whole[entry.start :].view(_READ[entry.dtype]).view(entry.shape)


def _read_header(path: Path) -> dict[str, TensorEntry]:
    name = path.name
    if not path.is_file():
        raise ModelError(f"{name} is missing; download the model again.")
    size = path.stat().st_size
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if size < 8 or length > min(size - 8, MAX_HEADER_BYTES):
            raise ModelError(
                f"{name} is cut short or damaged: its header does not fit into its {size} bytes."
            )
        raw = file.read(length)
    try:
        header = json.loads(raw)
        header.pop("__metadata__", None)
        entries = {}
        last = 0
        for tensor, stated in header.items():
            shape = tuple(int(n) for n in stated["shape"])
            first, end = (int(n) for n in stated["data_offsets"])
            if first < 0 or end < first or min(shape, default=0) < 0:
                raise ValueError(f"offsets of {tensor}")
            entry = TensorEntry(str(stated["dtype"]), shape, 8 + length + first, end - first)
            if entry.dtype in _READ:
                expected = math.prod(shape) * _READ[entry.dtype].itemsize
                if entry.nbytes != expected:
                    raise ModelError(
                        f'{name}: "{tensor}" takes {entry.nbytes} bytes; its shape '
                        f"{list(shape)} in {entry.dtype} takes {expected}."
                    )
            entries[tensor] = entry
            last = max(last, end)
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        OverflowError,
        RecursionError,
    ) as error:
        raise ModelError(f"{name} is damaged: its header cannot be read ({error}).") from error
    if size < 8 + length + last:
        raise ModelError(
            f"{name} is cut short: {size} bytes, and its header promises {8 + length + last}; "
            "download it again."
        )
    return entries
