"""What a download consists of, kept beside its files: to go on with it, and to know it later."""

from __future__ import annotations

import dataclasses
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import BiplaneError
from engine.hub.names import MOST_FILES, is_safe, is_wanted, repo_id

# A folder that holds the first is not a model yet; one that holds the second came from the hub.
UNFINISHED, SOURCE = "biplane-unfinished.json", "biplane-source.json"
VERSION = 1
_MOST_BYTES = 4 << 20
_HEX = re.compile(r"[0-9a-f]+")
_SHA256, _SHA1 = 64, 40


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """One file of a repository.

    Attributes:
        size: in bytes.
        sha256: of a large file (kept in LFS), as the repository states it; "" for a small one.
        git: the sha1 of a small file as git counts it; "" for a large one.
    """

    name: str
    size: int
    sha256: str
    git: str

    @property
    def digest(self) -> str:
        """Whatever identifies its content."""
        return self.sha256 or self.git


@dataclass(frozen=True, slots=True)
class Manifest:
    """A repository at one commit.

    Attributes:
        revision: what was asked for, "main"; commit: what it was then.
        licence: as the repository states it, "" if it does not.
        gated: its licence has to be accepted before its files can be had.
        files: those that a model needs, the smallest first.
    """

    repo: str
    revision: str
    commit: str
    licence: str
    gated: bool
    files: tuple[RemoteFile, ...]

    @property
    def bytes(self) -> int:
        return sum(file.size for file in self.files)


def write(manifest: Manifest, path: Path) -> None:
    """Write it atomically, and to the disk itself. Raises OSError."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    text = json.dumps({"version": VERSION} | dataclasses.asdict(manifest), indent=1)
    with fresh.open("w", encoding="utf-8") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    fresh.replace(path)
    sync_folder(path.parent)


def read(path: Path) -> Manifest | None:
    """What was written; None if there is nothing, or nothing that can be trusted."""
    try:
        if path.is_symlink():
            return None
        with path.open("rb") as source:
            data = source.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            return None
        return _manifest(json.loads(data))
    except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None
    except BiplaneError:
        return None


def remote_file(name: object, size: object, sha256: object, git: object) -> RemoteFile:
    """A file as a stranger states it. Raises ValueError."""
    if not isinstance(name, str) or type(size) is not int or not 0 <= size < 1 << 50:
        raise ValueError("file")
    lfs, blob = _digest(sha256, _SHA256), _digest(git, _SHA1)
    if not lfs and not blob:
        raise ValueError("digest")
    return RemoteFile(name, size, lfs, "" if lfs else blob)


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk, where the system can."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _digest(value: object, length: int) -> str:
    if not value:
        return ""
    if not isinstance(value, str) or len(value) != length or not _HEX.fullmatch(value):
        raise ValueError("digest")
    return value


def _manifest(raw: dict[str, Any]) -> Manifest:
    if raw["version"] != VERSION or not raw["files"] or len(raw["files"]) > MOST_FILES:
        raise ValueError("version")
    files = tuple(
        remote_file(each["name"], each["size"], each["sha256"], each["git"])
        for each in raw["files"]
    )
    revision, commit, licence = (raw[name] for name in ("revision", "commit", "licence"))
    texts = (revision, commit, licence)
    if not all(isinstance(text, str) for text in texts) or not isinstance(raw["gated"], bool):
        raise ValueError("texts")
    if not _HEX.fullmatch(commit):
        raise ValueError("commit")
    for file in files:
        if not is_safe(file.name) or "/" in file.name or not is_wanted(file.name):
            raise ValueError("name")
    return Manifest(repo_id(raw["repo"]), revision, commit, licence, raw["gated"], files)
