"""The download folder: which models are complete, which are not, and where each is."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.hub.failures import HubError
from engine.hub.manifest import SOURCE, UNFINISHED, Manifest, read
from engine.hub.names import repo_id
from engine.hub.part import END
from engine.sentence import say

# Next to the owners' folders; no owner's name begins with a dot.
ASIDE = ".unfinished"


@dataclass(frozen=True, slots=True)
class Downloaded:
    """A model downloaded from the hub.

    Attributes:
        problem: why it is no longer complete, in one sentence; "" if all its files exist.
    """

    folder: Path
    manifest: Manifest
    problem: str = ""

    @property
    def place(self) -> Path:
        """What is opened: the folder, or the GGUF file in it."""
        return self.folder / self.manifest.first


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A download that was paused, interrupted or killed; `done_bytes` of it have arrived."""

    manifest: Manifest
    done_bytes: int


class Library:
    """The folder of all downloads, laid out as ROOT/owner/name.

    Attributes:
        root: need not exist.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    def folder(self, repo: str) -> Path:
        """The folder of a repository's complete model. Raises HubError for a wrong name."""
        owner, _, name = repo_id(repo).partition("/")
        return self.root / owner / name

    def aside(self, repo: str) -> Path:
        """The folder of its files until then. Raises HubError for a wrong name."""
        return self.root / ASIDE / repo_id(repo).replace("/", "--")

    def downloaded(self) -> tuple[Downloaded, ...]:
        """Every model that is or once was complete, by name. Reads no weights."""
        found = []
        for owner in _folders(self.root):
            for folder in _folders(owner):
                manifest = read(folder / SOURCE)
                if manifest is None or (folder / UNFINISHED).exists():
                    continue
                if self.folder(manifest.repo) == folder:
                    found.append(Downloaded(folder, manifest, _problem(folder, manifest)))
        return tuple(sorted(found, key=lambda each: each.manifest.repo.casefold()))

    def unfinished(self) -> tuple[Unfinished, ...]:
        """Every download that can be resumed, by name."""
        found = []
        for folder in _folders(self.root / ASIDE):
            manifest = read(folder / UNFINISHED) or read(folder / SOURCE)
            if manifest is not None and self.aside(manifest.repo) == folder:
                found.append(Unfinished(manifest, done_bytes(folder, manifest)))
        return tuple(sorted(found, key=lambda each: each.manifest.repo.casefold()))

    def discard(self, repo: str) -> None:
        """Delete an unfinished download. Raises OSError."""
        aside = self.aside(repo)
        if aside.is_symlink():
            aside.unlink()
        elif aside.exists():
            shutil.rmtree(aside)

    def owned(self, folder: Path) -> Downloaded:
        """The download in `folder`. Raises HubError if it does not belong to this library."""
        for each in self.downloaded():
            if each.folder == folder.absolute():
                return each
        raise HubError(
            "refused", "{folder} is not a model that Biplane has downloaded.", folder=folder
        )


def done_bytes(aside: Path, manifest: Manifest) -> int:
    """Bytes of an unfinished download that are on the disk."""
    done = 0
    for file in manifest.files:
        for path in (aside / file.name, aside / f"{file.name}{END}"):
            size = plain_size(path)
            if size is not None:
                done += min(size, file.size)
                break
    return done


def plain_size(path: Path) -> int | None:
    """The size of a plain file; None if it is missing, or is a link or a folder."""
    try:
        return path.lstat().st_size if path.is_file() and not path.is_symlink() else None
    except OSError:
        return None


def _problem(folder: Path, manifest: Manifest) -> str:
    for file in manifest.files:
        size = plain_size(folder / file.name)
        if size is None:
            return say(
                "{name} is missing: remove the model, and download it again.", name=file.name
            )
        if size != file.size:
            return say(
                "{name} has been changed: remove the model, and download it again.", name=file.name
            )
    return ""


def _folders(parent: Path) -> Iterator[Path]:
    """The folders in a folder, excluding links and hidden ones."""
    try:
        with os.scandir(parent) as entries:
            names = sorted(e.name for e in entries if e.is_dir(follow_symlinks=False))
    except OSError:
        return
    for name in names:
        if not name.startswith("."):
            yield parent / name
