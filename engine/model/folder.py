"""The tensors of a model folder, from the headers of its files: used, unused and missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.model.safetensors_file import DTYPES, SafetensorsFile, TensorEntry
from engine.model.tensor_store import FP8, HEAD, SCALE
from engine.model.weight_files import file_names

VISION, PREDICTION, OTHER = "vision", "multi-token prediction", "outside the text model"


@dataclass(frozen=True, slots=True)
class UnusedTensors:
    """Tensors of one purpose that are not loaded; `bytes` as stored."""

    purpose: str
    tensors: int
    bytes: int


@dataclass(frozen=True, slots=True)
class FolderTensors:
    """The contents of the files.

    Attributes:
        entries: every tensor, by its name in the files.
        missing_files: named by the index but absent.
        disk_bytes: of the safetensors files present.
    """

    entries: Mapping[str, TensorEntry]
    missing_files: tuple[str, ...]
    disk_bytes: int


def read_headers(folder: Path) -> FolderTensors:
    """Read the headers, but no weights. Raises ModelError if a file is damaged or there is none."""
    missing: list[str] = []
    entries: dict[str, TensorEntry] = {}
    size = 0
    for name in file_names(folder):
        path = folder / name
        if not path.is_file():
            missing.append(name)
            continue
        entries.update(SafetensorsFile(path).entries)
        size += path.stat().st_size
    return FolderTensors(entries, tuple(missing), size)


def purpose_of(name: str) -> str:
    """The purpose of a tensor outside the text model, by its published name."""
    if ".visual." in f".{name}" or ".vision" in f".{name}":
        return VISION
    return PREDICTION if name.startswith(("mtp.", "model.mtp.")) else OTHER


def unused(
    found: Mapping[str, TensorEntry], expected: Mapping[str, tuple[int, ...]], *, tied: bool
) -> tuple[UnusedTensors, ...]:
    """Unused tensors, by purpose."""
    sums: dict[str, list[int]] = {}
    for name, entry in found.items():
        # A tied model's files may hold the head a second time; 8-bit floats have scales.
        if name.removesuffix(SCALE) in expected or (tied and name == HEAD):
            continue
        counted = sums.setdefault(purpose_of(name), [0, 0])
        counted[0] += 1
        counted[1] += entry.nbytes
    return tuple(UnusedTensors(purpose, *counted) for purpose, counted in sorted(sums.items()))


def wrong(
    found: Mapping[str, TensorEntry], expected: Mapping[str, tuple[int, ...]]
) -> tuple[str, ...]:
    """A sentence for each tensor with a wrong shape or an unsupported dtype."""
    sentences = []
    for name, shape in expected.items():
        entry = found.get(name)
        if entry is None:
            continue
        if entry.shape != shape:
            sentences.append(
                f'"{name}" has shape {list(entry.shape)}; config.json asks for {list(shape)}.'
            )
        elif entry.dtype == FP8:
            if name + SCALE not in found:
                sentences.append(f'"{name}" is stored as {FP8} without its "{name}{SCALE}".')
        elif entry.dtype not in DTYPES:
            known = ", ".join(DTYPES)
            sentences.append(f'"{name}" is stored as {entry.dtype}; expected {known} or {FP8}.')
    return tuple(sentences)
