"""Unpacks a wheel into a folder of packages, whatever its archive claims."""

from __future__ import annotations

import os
import shutil
import stat
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from app.core.words.tr import tr
from engine.errors import BiplaneError

# A wheel of shared libraries unpacks to three times its size at most.
_MOST_TIMES, _SPARE_BYTES = 40, 64 << 20
_LIBRARIES = ("purelib", "platlib")
_PIECE = 1 << 20


class WheelError(BiplaneError):
    """A wheel cannot be used: which one, and why."""


def unpack(wheel: Path, folder: Path, check: Callable[[], None] = lambda: None) -> None:
    """Unpack a wheel; its scripts and headers are left out.

    check: called now and then; its exceptions end the work.

    Raises WheelError, before anything was written outside of `folder`, and OSError.
    """
    name = wheel.name
    try:
        with zipfile.ZipFile(wheel) as archive:
            members = [one for one in archive.infolist() if not one.is_dir()]
            most = _MOST_TIMES * wheel.stat().st_size + _SPARE_BYTES
            if sum(one.file_size for one in members) > most:
                raise WheelError(tr("{name} unpacks to far too much.").format(name=name))
            wanted = [
                (one, target) for one in members if (target := _target(one, name)) is not None
            ]
            for one, target in wanted:
                check()
                _write(archive, one, folder / target, check)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise WheelError(tr("{name} is damaged.").format(name=name)) from error


def _target(member: zipfile.ZipInfo, wheel: str) -> Path | None:
    """Where a member belongs, relative to the folder; None if it is not needed."""
    said = member.filename
    path = PurePosixPath(said)
    kind = member.external_attr >> 16
    strange = (
        path.is_absolute()
        or ".." in path.parts
        or "\\" in said
        or ":" in said
        or any(ord(char) < 32 for char in said)
        or stat.S_ISLNK(kind)
    )
    if strange or not path.parts:
        raise WheelError(
            tr("{name} contains {path}, which no package may: it is not used.").format(
                name=wheel, path=repr(said[:100])
            )
        )
    if path.parts[0].endswith(".data"):
        if len(path.parts) < 3 or path.parts[1] not in _LIBRARIES:
            return None
        return Path(*path.parts[2:])
    return Path(*path.parts)


def _write(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path, check: Callable[[], None]
) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    left = member.file_size
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
    mode = 0o755 if (member.external_attr >> 16) & 0o111 else 0o644
    with archive.open(member) as source, os.fdopen(os.open(target, flags, mode), "wb") as file:
        while piece := source.read(_PIECE):
            left -= len(piece)
            if left < 0:
                raise zipfile.BadZipFile("longer than stated")
            file.write(piece)
            check()


def room_for(folder: Path, nbytes: int) -> int:
    """Bytes that are missing on the folder's disk; 0 if there are enough."""
    return max(0, nbytes - shutil.disk_usage(folder).free)
