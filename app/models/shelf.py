"""The models that the window lists: what is here, what is being fetched, what could be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from app.models.family import FAMILY
from engine.hub.library import Downloaded, Unfinished
from engine.hub.manifest import Manifest

# In the order of the list.
Kind = Literal["bundled", "downloaded", "folder", "begun", "found", "known"]
HERE: tuple[Kind, ...] = ("bundled", "downloaded", "folder")


@dataclass(frozen=True, slots=True)
class Entry:
    """One model of the list.

    Attributes:
        key: tells it from the others, and stays when it is downloaded: its repository or folder.
        repo: "" if it is not from the hub; folder: None if it is not here.
        manifest: its files, once they are known.
        problem: why it is not whole any more; "" if it is.
        done_bytes: of an unfinished download.
    """

    key: str
    kind: Kind
    name: str
    repo: str = ""
    folder: Path | None = None
    licence: str = ""
    about: str = ""
    manifest: Manifest | None = None
    problem: str = ""
    done_bytes: int = 0

    @property
    def here(self) -> bool:
        return self.kind in HERE


def shelf(
    bundled: Path,
    recent: Sequence[Path],
    downloaded: Sequence[Downloaded],
    unfinished: Sequence[Unfinished],
    found: Mapping[str, Manifest],
) -> tuple[Entry, ...]:
    """All entries, in the order of the list.

    Args:
        recent: folders that were opened; found: repositories that the user looked up.
    """
    about = {known.repo: known.about for known in FAMILY}
    made = [Entry(str(bundled), "bundled", "Biplane demo", folder=bundled)]
    for each in downloaded:
        manifest = each.manifest
        made.append(
            Entry(
                key=manifest.repo,
                kind="downloaded",
                name=name_of(manifest.repo),
                repo=manifest.repo,
                folder=each.folder,
                licence=manifest.licence,
                about=about.get(manifest.repo, ""),
                manifest=manifest,
                problem=each.problem,
            )
        )
    taken = {bundled, *(each.folder for each in downloaded)}
    made += [
        Entry(str(folder), "folder", folder.name or str(folder), folder=folder)
        for folder in recent
        if folder not in taken
    ]
    for left in unfinished:
        manifest = left.manifest
        made.append(
            Entry(
                key=manifest.repo,
                kind="begun",
                name=name_of(manifest.repo),
                repo=manifest.repo,
                licence=manifest.licence,
                about=about.get(manifest.repo, ""),
                manifest=manifest,
                done_bytes=left.done_bytes,
            )
        )
    listed = {entry.repo for entry in made}
    for repo, manifest in found.items():
        if repo not in listed and repo not in about:
            made.append(
                Entry(
                    repo, "found", name_of(repo), repo, licence=manifest.licence, manifest=manifest
                )
            )
    for known in FAMILY:
        if known.repo not in listed:
            manifest_of = found.get(known.repo)
            made.append(
                Entry(
                    key=known.repo,
                    kind="known",
                    name=known.name,
                    repo=known.repo,
                    licence=known.licence,
                    about=known.about,
                    manifest=manifest_of,
                )
            )
    return tuple(made)


def name_of(repo: str) -> str:
    """ "Qwen/Qwen3.5-0.8B" -> "Qwen3.5-0.8B"."""
    return repo.partition("/")[2]
