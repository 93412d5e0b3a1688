"""The pinned list of what the CUDA part consists of; `packaging/cuda_lock.py` writes it."""

from __future__ import annotations

import hashlib
import json
import platform
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

FORMAT = 1
_MOST_BYTES = 1 << 20
_FILE = r"^[A-Za-z0-9_.+!-]{1,200}\.whl\Z"
_WORD = r"^[A-Za-z0-9_.+!-]{1,100}\Z"


@dataclass(frozen=True, slots=True)
class Wheel:
    """A package, pinned.

    Attributes:
        file: its name; url: where it lies; size: in bytes.
    """

    name: Annotated[str, Meta(pattern=_WORD)]
    version: Annotated[str, Meta(pattern=_WORD)]
    file: Annotated[str, Meta(pattern=_FILE)]
    url: str
    sha256: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
    size: Annotated[int, Meta(ge=1, lt=1 << 40)]


@dataclass(frozen=True, slots=True)
class WheelList:
    """What the CUDA part consists of.

    Attributes:
        python: of which it is for, "cp311"; machine: "x86_64".
        driver: the first number of the oldest driver that it works with.
    """

    format: int
    python: Annotated[str, Meta(pattern=_WORD)]
    machine: Annotated[str, Meta(pattern=_WORD)]
    driver: Annotated[int, Meta(ge=1)]
    wheels: Annotated[tuple[Wheel, ...], Meta(min_length=1, max_length=200)]

    @property
    def nbytes(self) -> int:
        """To be downloaded."""
        return sum(wheel.size for wheel in self.wheels)

    @property
    def digest(self) -> str:
        """Names the contents: another list is another part."""
        return hashlib.sha256("\n".join(one.sha256 for one in self.wheels).encode()).hexdigest()[
            :16
        ]

    @property
    def fits(self) -> bool:
        """Whether it is for this Python on this kind of computer."""
        here = f"cp{sys.version_info.major}{sys.version_info.minor}"
        same = self.python == here and self.machine == platform.machine()
        return same and sys.platform == "linux"


def list_file() -> Path:
    """The bundled list; missing where no CUDA part is offered."""
    import assets

    return Path(assets.__file__).parent / "cuda.json"


def bundled() -> WheelList | None:
    """The list for this program; None if there is none that it can use."""
    try:
        with list_file().open("rb") as file:
            found = read(file.read(_MOST_BYTES))
    except (OSError, ValueError):
        return None
    return found if found.fits else None


def read(raw: bytes) -> WheelList:
    """Raises ValueError if it is no list, or one of another format."""
    values: Any = json.loads(raw)
    try:
        found = msgspec.convert(values, WheelList)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None
    if found.format != FORMAT or len({re.sub(r"[-_.]+", "-", w.name) for w in found.wheels}) != len(
        found.wheels
    ):
        raise ValueError("another format, or a package twice")
    return found
