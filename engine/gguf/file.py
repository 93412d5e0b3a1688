"""A model in the GGUF format: one file, or the parts that it was split into.

Parts are named NAME-00001-of-00003.gguf; the first has the metadata, each has some of the tensors.
Source: tools/gguf-split of llama.cpp.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from engine.errors import ModelError
from engine.gguf.header import Header, TensorPlace, Texts, Value, is_gguf, read_header

_PART = re.compile(r"(?P<stem>.*)-(?P<number>\d{5})-of-(?P<count>\d{5})\.gguf", re.I | re.S)
_NUMBER, _COUNT, _TENSORS = "split.no", "split.count", "split.tensors.count"


@dataclass(frozen=True, slots=True)
class Gguf:
    """A model's headers.

    Attributes:
        path: of the file, or of the first part.
        files: every part's path, in order.
        metadata: of the first part.
        tensors: of all parts, by name.
        nbytes: of all files together.
    """

    path: Path
    files: tuple[Path, ...]
    metadata: Mapping[str, Value]
    tensors: Mapping[str, TensorPlace]
    nbytes: int

    def text(self, key: str) -> str | None:
        """A text in the metadata; None if it is absent or something else."""
        value = self.metadata.get(key)
        return value if isinstance(value, str) else None

    def whole(self, key: str) -> int | None:
        """An integer in the metadata; None if it is absent or something else."""
        value = self.metadata.get(key)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def number(self, key: str) -> float | None:
        """A number in the metadata; None if it is absent or something else."""
        value = self.metadata.get(key)
        sound = isinstance(value, int | float) and not isinstance(value, bool)
        return value if sound else None  # type: ignore[return-value]

    def texts(self, key: str) -> Texts | None:
        """An array of texts in the metadata; None if it is absent or something else."""
        value = self.metadata.get(key)
        return value if isinstance(value, Texts) else None


def read_gguf(path: Path) -> Gguf:
    """Read a model's headers, from its file or any of its parts. Raises ModelError.

    The last one is remembered while its files stay as they are: opening asks for it several times.
    """
    paths = tuple(part_paths(path))
    for part in paths:
        if len(paths) > 1 and not part.is_file():
            raise ModelError(
                "{name} is missing: the model was split into {count} files, which must be in one "
                "folder.",
                name=part.name,
                count=len(paths),
            )
    return _read(paths, tuple(map(_stamp, paths)))


def _stamp(path: Path) -> tuple[int, ...]:
    """Changes when a file does; empty if there is none, which reading it says."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


@lru_cache(maxsize=1)
def _read(paths: tuple[Path, ...], stamps: tuple[tuple[int, ...], ...]) -> Gguf:
    headers = [read_header(part) for part in paths]
    first = headers[0]
    _check_numbers(headers)
    tensors: dict[str, TensorPlace] = {}
    for header in headers:
        for name, place in header.tensors.items():
            if name in tensors:
                raise ModelError(
                    '"{name}" is in {file} and in {other}: these are parts of different models.',
                    name=name,
                    file=tensors[name].path.name,
                    other=place.path.name,
                )
            tensors[name] = place
    claimed = first.metadata.get(_TENSORS)
    if len(paths) > 1 and claimed is not None and claimed != len(tensors):
        raise ModelError(
            "The parts of {name} hold {found} tensors instead of {claimed}: they are of different "
            "models, or damaged; download them again.",
            name=first.path.name,
            found=len(tensors),
            claimed=claimed,
        )
    total = sum(header.nbytes for header in headers)
    return Gguf(first.path, paths, first.metadata, tensors, total)


def part_paths(path: Path) -> list[Path]:
    """The paths of all parts of the model that a file belongs to; the file alone if not split."""
    named = _PART.fullmatch(path.name)
    if named is None or not 1 <= int(named["number"]) <= int(named["count"]):
        return [path]
    count, end = named["count"], path.suffix
    return [
        path.with_name(f"{named['stem']}-{number:05}-of-{count}{end}")
        for number in range(1, int(count) + 1)
    ]


def model_name(path: Path) -> str:
    """The name that a model is shown by: of its folder, or of its file without number and end."""
    if not is_gguf(path):
        return path.resolve().name
    named = _PART.fullmatch(path.name)
    return named["stem"] if named else path.stem


def _check_numbers(headers: list[Header]) -> None:
    """Refuse parts that are not what their names say."""
    for number, header in enumerate(headers):
        count = header.metadata.get(_COUNT, 1 if len(headers) == 1 else None)
        stated = header.metadata.get(_NUMBER, 0 if len(headers) == 1 else None)
        if count == 0 and len(headers) == 1:
            # Written by tools that split nothing.
            continue
        if count != len(headers) or stated != number:
            raise ModelError(
                "{name} says that it is part {part} of {count}, which its name does not: give the "
                "parts of a split model the names they were published with.",
                name=header.path.name,
                part=stated + 1 if isinstance(stated, int) else 1,
                count=count if isinstance(count, int) else 1,
            )
