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
from safetensors import safe_open
from torch import Tensor

from engine.errors import ModelError

DTYPES = {"F32": torch.float32, "BF16": torch.bfloat16, "F16": torch.float16}
# The format's own bound; a longer header is an attack or damage.
MAX_HEADER_BYTES = 100 << 20


@dataclass(frozen=True, slots=True)
class TensorEntry:
    """One tensor of a file: dtype name as in the header, shape and bytes."""

    dtype: str
    shape: tuple[int, ...]
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

    def read(self, name: str) -> Tensor:
        """The tensor as stored, on the CPU. Raises ModelError."""
        try:
            with safe_open(self.path, framework="pt") as file:
                tensor: Tensor = file.get_tensor(name)
                return tensor
        except Exception as error:
            raise ModelError(f'{self.path.name}: "{name}" cannot be read: {error}.') from error


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
            entry = TensorEntry(str(stated["dtype"]), shape, end - first)
            if entry.dtype in DTYPES:
                expected = math.prod(shape) * DTYPES[entry.dtype].itemsize
                if entry.nbytes != expected:
                    raise ModelError(
                        f'{name}: "{tensor}" takes {entry.nbytes} bytes; its shape '
                        f"{list(shape)} in {entry.dtype} takes {expected}."
                    )
            entries[tensor] = entry
            last = max(last, end)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ModelError(f"{name} is damaged: its header cannot be read ({error}).") from error
    if size < 8 + length + last:
        raise ModelError(
            f"{name} is cut short: {size} bytes, and its header promises {8 + length + last}; "
            "download it again."
        )
    return entries
