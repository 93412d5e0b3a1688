"""The files of a model folder that hold its weights: those in the index, or a single one.

Other files in the folder are ignored and never opened.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from engine.errors import ModelError
from engine.model.safetensors_file import SafetensorsFile

INDEX, SINGLE = "model.safetensors.index.json", "model.safetensors"
MAX_INDEX_BYTES = 64 << 20


def file_names(folder: Path) -> list[str]:
    """The names of the files to load, sorted. Raises ModelError."""
    placed = _placement(folder)
    return [SINGLE] if placed is None else sorted(set(placed.values()))


def open_files(folder: Path) -> dict[str, SafetensorsFile]:
    """The file of each tensor to load, with checked headers. Raises ModelError."""
    placed = _placement(folder)
    if placed is None:
        file = SafetensorsFile(folder / SINGLE)
        return dict.fromkeys(file.entries, file)
    files = {name: SafetensorsFile(folder / name) for name in sorted(set(placed.values()))}
    store = {}
    for tensor, name in placed.items():
        if tensor not in files[name].entries:
            raise ModelError(f'{INDEX} says that {name} holds "{tensor}", but it does not.')
        store[tensor] = files[name]
    return store


def _placement(folder: Path) -> Mapping[str, str] | None:
    """The name of each tensor's file in the index; None if one file holds them all."""
    index = folder / INDEX
    if not index.is_file():
        if not (folder / SINGLE).is_file():
            raise ModelError(
                f'"{folder}" has neither {SINGLE} nor {INDEX}; only safetensors files are read.'
            )
        return None
    try:
        if index.stat().st_size > MAX_INDEX_BYTES:
            raise ValueError("it is too large")
        stated = json.loads(index.read_text("utf-8"))["weight_map"]
        placed = {str(tensor): str(name) for tensor, name in stated.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ModelError(f"{INDEX} cannot be read: {error!r}.") from error
    for name in sorted(set(placed.values())):
        if Path(name).name != name or not name.endswith(".safetensors"):
            raise ModelError(f'{INDEX} names "{name}", which is not a file in this folder.')
    return placed
