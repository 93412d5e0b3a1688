"""Untrusted names: of repositories, and of the files in them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from engine.hub.failures import HubError

# What a model needs: configuration and tokenizer, chat template, weights, and texts about it.
KINDS = (".json", ".jinja", ".safetensors", ".txt")
GGUF = ".gguf"
# Beside a model in GGUF: what sees its images, and what its makers measured.
_BESIDE = ("mmproj", "imatrix")
_PART = re.compile(r"(.*)-\d{5}-of-\d{5}", re.DOTALL)
_LICENCES = ("license", "licence", "notice")
_LICENCE_KINDS = ("", ".md", ".txt", ".rst")
_REPO = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,94}[A-Za-z0-9_])?", re.ASCII)
_LONGEST_NAME = 200
MOST_FILES = 4096


def repo_id(text: str) -> str:
    """The "owner/name" that a user typed, or pasted as a URL. Raises HubError."""
    wanted = text.strip()
    if "://" in wanted:
        parts = urlsplit(wanted).path.strip("/").split("/")
        wanted = "/".join(parts[:2])
    owner, _, name = wanted.partition("/")
    for part in (owner, name):
        if not _REPO.fullmatch(part) or ".." in part or "--" in part or part.endswith(".git"):
            raise HubError(
                "missing",
                '"{text}" is not the name of a repository; it has the form '
                "owner/name, as in Qwen/Qwen3.5-0.8B.",
                text=_shown(text.strip()),
            )
    return wanted


def wanted_files(repo: str, names: Iterable[str]) -> tuple[str, ...]:
    """The files of a repository that a model needs: top-level files of known kinds.

    Of a repository without safetensors all of a model's GGUF files, of which one is enough.

    Raises HubError for the whole repository if any of its names would escape from a folder, or
    could be mistaken for another file: such a name was not made for a model.
    """
    found: list[str] = []
    packed: list[str] = []
    seen: dict[str, str] = {}
    for name in names:
        if not is_safe(name):
            raise HubError(
                "refused",
                '{repo} is refused: its file name "{name}" leads out of the folder of the model.',
                repo=repo,
                name=_shown(name),
            )
        if "/" in name or not (is_wanted(name) or is_packed(name)):
            continue
        if (other := seen.get(name.casefold())) is not None:
            raise HubError(
                "refused",
                '{repo} is refused: its files "{other}" and "{name}" would be '
                "one and the same on some disks.",
                repo=repo,
                other=_shown(other),
                name=_shown(name),
            )
        seen[name.casefold()] = name
        (packed if is_packed(name) else found).append(name)
        if len(found) + len(packed) > MOST_FILES:
            raise HubError(
                "refused",
                "{repo} is refused: it has more than {most_files:,} files.",
                repo=repo,
                most_files=MOST_FILES,
            )
    if "config.json" in found and any(name.endswith(".safetensors") for name in found):
        return tuple(found)
    if packed:
        # All else is in the file itself.
        return (*packed, *(name for name in found if not name.lower().endswith(KINDS[:3])))
    raise HubError(
        "unsuitable",
        "{repo} holds no model that Biplane can open: that needs a .gguf file, or config.json and "
        "weights as safetensors (pickle files are not read).",
        repo=repo,
    )


def packed_model(name: str) -> str:
    """The model that a GGUF file belongs to: its name without the end, and without a part's number;
    "" for another file.
    """
    if not is_packed(name):
        return ""
    stem = name[: -len(GGUF)]
    part = _PART.fullmatch(stem)
    return part[1] if part else stem


def is_packed(name: str) -> bool:
    """Whether a file is a model in GGUF, or a part of one."""
    lower = name.lower()
    return lower.endswith(GGUF) and not any(word in lower for word in _BESIDE)


def is_safe(name: str) -> bool:
    """Whether a name stays inside the folder it is joined to, on any system."""
    if not name or name.startswith("/") or not name.isprintable():
        return False
    if any(letter in name for letter in '\\:*?"<>|'):
        return False
    parts = name.split("/")
    return all(
        part not in ("", ".", "..") and len(part.encode()) <= _LONGEST_NAME for part in parts
    )


def is_wanted(name: str) -> bool:
    """Whether a top-level file of a repository belongs to a model."""
    lower = name.lower()
    if lower.startswith("."):
        return False
    stem, dot, end = lower.rpartition(".")
    licence, kind = (stem, f".{end}") if dot else (lower, "")
    if licence.startswith(_LICENCES) and kind in _LICENCE_KINDS:
        return True
    return lower.endswith(KINDS)


def _shown(text: str) -> str:
    """An untrusted name for a sentence: truncated, and without control characters."""
    clean = "".join(letter if letter.isprintable() else "�" for letter in text)
    return clean if len(clean) <= 80 else f"{clean[:79]}…"
