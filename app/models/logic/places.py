"""Where models are on this computer: GGUF files that other programs keep, and what was chosen.

The folders are those that the programs use by default, or as their variables say. Nothing in them
is changed, and of a file only the header is read.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from engine.errors import ModelError

# Bounds of a look at a folder: those programs put two or three folders around a file.
MOST_DEPTH, MOST_SEEN, MOST_FILES = 5, 20_000, 500
_END = ".gguf"


def model_place(path: Path) -> Path:
    """The model that a chosen file stands for: itself, or else the folder it lies in."""
    return path if path.is_dir() or path.suffix.lower() == _END else path.parent


def known_folders(
    home: Path | None = None, variables: Mapping[str, str] | None = None
) -> dict[str, tuple[Path, ...]]:
    """The folders in which each program keeps its files, whether they exist or not, by program."""
    home = Path.home() if home is None else home
    of = os.environ if variables is None else variables
    cache, data, settings = _usual(home, of)
    hub = Path(of.get("HF_HOME") or cache / "huggingface") / "hub"
    if sys.platform != "linux":
        hub = Path(of.get("HF_HOME") or home / ".cache" / "huggingface") / "hub"
    return {
        "LM Studio": (home / ".lmstudio" / "models", home / ".cache" / "lm-studio" / "models"),
        "llama.cpp": (Path(of.get("LLAMA_CACHE") or cache / "llama.cpp"),),
        "Jan": (
            data / "Jan" / "data" / "llamacpp" / "models",
            settings / "Jan" / "data" / "llamacpp" / "models",
            home / "jan" / "models",
        ),
        "Hugging Face": (Path(of.get("HF_HUB_CACHE") or hub),),
    }


def gguf_files(folders: Mapping[str, tuple[Path, ...]]) -> tuple[Path, ...]:
    """The GGUF files in these folders that Biplane can open, by name. May take seconds.

    Of a model split into parts the first; a file that is not readable, or of a model that Biplane
    does not run, is left out.
    """
    # Imports torch, so not on the window's thread.
    from engine.gguf.file import part_paths, read_gguf
    from engine.model.gguf_config import config_values

    found: dict[Path, Path] = {}
    for places in folders.values():
        for place in places:
            for path in _files(place):
                if path != part_paths(path)[0] or len(found) >= MOST_FILES:
                    continue
                try:
                    config_values(read_gguf(path))
                    # The same file under two names, as in the cache of Hugging Face.
                    found.setdefault(path.resolve(), path)
                except (ModelError, OSError):
                    continue
    return tuple(sorted(found.values(), key=lambda path: (path.name.casefold(), path)))


def _usual(home: Path, of: Mapping[str, str]) -> tuple[Path, Path, Path]:
    """The folders of programs' caches, data and settings on this system."""
    if sys.platform == "darwin":
        support = home / "Library" / "Application Support"
        return home / "Library" / "Caches", support, support
    if sys.platform == "win32":
        roaming = Path(of.get("APPDATA") or home / "AppData" / "Roaming")
        return Path(of.get("LOCALAPPDATA") or home / "AppData" / "Local"), roaming, roaming
    return (
        Path(of.get("XDG_CACHE_HOME") or home / ".cache"),
        Path(of.get("XDG_DATA_HOME") or home / ".local" / "share"),
        Path(of.get("XDG_CONFIG_HOME") or home / ".config"),
    )


def _files(folder: Path) -> Iterator[Path]:
    """The GGUF files in a folder and the folders in it, links to folders left out."""
    seen, waiting = 0, [(folder, 0)]
    while waiting:
        place, depth = waiting.pop()
        try:
            with os.scandir(place) as entries:
                names = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in names:
            seen += 1
            if seen > MOST_SEEN:
                return
            if entry.is_dir(follow_symlinks=False):
                if depth < MOST_DEPTH:
                    waiting.append((Path(entry.path), depth + 1))
            elif entry.name.lower().endswith(_END):
                yield Path(entry.path)
