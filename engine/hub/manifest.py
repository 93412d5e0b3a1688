"""A download's file list, stored next to its files: to resume it, and to identify it later."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from engine.errors import BiplaneError
from engine.hub.failures import HubError
from engine.hub.names import MOST_FILES, is_packed, is_safe, is_wanted, packed_model, repo_id
from engine.private_files import read_object
from engine.sentence import say

# A folder with the first file is not a model yet; one with the second came from the hub.
UNFINISHED, SOURCE = "biplane-unfinished.json", "biplane-source.json"
VERSION = 1
_MOST_BYTES = 4 << 20


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """One file of a repository.

    Attributes:
        size: in bytes.
        sha256: of a large file (kept in LFS), as the repository states it; "" for a small one.
        git: the sha1 of a small file as git computes it; "" for a large one.
    """

    name: str
    size: Annotated[int, Meta(ge=0, lt=1 << 50)]
    sha256: Annotated[str, Meta(pattern=r"^([0-9a-f]{64})?\Z")]
    git: Annotated[str, Meta(pattern=r"^([0-9a-f]{40})?\Z")]

    @property
    def digest(self) -> str:
        """The hash that identifies its content."""
        return self.sha256 or self.git


@dataclass(frozen=True, slots=True)
class Manifest:
    """A repository at one commit.

    Attributes:
        revision: what was requested, "main"; commit: what that was at the time.
        licence: as the repository states it, "" if it does not.
        gated: whether its licence has to be accepted before its files can be downloaded.
        files: those that a model needs, smallest first.
    """

    repo: str
    revision: str
    commit: Annotated[str, Meta(pattern=r"^[0-9a-f]+\Z")]
    licence: str
    gated: bool
    files: Annotated[tuple[RemoteFile, ...], Meta(min_length=1, max_length=MOST_FILES)]

    @property
    def bytes(self) -> int:
        return sum(file.size for file in self.files)

    @property
    def choices(self) -> Mapping[str, int]:
        """The models in GGUF, one of which is enough, and the bytes of each, smallest first."""
        sizes: dict[str, int] = {}
        for file in self.files:
            if model := packed_model(file.name):
                sizes[model] = sizes.get(model, 0) + file.size
        return dict(sorted(sizes.items(), key=lambda item: item[1]))

    def only(self, choice: str) -> Manifest:
        """The same with one of the choices. Raises HubError if there is no such."""
        files = tuple(f for f in self.files if packed_model(f.name) in ("", choice))
        made = dataclasses.replace(self, files=files)
        if choice in made.choices:
            return made
        raise HubError(
            "missing",
            "{repo} has no {choice}.gguf; it has {names}.",
            repo=self.repo,
            choice=choice,
            names=", ".join(self.choices) or say("none"),
        )

    @property
    def first(self) -> str:
        """The GGUF file to open, the first part of it if it is split; "" for a model's folder."""
        return min((file.name for file in self.files if is_packed(file.name)), default="")


def write(manifest: Manifest, path: Path) -> None:
    """Write it atomically, and flush it to disk. Raises OSError."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    text = json.dumps({"version": VERSION} | dataclasses.asdict(manifest), indent=1)
    with fresh.open("w", encoding="utf-8") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    fresh.replace(path)
    sync_folder(path.parent)


def read(path: Path) -> Manifest | None:
    """The stored manifest; None if there is none, or none that can be trusted."""
    try:
        raw = {} if path.is_symlink() else read_object(path, _MOST_BYTES)
        if raw.get("version") != VERSION:
            return None
        found = msgspec.convert(raw, Manifest)
        found = dataclasses.replace(found, repo=repo_id(found.repo))
    except (OSError, BiplaneError, msgspec.ValidationError):
        return None
    sound = all(
        one.digest
        and is_safe(one.name)
        and "/" not in one.name
        and (is_wanted(one.name) or is_packed(one.name))
        for one in found.files
    )
    return found if sound else None


def remote_file(name: object, size: object, sha256: object, git: object) -> RemoteFile:
    """A file from untrusted values. Raises ValueError."""
    lfs = sha256 or ""
    said = {"name": name, "size": size, "sha256": lfs, "git": "" if lfs else git or ""}
    try:
        found = msgspec.convert(said, RemoteFile)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None
    if not found.digest:
        raise ValueError("digest")
    return found


def sync_folder(folder: Path) -> None:
    """Flush a folder's entries to disk, if the system can."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
