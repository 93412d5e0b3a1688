"""The name of a cache's namespace: data computed under one is never used under another."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.errors import ModelError
from engine.model.config import config_values
from engine.model.safetensors_file import SafetensorsFile
from engine.model.tensor_store import file_names

SAMPLES = 64
SAMPLE_BYTES = 16


def fingerprint(folder: Path, *settings: str) -> str:
    """32 hexadecimal digits for a model folder and the settings that its numbers depend on.

    Covers only the files that are loaded: name, type, shape and place of every tensor, and up to 64
    samples of 16 bytes from each, which any retraining changes; a change of a few single numbers
    may go undetected. Also all of config.json, and so positions (RoPE) and precision. The folder's
    name and its tokenizer do not matter. Raises ModelError.

    Args:
        settings: everything else the bytes depend on: dtypes, the kernels' version.
    """
    digest = hashlib.blake2b(digest_size=16)
    for name in sorted(settings):
        digest.update(f"{name}\n".encode())
    digest.update(json.dumps(config_values(folder), sort_keys=True).encode())
    for name in file_names(folder):
        file = SafetensorsFile(folder / name)
        digest.update(json.dumps(_described(file), sort_keys=True).encode())
        for sample in _samples(file):
            digest.update(sample)
    return digest.hexdigest()


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


def _samples(file: SafetensorsFile) -> Iterator[bytes]:
    """Bytes from all over each tensor, in file order. Raises ModelError."""
    try:
        with file.path.open("rb") as opened:
            for entry in sorted(file.entries.values(), key=lambda entry: entry.start):
                step = max(entry.nbytes // SAMPLES, SAMPLE_BYTES)
                for at in range(0, entry.nbytes, step):
                    opened.seek(entry.start + at)
                    yield opened.read(min(SAMPLE_BYTES, entry.nbytes - at))
    except OSError as error:
        raise ModelError(
            "{name} cannot be read: {error}.", name=file.path.name, error=error.strerror or error
        ) from error
