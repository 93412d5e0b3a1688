"""The quick checks: memory, disk, folders, the processor, and the graphics driver."""

from __future__ import annotations

import os
import platform
import re
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from app.core.checks.finding import Finding
from app.core.words import format as fmt
from app.core.words.joining import sentence
from app.core.words.tr import tr
from engine.machine_speed import processor

_MIB = 1 << 20
# The program with the bundled model takes about this much; with less it would swap.
_LEAST_MEMORY = 768 * _MIB
_LITTLE_MEMORY = 3 << 30
_LEAST_DISK, _LITTLE_DISK = 256 * _MIB, 4 << 30
NVIDIA_FILE = Path("/proc/driver/nvidia/version")
# PyTorch's wheels on PyPI are built with CUDA 13, whose drivers begin with this one.
LEAST_DRIVER = 580
_NUMBER = re.compile(r"\b(\d{3,4})\.(\d+(?:\.\d+)?)\b")
_X86 = ("x86_64", "amd64", "i386", "i686")


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder that the program writes to.

    Attributes:
        id: of its finding, after "folder."; what: its content, in words.
    """

    id: str
    what: str
    path: Path


def memory(total: int, available: int) -> Finding:
    """Whether a model has room. Both in bytes."""
    title = tr("Memory")
    free = tr("{free} of {total} are free").format(
        free=fmt.byte_size(available), total=fmt.byte_size(total)
    )
    if available < _LEAST_MEMORY:
        return Finding(
            "memory",
            title,
            "problem",
            tr("Only {free}: too little even for the bundled model.").format(free=free),
            tr("Close other programs, and open the model again."),
        )
    if available < _LITTLE_MEMORY:
        return Finding(
            "memory",
            title,
            "note",
            tr("{free}: enough for small models only.").format(free=free),
            tr("View > Models shows which ones fit."),
        )
    return Finding("memory", title, "ok", sentence(free))


def disk(folders: Sequence[Folder], free_of: Callable[[Path], int] | None = None) -> list[Finding]:
    """Room on the disks of the folders, one finding for each disk."""
    measured: dict[object, tuple[Folder, int]] = {}
    for folder in folders:
        place = existing(folder.path)
        try:
            free = (free_of or _free)(place)
            measured.setdefault(place.stat().st_dev, (folder, free))
        except OSError:
            # Its own finding says what is wrong with the folder.
            continue
    return [_disk(folder, free) for folder, free in measured.values()]


def _disk(folder: Folder, free: int) -> Finding:
    id, title = f"disk.{folder.id}", tr("Disk")
    said = tr("{free} are free where {what} are kept").format(
        free=fmt.byte_size(free), what=folder.what
    )
    if free < _LEAST_DISK:
        return Finding(
            id,
            title,
            "problem",
            tr("Only {said}.").format(said=said),
            tr("Make room: what is written next may be lost."),
        )
    if free < _LITTLE_DISK:
        return Finding(
            id,
            title,
            "note",
            tr("{said}: little for models and cache files.").format(said=said),
            tr("Settings > Data shows what can be deleted."),
        )
    return Finding(id, title, "ok", sentence(said))


def writable(folders: Sequence[Folder]) -> list[Finding]:
    """The folders that cannot be written, else one finding for all of them.

    One that is not there yet is not created.
    """
    wrong = [(one, reason) for one in folders if (reason := _unwritable(one.path))]
    if not wrong:
        said = tr("Everything that Biplane keeps can be written.")
        return [Finding("folders", tr("Folders"), "ok", said)]
    return [
        Finding(
            f"folder.{one.id}",
            tr("Folder"),
            "problem",
            tr("{folder} cannot be written ({reason}), so {what} are not kept.").format(
                folder=one.path, reason=reason, what=one.what
            ),
            tr("Make the folder yours, or make room on its disk, and start Biplane again."),
        )
        for one, reason in wrong
    ]


def processor_level(machine: str, name: str, flags: frozenset[str]) -> Finding:
    """Whether the processor has the instructions that the kernels are written for.

    machine: as in platform.machine(); flags: its instruction sets; none: unknown.
    """
    title = tr("Processor")
    if machine.lower() in _X86 and flags and "avx2" not in flags:
        return Finding(
            "processor",
            title,
            "note",
            tr("{name} lacks AVX2: everything works, but several times slower.").format(name=name),
            tr("Small models are the ones to take."),
        )
    return Finding("processor", title, "ok", tr("{name} can run the kernels.").format(name=name))


def driver_version(text: str) -> tuple[int, str] | None:
    """The driver's first number, and all of it, as /proc/driver/nvidia/version states it."""
    first = next((line for line in text.splitlines() if line.startswith("NVRM version:")), "")
    found = _NUMBER.search(first)
    return (int(found[1]), found[0]) if found else None


def driver(text: str | None) -> Finding:
    """Whether the graphics driver is new enough for the CUDA part.

    text: of the driver's file; None if there is none. Only the number is judged: whether a card
    computes is known once the CUDA part has run there.
    """
    title = tr("Graphics driver")
    if text is None:
        said = tr("No NVIDIA driver is loaded: models run on the processor.")
        return Finding("driver", title, "ok", said)
    found = driver_version(text)
    if found is None:
        return Finding(
            "driver",
            title,
            "note",
            tr("An NVIDIA driver is loaded, but its version cannot be read."),
            tr("Models run on the processor."),
        )
    number, whole = found
    if number < LEAST_DRIVER:
        return Finding(
            "driver",
            title,
            "note",
            tr("The NVIDIA driver {version} is too old for CUDA 13.").format(version=whole),
            tr(
                "Models run on the processor. Install driver {least} or newer to use the card."
            ).format(least=LEAST_DRIVER),
        )
    said = tr("The NVIDIA driver {version} is new enough for CUDA 13.").format(version=whole)
    return Finding("driver", title, "ok", said)


def nvidia_text(path: Path = NVIDIA_FILE) -> str | None:
    """What the loaded driver says of itself; None if there is none."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(4096)
    except OSError:
        return None


def machine_findings(folders: Sequence[Folder]) -> list[Finding]:
    """All quick checks. Reads and writes on disks, so not for the window's thread."""
    free = psutil.virtual_memory()
    name, flags = processor()
    return [
        memory(free.total, free.available),
        *disk(folders),
        *writable(folders),
        processor_level(platform.machine(), name, flags),
        driver(nvidia_text()),
    ]


def existing(path: Path) -> Path:
    """The folder itself, or the nearest one above it that is there."""
    return next((one for one in (path, *path.parents) if os.path.lexists(one)), path)


def _free(path: Path) -> int:
    return shutil.disk_usage(path).free


def _unwritable(path: Path) -> str:
    """Why nothing can be written there; "" if it can."""
    place = existing(path)
    if not place.is_dir():
        return tr("{path} is no folder").format(path=place)
    if place != path:
        return "" if os.access(place, os.W_OK | os.X_OK) else tr("it cannot be created")
    try:
        with tempfile.TemporaryFile(dir=path) as file:
            file.write(b"x")
    except OSError as error:
        return error.strerror or type(error).__name__
    return ""
