"""The header of one GGUF file, checked against the file's size before memory is taken for it.

Format: the letters GGUF, a version, the numbers of tensors and of metadata entries, the entries, a
description of each tensor, padding, and the tensors' data. Source: docs/gguf.md of
github.com/ggml-org/ggml. All of it may come from anybody: nothing is believed before it is checked,
and nothing in the file is ever executed.
"""

from __future__ import annotations

import math
import struct
from array import array
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from engine.errors import ModelError
from engine.sentence import say
from kernels.blocks.types import BLOCK_TYPES, BlockType

MAGIC = b"GGUF"
VERSIONS = (2, 3)
ALIGNMENT, ALIGNMENT_KEY = 32, "general.alignment"
TOKENS_KEY = "tokenizer.ggml.tokens"
MOST_ALIGNMENT = 1 << 20
# Far beyond any model; more would be an attack on memory or patience.
MOST_HEADER_BYTES = 256 << 20
# Read at first; each further part is as long as what was read until then.
FIRST_BYTES = 1 << 18
MOST_ENTRIES = MOST_TENSORS = 1 << 18
MOST_TEXTS = 1 << 22
MOST_DEPTH, MOST_DIMENSIONS = 4, 4
LONGEST_NAME = 1024
# The numbers in metadata, by the type's id.
_NUMBERS = {
    0: "<u1",
    1: "<i1",
    2: "<u2",
    3: "<i2",
    4: "<u4",
    5: "<i4",
    6: "<f4",
    7: "<u1",
    10: "<u8",
    11: "<i8",
    12: "<f8",
}
_BOOL, _TEXT, _ARRAY = 7, 8, 9
# An entry has at least a name's length, a type and a byte; a tensor's a length, counts and offset.
_LEAST_ENTRY, _LEAST_TENSOR = 13, 32

_U32, _U64 = struct.Struct("<I"), struct.Struct("<Q")
Numbers = npt.NDArray[np.generic]
Read = Callable[[int], bytes]


class Texts:
    """An array of strings, decoded when asked for."""

    def __init__(self, header: _Parser, key: str, starts: array[int]) -> None:
        """starts: of each string's length in the file."""
        self._header, self._key, self._starts = header, key, starts

    def __len__(self) -> int:
        return len(self._starts)

    def __iter__(self) -> Iterator[str]:
        """Raises ModelError if one of them is not UTF-8."""
        for start in self._starts:
            yield self._header.text_at(start, self._key)


Value = int | float | bool | str | Numbers | Texts | tuple["Value", ...]


@dataclass(frozen=True, slots=True)
class TensorPlace:
    """One tensor of a file.

    Attributes:
        shape: outermost dimension first, as in PyTorch (the file states them the other way round).
        start, nbytes: of its data in the file; whole blocks lie along the last dimension.
    """

    path: Path
    type: BlockType
    shape: tuple[int, ...]
    start: int
    nbytes: int


@dataclass(frozen=True, slots=True)
class Header:
    """What a file says about itself.

    Attributes:
        metadata: by key.
        tensors: by name, without overlaps, all of them inside the file.
        nbytes: of the file.
    """

    path: Path
    version: int
    metadata: Mapping[str, Value]
    tensors: Mapping[str, TensorPlace]
    nbytes: int


def is_gguf(path: Path) -> bool:
    """Whether a path is meant as a GGUF file, by its name; whatever else it is, not a folder."""
    return path.suffix.lower() == ".gguf" and not path.is_dir()


def read_header(path: Path) -> Header:
    """Read the header of one file. Raises ModelError with what is wrong.

    It is read, not mapped: a touch of a mapped file that was cut short meanwhile ends the process.
    """
    try:
        size = path.stat().st_size
        with path.open("rb", buffering=0) as file:
            begun = file.read(FIRST_BYTES)
            if begun[:4] != MAGIC:
                raise ModelError(
                    '"{name}" is not a GGUF file: it does not begin with the letters GGUF.',
                    name=path.name,
                )
            if len(begun) < 8:
                raise _damaged(path, say("it ends after {size} bytes", size=size))
            return _Parser(path, begun, size, file.read).header()
    except FileNotFoundError:
        raise ModelError('There is no file "{path}".', path=path) from None
    except OSError as error:
        raise ModelError(
            '"{path}" cannot be read: {error}.', path=path, error=error.strerror or error
        ) from error


def begun_metadata(path: Path, raw: bytes) -> tuple[dict[str, Value], int]:
    """The metadata in the first bytes of a file, as far as they reach, and the number of tokens.

    path: what the file is called. The sizes of a model come before its vocabulary, so they are
    known from its first kilobytes. The number of tokens is 0 if it is not reached. Raises
    ModelError.
    """
    if raw[:4] != MAGIC:
        raise ModelError(
            '"{name}" is not a GGUF file: it does not begin with the letters GGUF.', name=path.name
        )
    return _Parser(path, raw, len(raw)).begun()


def _damaged(path: Path, what: str) -> ModelError:
    return ModelError("{name} is damaged: {what}; download it again.", name=path.name, what=what)


class _Parser:
    """Reads a file from its beginning; every length is checked before it is followed."""

    def __init__(self, path: Path, data: bytes, size: int, more: Read | None = None) -> None:
        """data: the beginning of the file's `size` bytes; more: reads at most so many further."""
        self._path, self._data, self._at = path, data, 4
        self._size, self._more = size, more
        self._end = min(size, MOST_HEADER_BYTES)

    def begun(self) -> tuple[dict[str, Value], int]:
        self._check_version()
        self._u64()
        metadata: dict[str, Value] = {}
        tokens = 0
        try:
            for _ in range(self._u64()):
                key, kind = self._name(say("a metadata key")), self._u32()
                if kind == _ARRAY and key == TOKENS_KEY:
                    (tokens,) = _U64.unpack_from(self._data, self._at + 4)
                metadata[key] = self._value(kind, key)
        except (ModelError, struct.error):
            # Where the bytes end.
            pass
        return metadata, tokens

    def header(self) -> Header:
        version = self._check_version()
        tensors, entries = self._u64(), self._u64()
        self._check_count(entries, MOST_ENTRIES, _LEAST_ENTRY, say("metadata entries"))
        self._check_count(tensors, MOST_TENSORS, _LEAST_TENSOR, say("tensors"))
        metadata: dict[str, Value] = {}
        for _ in range(entries):
            key = self._name(say("a metadata key"))
            if key in metadata:
                self._refuse(say('the key "{key}" is there twice', key=key))
            metadata[key] = self._value(self._u32(), key)
        alignment = self._alignment(metadata.get(ALIGNMENT_KEY, ALIGNMENT))
        stated = [self._tensor() for _ in range(tensors)]
        data = self._at + -self._at % alignment
        return Header(
            self._path, version, metadata, self._placed(stated, data, alignment), self._size
        )

    def text_at(self, at: int, key: str) -> str:
        """The string whose length is at `at`, which was checked when the header was read."""
        (length,) = _U64.unpack_from(self._data, at)
        try:
            return self._data[at + 8 : at + 8 + length].decode()
        except UnicodeDecodeError:
            self._refuse(say('"{key}" holds a text that is not UTF-8', key=key))

    def _value(self, kind: int, key: str, depth: int = 0) -> Value:
        if kind == _TEXT:
            return self.text_at(self._skip_text(), key)
        if kind == _ARRAY:
            return self._array(key, depth)
        if kind not in _NUMBERS:
            self._refuse(say('"{key}" has the unknown type {kind}', key=key, kind=kind))
        number = self._numbers(kind, 1, key)[0].item()
        return bool(number) if kind == _BOOL else number

    def _array(self, key: str, depth: int) -> Value:
        kind, count = self._u32(), self._u64()
        if kind == _ARRAY:
            if depth == MOST_DEPTH:
                self._refuse(say('"{key}" holds arrays in arrays without end', key=key))
            self._check_count(count, MOST_ENTRIES, 12, say('entries in "{key}"', key=key))
            return tuple(self._array(key, depth + 1) for _ in range(count))
        if kind != _TEXT:
            if kind not in _NUMBERS:
                self._refuse(say('"{key}" has the unknown type {kind}', key=key, kind=kind))
            return self._numbers(kind, count, key)
        self._check_count(count, MOST_TEXTS, 8, say('texts in "{key}"', key=key))
        return Texts(self, key, self._skip_texts(count))

    def _numbers(self, kind: int, count: int, key: str) -> Numbers:
        """`count` numbers, where they lie in the file."""
        dtype = np.dtype(_NUMBERS[kind])
        self._check_count(count, self._end, dtype.itemsize, say('numbers in "{key}"', key=key))
        self._reach(self._at + count * dtype.itemsize)
        found = np.frombuffer(self._data, dtype, count, self._at)
        self._at += count * dtype.itemsize
        return found

    def _skip_texts(self, count: int) -> array[int]:
        """Where each of the next strings starts. A vocabulary has hundreds of thousands."""
        starts, at = array("Q"), self._at
        data, length_at, add = self._data, _U64.unpack_from, starts.append
        last = len(data) - 8
        for _ in range(count):
            if at > last:
                data = self._reach(at + 8)
                last = len(data) - 8
            add(at)
            at += 8 + length_at(data, at)[0]
        self._reach(at)
        self._at = at
        return starts

    def _skip_text(self) -> int:
        return self._skip_texts(1)[0]

    def _name(self, what: str) -> str:
        (length,) = _U64.unpack_from(self._reach(self._at + 8), self._at)
        if length > LONGEST_NAME:
            self._refuse(say("{what} is {length} bytes long", what=what, length=length))
        return self.text_at(self._skip_text(), what)

    def _tensor(self) -> tuple[str, int, tuple[int, ...], int]:
        """Name, type, shape and offset as stated."""
        name = self._name(say("a tensor's name"))
        dimensions = self._u32()
        if not 1 <= dimensions <= MOST_DIMENSIONS:
            self._refuse(
                say('"{name}" has {dimensions} dimensions', name=name, dimensions=dimensions)
            )
        sizes = tuple(self._u64() for _ in range(dimensions))
        return name, self._u32(), sizes[::-1], self._u64()

    def _placed(
        self, stated: list[tuple[str, int, tuple[int, ...], int]], data: int, alignment: int
    ) -> dict[str, TensorPlace]:
        """The tensors' places; refuses those that overlap or leave the file."""
        placed: dict[str, TensorPlace] = {}
        for name, kind, shape, offset in stated:
            if name in placed:
                self._refuse(say('the tensor "{name}" is there twice', name=name))
            if kind not in BLOCK_TYPES:
                raise ModelError(
                    '{file}: "{name}" has the type {kind}, which Biplane does not know.',
                    file=self._path.name,
                    name=name,
                    kind=kind,
                )
            placed[name] = self._place(name, BLOCK_TYPES[kind], shape, data, offset, alignment)
        self._refuse_overlaps(placed)
        return placed

    def _place(
        self,
        name: str,
        type_: BlockType,
        shape: tuple[int, ...],
        data: int,
        offset: int,
        alignment: int,
    ) -> TensorPlace:
        numbers = math.prod(shape)
        if not numbers or shape[-1] % type_.weights:
            self._refuse(
                say(
                    '"{name}" cannot have the shape {shape} in {type}',
                    name=name,
                    shape=list(shape),
                    type=type_.name,
                )
            )
        nbytes = numbers // type_.weights * type_.bytes
        if offset % alignment:
            self._refuse(say('"{name}" is not aligned', name=name))
        if data + offset + nbytes > self._size:
            raise ModelError(
                '{file} is truncated: "{name}" should end at byte {end}, but the file has only '
                "{size}; download it again.",
                file=self._path.name,
                name=name,
                end=data + offset + nbytes,
                size=self._size,
            )
        return TensorPlace(self._path, type_, shape, data + offset, nbytes)

    def _refuse_overlaps(self, placed: Mapping[str, TensorPlace]) -> None:
        """A byte shared by many tensors would take memory many times, without limit."""
        end, before = 0, ""
        for name, place in sorted(placed.items(), key=lambda item: item[1].start):
            if place.start < end:
                self._refuse(say('"{before}" and "{name}" overlap', before=before, name=name))
            end, before = place.start + place.nbytes, name

    def _alignment(self, stated: Value) -> int:
        sound = isinstance(stated, int) and not isinstance(stated, bool)
        if not sound or not 0 < stated <= MOST_ALIGNMENT or stated & (stated - 1):  # type: ignore[operator]
            self._refuse(say('"{key}" is no power of two', key=ALIGNMENT_KEY))
        assert isinstance(stated, int)
        return stated

    def _check_count(self, count: int, most: int, least_bytes: int, what: str) -> None:
        """Refuse more of something than the rest of the file could hold, or any model needs."""
        if count * least_bytes > self._end - self._at or count > most:
            self._refuse(
                say("it claims {count} {what}, more than it can hold", count=count, what=what)
            )

    def _u32(self) -> int:
        return self._fixed(_U32)

    def _u64(self) -> int:
        return self._fixed(_U64)

    def _fixed(self, kind: struct.Struct) -> int:
        (number,) = kind.unpack_from(self._reach(self._at + kind.size), self._at)
        self._at += kind.size
        assert isinstance(number, int)
        return number

    def _check_version(self) -> int:
        version = self._u32()
        if version in VERSIONS:
            return version
        if int.from_bytes(version.to_bytes(4, "little"), "big") in VERSIONS:
            raise ModelError(
                "{name} is a GGUF file for big-endian machines, which Biplane does not read.",
                name=self._path.name,
            )
        raise ModelError(
            "{name} is a GGUF file of version {version}; Biplane reads 2 and 3.",
            name=self._path.name,
            version=version,
        )

    def _reach(self, end: int) -> bytes:
        """The file's bytes up to `end` at least, from its beginning."""
        while len(self._data) < end:
            wanted = min(max(end, 2 * len(self._data)), self._end) - len(self._data)
            read = self._more(wanted) if self._more and end <= self._end else b""
            if not read:
                self._refuse(say("its header does not fit into its {size} bytes", size=self._size))
            self._data += read
        return self._data

    def _refuse(self, what: str) -> NoReturn:
        raise _damaged(self._path, what)
