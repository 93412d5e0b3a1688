"""One segment of a sequence as a .safetensors file: tokens, their KV, and the state after them.

The file is written by our own code, because writing a large buffer releases the GIL and a library's
serialiser does not. Every part has its own checksum, so a restore reads and checks only what it
needs. Nothing in a file is trusted: sizes are compared with the file's own before memory is
allocated, and every defect raises the same exception.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import itertools
import json
import math
import os
import re
import secrets
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, get_args

import msgspec
import numpy as np
import numpy.typing as npt
import torch
from msgspec import Meta
from torch import Tensor

from engine.config import StateFormat
from engine.private_files import NotOurs, OwnFolder
from engine.stored_state import Provenance, StoredState, Why
from engine.verdict import Verdict, VerdictStatus

VERSION = "2"
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
# The dtypes and numbers of dimensions of the parts that every reader uses.
FLOATS = {torch.float32, torch.float16, torch.bfloat16}
LAYOUT: dict[str, tuple[set[torch.dtype], int]] = {
    "tokens": ({torch.int32}, 1),
    "tags": ({torch.int64}, 1),
    "k": (FLOATS, 4),
    "v": (FLOATS, 4),
}
MALFORMED = (
    OSError,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    OverflowError,
    RecursionError,
    MemoryError,
)
# The start of every segment's header, after its length.
_SIGNATURE = re.compile(rb'\s*\{\s*"__metadata__"\s*:\s*\{\s*"biplane"\s*:')
_SIGNATURE_BYTES = 64
# Not from 0: in containers two processes that share a folder may have the same process id.
_counter = itertools.count(secrets.randbits(48))

Tokens = npt.NDArray[np.int32]
Tags = npt.NDArray[np.int64]
# A file that another process is still writing is younger than this, in seconds.
STALE_S = 3600.0
_NAME = re.compile(r"([0-9]{1,9})\.[0-9]+\.tmp")
SUFFIX = ".safetensors"
KEY = re.compile(r"[0-9a-f]{32}")
FILE_NAME = re.compile(KEY.pattern + re.escape(SUFFIX))
# Hashes and positions fit; a number of a thousand digits would break later arithmetic.
MOST = (1 << 63) - 1
Position = Annotated[int, Meta(ge=0, le=MOST)]


class _Said(msgspec.Struct):
    """A segment's metadata as stored; `why` may have unknown values from a newer version."""

    key: Annotated[str, Meta(pattern=rf"^{KEY.pattern}\Z")]
    parent: Annotated[str, Meta(pattern=rf"^({KEY.pattern})?\Z")]
    start: Position
    end: Position
    provenance: Provenance
    chain: Annotated[int, Meta(ge=-MOST, le=MOST)] | None
    has_hidden: bool
    stored: StateFormat
    error: float
    created: float
    verdict: tuple[VerdictStatus, float, float, float] | None
    why: Any = ""


@dataclass(frozen=True, slots=True)
class SegmentMeta:
    """A segment's description: everything needed before its bytes are read.

    Times are seconds since 1970.

    Attributes:
        key: hash of the tokens [0, end): names the state and the file.
        parent: key of the segment that ends at `start`, "" if it starts at 0.
        start: the segment has the tokens and the KV of [start, end), and the state at `end`.
        created: when the state was stored.
        state: the state at `end`; its error may be infinite.
    """

    key: str
    parent: str
    start: int
    created: float
    state: StoredState

    @property
    def end(self) -> int:
        return self.state.position

    @property
    def file_name(self) -> str:
        return self.key + SUFFIX


def meta_text(meta: SegmentMeta) -> str:
    """The text stored in a file: JSON, but with Infinity for infinite numbers."""
    state, verdict = meta.state, meta.state.verdict
    # In this order, since the text has a checksum.
    raw = {
        "key": meta.key,
        "parent": meta.parent,
        "start": meta.start,
        "end": meta.end,
        "provenance": state.provenance,
        "chain": state.cut_hash,
        "has_hidden": state.has_hidden,
        "stored": state.stored,
        "error": state.error,
        "created": meta.created,
        "verdict": verdict and (verdict.status, verdict.largest, verdict.kl, verdict.time),
    }
    assert (*raw, "why") == _Said.__struct_fields__, "every field of a file has a type"
    # Older files have no such field.
    return json.dumps(raw | ({"why": state.why} if state.why else {}))


def meta_of(text: str) -> SegmentMeta:
    """The segment described by a text.

    Raises ValueError: a correct checksum does not imply trust.
    """
    try:
        said = msgspec.convert(json.loads(text), _Said)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None
    # Only a segment that starts at 0 is a child of the root.
    if said.start >= said.end or bool(said.parent) != bool(said.start):
        raise ValueError("span of a segment")
    if not math.isfinite(said.created):
        raise ValueError("time of a segment")
    state = StoredState(
        position=said.end,
        provenance=said.provenance,
        cut_hash=said.chain,
        has_hidden=said.has_hidden,
        stored=said.stored,
        error=said.error,
        tier="disk",
        verdict=said.verdict and Verdict(*said.verdict),
        why=next((why for why in get_args(Why) if why == said.why), ""),
    )
    return SegmentMeta(said.key, said.parent, said.start, said.created, state)


class DamagedSegment(Exception):
    """A file that cannot be used; the message says why, without its name."""


class ForeignFile(DamagedSegment):
    """A file not proven to be a segment: it may belong to someone else, so it is left in place."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """The file sizes of one model.

    Attributes:
        token: bytes of the KV of one token; 0 if unknown.
        state: upper limit on the bytes of a packed state.
        most: upper limit on the bytes of a file.
    """

    token: int
    state: int
    most: int


class ReplacedSegment(DamagedSegment):
    """Another process replaced the file: intact, but not the expected one."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment with its bytes; its tensors must not be mutated any more.

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


def file_bytes(segment: Segment, fingerprint: str) -> int:
    """The exact file size of a segment, before any of it is read."""
    # All checksums have the same length.
    blank = _checksum(())
    sums = dict.fromkeys(("sequence", "kv", "state"), blank)
    return 8 + len(_head(segment, fingerprint, sums)) + segment.nbytes


def write_segment(folder: OwnFolder, segment: Segment, fingerprint: str) -> int:
    """Write a segment under its key atomically; returns its bytes. Raises OSError."""
    raw = {name: _bytes(part) for name, part in _parts(segment).items()}
    sums = {
        "sequence": _checksum(raw[name] for name in SEQUENCE),
        "kv": _checksum(raw[name] for name in KV),
        "state": _checksum(raw[name] for name in raw if name.startswith("state.")),
    }
    head = _head(segment, fingerprint, sums)
    temporary = f"{os.getpid()}.{next(_counter)}.tmp"
    opened = folder.create(temporary)
    try:
        with opened as file:
            file.write(len(head).to_bytes(8, "little"))
            file.write(head)
            for buffer in raw.values():
                file.write(buffer)
        folder.rename(temporary, segment.meta.file_name)
    except BaseException:
        folder.unlink(temporary)
        raise
    return 8 + len(head) + segment.nbytes


def is_segment(file: io.BufferedReader) -> bool:
    """Whether a file, whole or not, begins as a segment does; read from its start.

    An empty one, which a power failure can leave, contains nothing of anyone else's.
    """
    begun = file.read(_SIGNATURE_BYTES)
    file.seek(0)
    return not begun or _SIGNATURE.match(begun[8:]) is not None


def _parts(segment: Segment) -> dict[str, Tensor]:
    """The parts of a file, in order."""
    return {
        "tokens": torch.from_numpy(segment.tokens),
        "tags": torch.from_numpy(segment.tags),
        "k": segment.k,
        "v": segment.v,
        **{f"state.{name}": part for name, part in sorted(segment.state.items())},
    }


def _head(segment: Segment, fingerprint: str, sums: Mapping[str, str]) -> bytes:
    """A file's header: each part's offset, the segment's description, and the checksums."""
    header: dict[str, Any] = {}
    at = 0
    for name, part in _parts(segment).items():
        end = at + part.nbytes
        header[name] = {
            "dtype": NAMES[part.dtype],
            "shape": list(part.shape),
            "data_offsets": [at, end],
        }
        at = end
    meta = meta_text(segment.meta)
    inner = {"biplane": VERSION, "fingerprint": fingerprint, "segment": meta, **sums}
    inner["header"] = _header_sum(inner, header)
    head = json.dumps({"__metadata__": inner, **header}, separators=(",", ":")).encode()
    return head + b" " * (-len(head) % 8)


class SegmentFile:
    """A file whose header, tokens and tags have been checked.

    Attributes:
        meta: its description.
        tokens, tags: of its span.
        nbytes: of the file.
        used: its last use, seconds since 1970.
    """

    def __init__(self, folder: OwnFolder, name: str, fingerprint: str, sizes: Sizes) -> None:
        """Read and check everything except the tensors.

        Raises DamagedSegment; ForeignFile if it is not certain that the file is a segment at all.
        """
        self._folder, self.name = folder, name
        self._sizes = sizes
        try:
            # All from one open file, which cannot be replaced in between.
            file = folder.read(name)
        except OSError as error:
            raise ForeignFile(_reason(error)) from error
        with file:
            try:
                if not is_segment(file):
                    raise ForeignFile("it is not a Biplane file")
            except OSError as error:
                raise ForeignFile(_reason(error)) from error
            try:
                self._read_header(file, fingerprint)
                self._read_sequence(file)
            except DamagedSegment:
                raise
            except MALFORMED as error:
                raise DamagedSegment(_reason(error)) from error

    def expect(self, meta: SegmentMeta, tags: Tags) -> None:
        """Raises ReplacedSegment if it is not the segment that had this name before."""
        # Compare the text, not the values: an error that is NaN equals nothing.
        if self._sums["segment"] != meta_text(meta) or not np.array_equal(self.tags, tags):
            raise ReplacedSegment("another process replaced it")

    def kv(self) -> tuple[Tensor, Tensor]:
        """k and v, [full_layers, kv_heads, end - start, head_dim]. Raises DamagedSegment."""
        parts = self._reopen(KV, "kv")
        return parts["k"], parts["v"]

    def state(self) -> dict[str, Tensor]:
        """The packed state by name. Raises DamagedSegment."""
        names = tuple(name for name in self._entries if name.startswith("state."))
        return {n.removeprefix("state."): t for n, t in self._reopen(names, "state").items()}

    def _read_header(self, file: io.BufferedReader, fingerprint: str) -> None:
        status = os.fstat(file.fileno())
        self.nbytes, self.used = status.st_size, status.st_mtime
        # A file of a few KiB can claim any length: a sparse file reads as zeros.
        if self.nbytes > self._sizes.most:
            raise DamagedSegment("it is larger than the whole budget")
        length = int.from_bytes(file.read(8), "little")
        if not 2 <= length <= min(MOST_HEADER_BYTES, self.nbytes - 8):
            raise DamagedSegment("its header is longer than the file")
        self._header = file.read(length)
        header = json.loads(self._header)
        inner = header.pop("__metadata__")
        if inner.get("biplane") != VERSION:
            raise DamagedSegment("it has a different format version")
        if inner.pop("header") != _header_sum(inner, header):
            raise DamagedSegment("its header does not match its checksum")
        if inner["fingerprint"] != fingerprint:
            raise DamagedSegment("it belongs to another model or other settings")
        self._sums = inner
        self._data = 8 + length
        self._entries = {name: self._entry(raw) for name, raw in header.items()}
        at = 0
        for _, _, start, end in sorted(self._entries.values(), key=lambda entry: entry[2:]):
            # A byte shared by many tensors would be read many times.
            if start != at:
                raise DamagedSegment("its tensors overlap or leave gaps")
            at = end
        if self.nbytes != self._data + at:
            raise DamagedSegment("it is longer than its header says")
        self.meta = meta_of(inner["segment"])
        if self.name != self.meta.file_name:
            raise DamagedSegment("its name belongs to another segment")

    def _read_sequence(self, file: io.BufferedReader) -> None:
        span = self.meta.end - self.meta.start
        for name, (dtypes, dimensions) in LAYOUT.items():
            dtype, shape, _, _ = self._entries[name]
            if dtype not in dtypes or len(shape) != dimensions:
                raise DamagedSegment(f"its {name} has the wrong type")
            if shape[0 if dimensions == 1 else 2] != span:
                raise DamagedSegment(f"the length of its {name} does not match its span")
        token = self._sizes.token
        if token and sum(self._length(name) for name in KV) != span * token:
            raise DamagedSegment("its KV does not have this model's size")
        state = [name for name in self._entries if name.startswith("state.")]
        if sum(self._length(name) for name in state) > self._sizes.state:
            raise DamagedSegment("its state is larger than this model's can be")
        sequence = self._read(file, SEQUENCE, "sequence")
        self.tokens: Tokens = sequence["tokens"].numpy()
        self.tags: Tags = sequence["tags"].numpy()

    def _entry(self, raw: Mapping[str, Any]) -> tuple[torch.dtype, tuple[int, ...], int, int]:
        dtype, shape = DTYPES[raw["dtype"]], tuple(int(size) for size in raw["shape"])
        start, end = (int(offset) for offset in raw["data_offsets"])
        if min(shape, default=0) < 0 or end - start != math.prod(shape) * dtype.itemsize:
            raise DamagedSegment("a tensor's shape does not match its size")
        if not 0 <= start <= end <= self.nbytes - self._data:
            raise DamagedSegment("it is truncated")
        return dtype, shape, start, end

    def _length(self, name: str) -> int:
        """Bytes of a part."""
        _, _, start, end = self._entries[name]
        return end - start

    def _reopen(self, names: Iterable[str], part: str) -> dict[str, Tensor]:
        try:
            with self._folder.read(self.name) as file:
                # The header contains every part's checksum: the same header means the same bytes.
                if file.read(self._data) != len(self._header).to_bytes(8, "little") + self._header:
                    raise ReplacedSegment("another process replaced it")
                return self._read(file, names, part)
        except (OSError, MemoryError) as error:
            raise DamagedSegment(_reason(error)) from error

    def _read(self, file: io.BufferedReader, names: Iterable[str], part: str) -> dict[str, Tensor]:
        raw = {}
        for name in names:
            _, _, start, end = self._entries[name]
            file.seek(self._data + start)
            raw[name] = bytearray(end - start)
            if file.readinto(raw[name]) != end - start:
                raise DamagedSegment("it is truncated")
        if _checksum(raw.values()) != self._sums[part]:
            raise DamagedSegment(f"its {part} does not match its checksum")
        try:
            return {name: self._tensor(name, buffer) for name, buffer in raw.items()}
        except RuntimeError as error:
            # No bytes, but an impossible shape.
            raise DamagedSegment("a tensor's shape is invalid") from error

    def _tensor(self, name: str, raw: bytearray) -> Tensor:
        dtype, shape, _, _ = self._entries[name]
        if not raw:
            return torch.empty(shape, dtype=dtype)
        return torch.frombuffer(raw, dtype=dtype).view(shape)


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
    if isinstance(error, NotOurs):
        return f"it {error.what}"
    if isinstance(error, OSError):
        return f"it cannot be read ({error.strerror})"
    if isinstance(error, MemoryError):
        return "there is not enough memory to read it"
    return "its header is invalid"


def is_half_written(name: str) -> bool:
    """Whether a file has a temporary name of `write_segment`."""
    return _NAME.fullmatch(name) is not None


def sweep(folder: OwnFolder, name: str) -> None:
    """Remove a dead process's partial file; leave a live one's alone. Never raises."""
    found = _NAME.fullmatch(name)
    assert found is not None, "not a name that a writer gives"
    with contextlib.suppress(OSError):
        with folder.read(name) as file:
            stale = time.time() - os.fstat(file.fileno()).st_mtime > STALE_S
            gone = (stale or not _alive(int(found[1]))) and is_segment(file)
        if gone:
            folder.unlink(name)


def _alive(pid: int) -> bool:
    if pid == os.getpid():
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
