"""One segment of a sequence in one .safetensors file: tokens, their KV, and the state after them.

The file is written by hand, since a write of a large buffer lets other threads run and a library's
serialiser does not. Every part has a checksum of its own, so a restore reads and checks only what
it needs. Nothing in a file is trusted: sizes are compared with the file's own before any memory is
taken, and whatever is wrong ends in one exception.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

VERSION = "1"
SUFFIX = ".safetensors"
# Tokens, tags and shapes of a header are small; a longer one is damage or an attack.
MOST_HEADER_BYTES = 1 << 20
DTYPES = {
    "F32": torch.float32,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "I8": torch.int8,
    "I32": torch.int32,
    "I64": torch.int64,
}
NAMES = {dtype: name for name, dtype in DTYPES.items()}
SEQUENCE, KV = ("tokens", "tags"), ("k", "v")
MALFORMED = (
    OSError,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    OverflowError,
    RecursionError,
)
NUMBERS = {float, int}
# The types of a segment's fields in a file; the verdict is looked at on its own.
KINDS: dict[str, tuple[type, ...]] = {
    "key": (str,),
    "parent": (str,),
    "start": (int,),
    "end": (int,),
    "provenance": (str,),
    "chain": (int, type(None)),
    "has_hidden": (bool,),
    "stored": (str,),
    "error": (float, int),
    "created": (float, int),
    "verdict": (list, type(None)),
}
_counter = itertools.count()

Tokens = npt.NDArray[np.int32]
Tags = npt.NDArray[np.int64]


class DamagedSegment(Exception):
    """A file that cannot be used; the message says why, without its name."""


class ReplacedSegment(DamagedSegment):
    """Another process put a file of its own there: whole, but not the one that was looked for."""


@dataclass(frozen=True, slots=True)
class SegmentMeta:
    """What a segment is; all that has to be known of it before its bytes are read.

    Attributes:
        key: hash of the tokens [0, end): names the state and the file.
        parent: key of the segment that ends at `start`, "" where it starts at 0.
        start, end: the segment holds the tokens and the KV of [start, end) and the state at `end`.
        verdict: status, largest difference, KL and time of an audit, None before any.
    """

    key: str
    parent: str
    start: int
    end: int
    provenance: str
    chain: int | None
    has_hidden: bool
    stored: str
    error: float
    created: float
    verdict: tuple[str, float, float, float] | None = None

    @property
    def file_name(self) -> str:
        return self.key + SUFFIX


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment with its bytes; nobody may change the tensors any more.

    Attributes:
        tokens, tags: of [start, end).
        k, v: [full_layers, kv_heads, end - start, head_dim].
        state: the packed state at `end`, by name.
    """

    meta: SegmentMeta
    tokens: Tokens
    tags: Tags
    k: Tensor
    v: Tensor
    state: Mapping[str, Tensor]

    @property
    def nbytes(self) -> int:
        """Bytes of all tensors; the file is a little longer."""
        return (
            self.tokens.nbytes
            + self.tags.nbytes
            + sum(part.nbytes for part in (self.k, self.v, *self.state.values()))
        )


def prefix_key(tokens: Iterable[int] | npt.NDArray[Any]) -> str:
    """The name of a prefix: 32 hexadecimal digits of a hash of its token ids."""
    raw = np.ascontiguousarray(np.asarray(tokens, dtype="<i4"))
    return hashlib.blake2b(raw.data, digest_size=16).hexdigest()


def write_segment(folder: Path, segment: Segment, fingerprint: str) -> int:
    """Write a segment under its key, whole or not at all; returns its bytes. Raises OSError."""
    parts: dict[str, Tensor] = {
        "tokens": torch.from_numpy(segment.tokens),
        "tags": torch.from_numpy(segment.tags),
        "k": segment.k,
        "v": segment.v,
        **{f"state.{name}": part for name, part in sorted(segment.state.items())},
    }
    raw = {name: _bytes(part) for name, part in parts.items()}
    header: dict[str, Any] = {}
    at = 0
    for name, part in parts.items():
        end = at + len(raw[name])
        header[name] = {
            "dtype": NAMES[part.dtype],
            "shape": list(part.shape),
            "data_offsets": [at, end],
        }
        at = end
    meta = _meta_text(segment.meta)
    sums = {
        "sequence": _checksum(raw[name] for name in SEQUENCE),
        "kv": _checksum(raw[name] for name in KV),
        "state": _checksum(raw[name] for name in raw if name.startswith("state.")),
    }
    inner = {"biplane": VERSION, "fingerprint": fingerprint, "segment": meta, **sums}
    inner["header"] = _header_sum(inner, header)
    head = json.dumps({"__metadata__": inner, **header}, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 8)
    temporary = folder / f"{os.getpid()}.{next(_counter)}.tmp"
    try:
        with temporary.open("wb") as file:
            file.write(len(head).to_bytes(8, "little"))
            file.write(head)
            for buffer in raw.values():
                file.write(buffer)
        temporary.replace(folder / segment.meta.file_name)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return 8 + len(head) + at


class SegmentFile:
    """A file whose header, tokens and tags have been checked.

    Attributes:
        meta: what it is.
        tokens, tags: of its span.
        nbytes: of the file.
    """

    def __init__(self, path: Path, fingerprint: str) -> None:
        """Read and check all but the tensors. Raises DamagedSegment."""
        self.path = path
        try:
            while True:
                # Replaced while it was looked at: what is there now is as whole.
                with contextlib.suppress(ReplacedSegment):
                    self._read_header(fingerprint)
                    break
        except DamagedSegment:
            raise
        except MALFORMED as error:
            raise DamagedSegment(_reason(error)) from error

    def expect(self, meta: SegmentMeta, tags: Tags) -> None:
        """Raises ReplacedSegment where it is not the segment that had this name before."""
        # The text and not the values: an error that is not a number equals nothing.
        if self._sums["segment"] != _meta_text(meta) or not np.array_equal(self.tags, tags):
            raise ReplacedSegment("another process replaced it")

    def kv(self) -> tuple[Tensor, Tensor]:
        """k and v, [full_layers, kv_heads, end - start, head_dim]. Raises DamagedSegment."""
        parts = self._read(KV, "kv")
        return parts["k"], parts["v"]

    def state(self) -> dict[str, Tensor]:
        """The packed state by name. Raises DamagedSegment."""
        names = tuple(name for name in self._entries if name.startswith("state."))
        return {n.removeprefix("state."): t for n, t in self._read(names, "state").items()}

    def _read_header(self, fingerprint: str) -> None:
        with self.path.open("rb") as file:
            status = os.fstat(file.fileno())
            self.nbytes, self._inode = status.st_size, status.st_ino
            length = int.from_bytes(file.read(8), "little")
            if not 2 <= length <= min(MOST_HEADER_BYTES, self.nbytes - 8):
                raise DamagedSegment("its header is longer than the file")
            header = json.loads(file.read(length))
        inner = header.pop("__metadata__")
        if inner.get("biplane") != VERSION:
            raise DamagedSegment("it is of another version")
        if inner.pop("header") != _header_sum(inner, header):
            raise DamagedSegment("its header is not what was written")
        if inner["fingerprint"] != fingerprint:
            raise DamagedSegment("it belongs to another model or other settings")
        self._sums = inner
        self._data = 8 + length
        self._entries = {name: self._entry(raw) for name, raw in header.items()}
        last = max(end for _, _, _, end in self._entries.values())
        if self.nbytes != self._data + last:
            raise DamagedSegment("it is longer than what was written")
        self.meta = _meta(json.loads(inner["segment"]))
        if self.path.name != self.meta.file_name:
            raise DamagedSegment("its name is another segment's")
        sequence = self._read(SEQUENCE, "sequence")
        self.tokens: Tokens = sequence["tokens"].numpy()
        self.tags: Tags = sequence["tags"].numpy()
        span = self.meta.end - self.meta.start
        if not (len(self.tokens) == len(self.tags) == span > 0):
            raise DamagedSegment("its tokens are not as many as it says")
        for name in KV:
            shape = self._entries[name][1]
            if len(shape) != 4 or shape[2] != span:
                raise DamagedSegment(f"its {name} is not of as many tokens as it says")

    def _entry(self, raw: Mapping[str, Any]) -> tuple[torch.dtype, tuple[int, ...], int, int]:
        dtype, shape = DTYPES[raw["dtype"]], tuple(int(size) for size in raw["shape"])
        start, end = (int(offset) for offset in raw["data_offsets"])
        if min(shape, default=0) < 0 or end - start != math.prod(shape) * dtype.itemsize:
            raise DamagedSegment("a tensor's shape is not its size")
        if not 0 <= start <= end <= self.nbytes - self._data:
            raise DamagedSegment("it ends too early")
        return dtype, shape, start, end

    def _read(self, names: Iterable[str], part: str) -> dict[str, Tensor]:
        try:
            with self.path.open("rb") as file:
                if os.fstat(file.fileno()).st_ino != self._inode:
                    raise ReplacedSegment("another process replaced it")
                raw = {}
                for name in names:
                    _, _, start, end = self._entries[name]
                    file.seek(self._data + start)
                    raw[name] = bytearray(end - start)
                    if file.readinto(raw[name]) != end - start:
                        raise DamagedSegment("it ends too early")
        except (OSError, KeyError) as error:
            raise DamagedSegment(_reason(error)) from error
        if _checksum(raw.values()) != self._sums[part]:
            raise DamagedSegment(f"its {part} is not what was written")
        return {name: self._tensor(name, buffer) for name, buffer in raw.items()}

    def _tensor(self, name: str, raw: bytearray) -> Tensor:
        dtype, shape, _, _ = self._entries[name]
        if not raw:
            return torch.empty(shape, dtype=dtype)
        return torch.frombuffer(raw, dtype=dtype).view(shape)


def _meta(raw: Mapping[str, Any]) -> SegmentMeta:
    """Raises TypeError, ValueError or KeyError: anybody can write a file with a right checksum."""
    known = {field.name: raw[field.name] for field in fields(SegmentMeta)}
    for name, kinds in KINDS.items():
        if type(known[name]) not in kinds:
            raise TypeError(f"{name} of a segment")
    if known["verdict"] is not None:
        status, *figures = known["verdict"]
        if type(status) is not str or len(figures) != 3 or not set(map(type, figures)) <= NUMBERS:
            raise TypeError("verdict of a segment")
        known["verdict"] = (status, *figures)
    return SegmentMeta(**known)


def _meta_text(meta: SegmentMeta) -> str:
    # A string inside the header, so that it may hold an infinite error, which JSON proper may not.
    return json.dumps(asdict(meta))


def _bytes(part: Tensor) -> memoryview:
    flat = part.contiguous().reshape(-1)
    return flat.view(torch.uint8).numpy().data if flat.numel() else memoryview(b"")


def _checksum(buffers: Iterable[Any]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for buffer in buffers:
        digest.update(buffer)
    return digest.hexdigest()


def _header_sum(inner: Mapping[str, Any], header: Mapping[str, Any]) -> str:
    return _checksum([json.dumps([inner, header], sort_keys=True).encode()])


def _reason(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "it is gone"
    if isinstance(error, OSError):
        return f"it cannot be read ({error.strerror})"
    return "its header makes no sense"
