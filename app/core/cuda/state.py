"""Where the CUDA part lies, and what is known of it."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path

import msgspec
import platformdirs

from engine.private_files import read_object, write_whole

# Without this file there is nothing to look for.
STATE = "state.json"


@dataclass(frozen=True, slots=True)
class State:
    """What is known of the installed part.

    Attributes:
        digest: of its list; "" if none is installed.
        passed: its check has passed on this computer.
        told: what the check, or the last start, said of it.
    """

    digest: str = ""
    passed: bool = False
    told: str = ""


def cuda_folder() -> Path:
    """Where the CUDA part is installed."""
    return platformdirs.user_data_path("biplane", appauthor=False) / "cuda"


def site(root: Path, digest: str) -> Path:
    """The folder of packages of a list."""
    return root / digest


def read(root: Path) -> State:
    """What is installed; damage counts as nothing."""
    try:
        found = msgspec.convert(read_object(root / STATE), State)
    except msgspec.ValidationError:
        return State()
    known = re.fullmatch(r"[0-9a-f]{16}", found.digest) is not None
    return found if known and site(root, found.digest).is_dir() else State()


def keep(root: Path, state: State) -> None:
    """Write down what is installed. Raises OSError."""
    write_whole(root / STATE, json.dumps(asdict(state), indent=1) + "\n")
