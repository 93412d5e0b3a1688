"""The listed models, including well-known published ones, and the details of the selected one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from app.core.words.tr import tr
from engine.hub.failures import HubError
from engine.hub.library import Downloaded, Unfinished
from engine.hub.manifest import Manifest
from engine.hub.search import Match
from engine.machine_speed import MachineSpeed
from engine.model.family import PUBLISHED

if TYPE_CHECKING:
    from engine.hub.download import Progress
    from engine.model.needs import ModelNeeds


# In the order of the list.
Kind = Literal["bundled", "downloaded", "folder", "file", "begun", "found", "known", "match"]
HERE: tuple[Kind, ...] = ("bundled", "downloaded", "folder", "file")


@dataclass(frozen=True, slots=True)
class Known:
    """A published model.

    Attributes:
        config: the sizes of its text model, as in config.json.
        about: its strengths, in a few words.
    """

    repo: str
    licence: str
    about: str
    config: dict[str, Any]

    @property
    def name(self) -> str:
        return self.repo.partition("/")[2]


FAMILY: tuple[Known, ...] = tuple(
    Known(f"Qwen/{name}", "apache-2.0", about, PUBLISHED[name])
    for name, about in (
        ("Qwen3.5-0.8B", tr("small and quick")),
        ("Qwen3.5-2B", tr("for everyday questions")),
        ("Qwen3.5-4B", tr("a good all-rounder")),
        ("Qwen3.5-9B", tr("writes and codes well")),
        ("Qwen3.5-27B", tr("strong, wants a GPU")),
        ("Qwen3.5-35B-A3B", tr("large, and yet quick")),
        ("Qwen3-Next-80B-A3B-Instruct", tr("needs much memory")),
    )
)


@dataclass(frozen=True, slots=True)
class ShelfEntry:
    """One model in the list.

    Attributes:
        key: its repository or folder; stays the same when it is downloaded.
        repo: "" if it is not from the hub; folder: or file; None if it is not local.
        manifest: its files, once known.
        problem: why it is incomplete; "" if it is not.
        done_bytes: of an unfinished download.
        parameters: as the hub states them, 0 if it does not.
        choice: which model of a repository with several GGUF files; "" for a whole repository.
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
    parameters: int = 0
    choice: str = ""

    @property
    def here(self) -> bool:
        return self.kind in HERE

    @property
    def place(self) -> Path | None:
        """What is opened: the folder, or the GGUF file that was downloaded into it."""
        if self.folder is None or self.manifest is None:
            return self.folder
        return self.folder / self.manifest.first


def shelf(
    bundled: Path,
    recent: Sequence[Path],
    downloaded: Sequence[Downloaded],
    unfinished: Sequence[Unfinished],
    found: Mapping[str, Manifest],
    matches: Sequence[Match] = (),
    files: Sequence[Path] = (),
) -> tuple[ShelfEntry, ...]:
    """All entries, in the order of the list.

    Args:
        recent: folders and files opened before; found: repositories that the user looked up;
            matches: those of a search; files: those that other programs keep.
    """
    about = {known.repo: known.about for known in FAMILY}
    made = [ShelfEntry(str(bundled), "bundled", "Biplane demo", folder=bundled)]
    for each in downloaded:
        manifest = each.manifest
        made.append(
            ShelfEntry(
                key=manifest.repo,
                kind="downloaded",
                name=_model_of(manifest),
                repo=manifest.repo,
                folder=each.folder,
                licence=manifest.licence,
                about=about.get(manifest.repo, ""),
                manifest=manifest,
                problem=each.problem,
            )
        )
    taken = {bundled, *(place for each in downloaded for place in (each.folder, each.place))}
    for place in dict.fromkeys((*recent, *files)):
        if place not in taken:
            kind: Kind = "file" if place.suffix.lower() == ".gguf" else "folder"
            made.append(ShelfEntry(str(place), kind, place.name or str(place), folder=place))
    for left in unfinished:
        manifest = left.manifest
        made.append(
            ShelfEntry(
                key=manifest.repo,
                kind="begun",
                name=_model_of(manifest),
                repo=manifest.repo,
                licence=manifest.licence,
                about=about.get(manifest.repo, ""),
                manifest=manifest,
                done_bytes=left.done_bytes,
            )
        )
    listed = {entry.repo for entry in made}
    for repo, manifest in found.items():
        if repo in listed or repo in about:
            continue
        for choice in manifest.choices:
            one = manifest.only(choice)
            made.append(
                ShelfEntry(
                    f"{repo}/{choice}",
                    "found",
                    choice,
                    repo,
                    licence=manifest.licence,
                    manifest=one,
                    choice=choice,
                )
            )
        if not manifest.choices:
            made.append(
                ShelfEntry(
                    repo, "found", name_of(repo), repo, licence=manifest.licence, manifest=manifest
                )
            )
    for known in FAMILY:
        if known.repo not in listed:
            manifest_of = found.get(known.repo)
            made.append(
                ShelfEntry(
                    key=known.repo,
                    kind="known",
                    name=known.name,
                    repo=known.repo,
                    licence=known.licence,
                    about=known.about,
                    manifest=manifest_of,
                )
            )
    listed = {entry.repo for entry in made}
    made += [
        ShelfEntry(
            match.repo,
            "match",
            name_of(match.repo),
            match.repo,
            licence=match.licence,
            parameters=match.parameters,
        )
        for match in matches
        if match.repo not in listed
    ]
    return tuple(made)


def _model_of(manifest: Manifest) -> str:
    """What is here of a repository: its one GGUF file, or all of it."""
    return next(iter(manifest.choices), name_of(manifest.repo))


def name_of(repo: str) -> str:
    """ "Qwen/Qwen3.5-0.8B" -> "Qwen3.5-0.8B"."""
    return repo.partition("/")[2]


@dataclass(frozen=True, slots=True)
class Shown:
    """Everything known of one model.

    Attributes:
        needs: None until known.
        progress: of its download in this run; None if there is none.
        problem: an error other than the download's.
        host_bytes: the cache's limit in main memory.
    """

    entry: ShelfEntry
    needs: ModelNeeds | None
    progress: Progress | None
    problem: HubError | None
    speed: MachineSpeed | None
    measuring: bool
    is_open: bool
    host_bytes: int
    can_keep: bool
