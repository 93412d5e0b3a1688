"""The name of a cache's namespace: data computed under one is never used under another."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch

from engine.errors import ModelError
from engine.gguf.file import Gguf, read_gguf
from engine.gguf.header import TensorPlace, is_gguf
from engine.model.config import config_values
from engine.model.file_bytes import FileRows
from engine.model.safetensors_file import SafetensorsFile, TensorEntry
from engine.model.tensor_store import file_names

SAMPLES = 64
SAMPLE_BYTES = 16
# Summed at a time, in memory that stays in a cache.
SUM_BYTES = 1 << 20


def fingerprint(folder: Path, *settings: str) -> str:
    """32 hexadecimal digits for a model and the settings that its numbers depend on.

    Covers only the files that are loaded: name, type, shape and place of every tensor, and up to 64
    samples of 16 bytes from each, which any retraining changes; a change of a few single numbers
    may go undetected. Also all of config.json, and so positions (RoPE) and precision. The folder's
    name and its tokenizer do not matter. Raises ModelError.

    Of a GGUF file, any single changed byte of a tensor counts: published files of one model differ
    in few of them. Of its metadata, what config.json would hold does.

    Args:
        settings: everything else the bytes depend on: dtypes, the kernels' version.
    """
    digest = hashlib.blake2b(digest_size=16)
    for name in sorted(settings):
        digest.update(f"{name}\n".encode())
    digest.update(json.dumps(config_values(folder), sort_keys=True).encode())
    if is_gguf(folder):
        for described in _tensors(read_gguf(folder)):
            digest.update(described)
        return digest.hexdigest()
    for name in file_names(folder):
        file = SafetensorsFile(folder / name)
        digest.update(json.dumps(_described(file), sort_keys=True).encode())
        for sample in _samples(file.path, file.entries.values()):
            digest.update(sample)
    return digest.hexdigest()


def _tensors(gguf: Gguf) -> Iterator[bytes]:
    """Name, type, shape, samples and sums of every tensor, by name. Raises ModelError."""
    for name, place in sorted(gguf.tensors.items()):
        yield json.dumps([name, place.type.name, place.shape]).encode()
        yield from _samples(place.path, (place,))
        yield _sums(name, place)


def _sums(name: str, place: TensorPlace) -> bytes:
    """Sums of a tensor's words, which any single changed byte changes. Raises ModelError."""
    words, total = place.nbytes & -8, 0
    data = FileRows(place.path, place.start, (place.nbytes, 1), torch.uint8, name)
    for at in range(0, words, SUM_BYTES):
        part = data[at : min(at + SUM_BYTES, words)].numpy().reshape(-1).view("<u8")
        total += int(np.add.reduce(part, dtype=np.uint64))
    return (total % 2**64).to_bytes(8, "little") + data[words:].numpy().tobytes()


def _described(file: SafetensorsFile) -> dict[str, Any]:
    """Its tensors as described in the header."""
    return {
        name: {
            "dtype": entry.dtype,
            "shape": list(entry.shape),
            "data_offsets": [entry.start - file.data, entry.start - file.data + entry.nbytes],
        }
        for name, entry in file.entries.items()
    }


def _samples(path: Path, entries: Iterable[TensorEntry | TensorPlace]) -> Iterator[bytes]:
    """Bytes from all over each tensor, in file order. Raises ModelError."""
    try:
        with path.open("rb") as opened:
            for entry in sorted(entries, key=lambda entry: entry.start):
                step = max(entry.nbytes // SAMPLES, SAMPLE_BYTES)
                for at in range(0, entry.nbytes, step):
                    opened.seek(entry.start + at)
                    yield opened.read(min(SAMPLE_BYTES, entry.nbytes - at))
    except OSError as error:
        raise ModelError(
            "{name} cannot be read: {error}.", name=path.name, error=error.strerror or error
        ) from error
