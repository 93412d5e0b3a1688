"""What the program is given to open, by a double click, a drop or another start: what each file is.

Without Qt. The beginning of a file decides before its name: a name may be anybody's.
"""

from __future__ import annotations

import os
import re
import socket
import stat
import zlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import unquote_to_bytes

from app.core.store.export import FORMAT
from app.core.words.tr import tr
from engine.errors import BiplaneError
from engine.journal.lines import FORMAT as TRACE_FORMAT

Kind = Literal["model", "trace", "conversations"]

_HEAD_BYTES = 4096
_GGUF, _GZIP = b"GGUF", b"\x1f\x8b"
_TRACE = re.compile(rb'\s*\{[^\n]{0,200}"format"\s*:\s*"' + TRACE_FORMAT.encode() + b'"')
_EXPORT = re.compile(rb'\s*\{\s*"format"\s*:\s*"' + FORMAT.encode() + b'"')
_TRACE_NAMES = (".jsonl", ".jsonl.gz")
_EXPORT_NAMES = (".json", ".zip")
# Files that say that the folder around them is a model.
_OF_A_MODEL = ("config.json", "generation_config.json", "tokenizer.json")
_WEIGHTS = ".safetensors"
_SUFFIXES = (*_TRACE_NAMES, *_EXPORT_NAMES, ".gguf", _WEIGHTS)


class GivenError(BiplaneError):
    """Something cannot be opened: which one, and why."""


@dataclass(frozen=True, slots=True)
class Given:
    """Something to open.

    Attributes:
        path: of the file, or of the model's folder.
        sure: its content says what it is, not its name alone.
    """

    kind: Kind
    path: Path
    sure: bool


def local_path(text: str) -> Path:
    """The absolute path that a word of a command line means: a path, or a file:// address.

    Raises GivenError for an address elsewhere.
    """
    path = text
    if not os.path.lexists(text):
        if text.startswith("file:"):
            path = _path_of(text)
        elif re.match(r"[A-Za-z][\w+.-]*://", text):
            raise GivenError(
                tr("{address} is not on this computer. Save it as a file, and open that.").format(
                    address=text[:200]
                )
            )
    if "\0" in path:
        raise GivenError(tr("{address} names no file.").format(address=text[:200]))
    return Path(os.path.abspath(path))


def recognise(path: Path) -> Given:
    """What a file or folder is. Reads its beginning, so not for the window's thread.

    Raises GivenError with a sentence if it is nothing that Biplane opens.
    """
    name = path.name or str(path)
    try:
        kind = path.stat().st_mode
        if stat.S_ISDIR(kind):
            return _folder(path)
        # A pipe or a device could be read for ever.
        head = _head(path) if stat.S_ISREG(kind) else b""
    except FileNotFoundError:
        raise GivenError(tr("There is no file {path}.").format(path=path)) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise GivenError(
            tr("{name} cannot be read: {reason}.").format(name=name, reason=reason)
        ) from None
    found = _by_content(path, head) or _by_name(path)
    if found is None or not stat.S_ISREG(kind):
        raise GivenError(
            tr(
                "{name} is nothing that Biplane opens: those are a model's folder, a .gguf file, "
                "a trace (.jsonl or .jsonl.gz), and exported conversations (.json or .zip)."
            ).format(name=name)
        )
    return found


def may_be_known(path: Path) -> bool:
    """Whether `recognise` should look at it: false for what is some other text by its name."""
    return path.name.lower().endswith(_SUFFIXES) or path.is_dir()


def _path_of(address: str) -> str:
    """The path of a file: address, whose host may be this computer's."""
    rest = address.removeprefix("file:")
    if rest.startswith("//"):
        host, slash, rest = rest[2:].partition("/")
        rest = slash + rest
        if host.lower() not in ("", "localhost", socket.gethostname().lower()):
            raise GivenError(
                tr("{address} is not on this computer. Save it as a file, and open that.").format(
                    address=address[:200]
                )
            )
    return os.fsdecode(unquote_to_bytes(rest))


def _folder(path: Path) -> Given:
    if (path / "config.json").is_file() or next(path.glob("*.gguf"), None) is not None:
        return Given("model", path, sure=True)
    raise GivenError(
        tr(
            "{name} is a folder without a model. A model's folder has a config.json and its "
            "weights in .safetensors files."
        ).format(name=path.name or path)
    )


def _head(path: Path) -> bytes:
    """The beginning of a file, unpacked."""
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
    if head.startswith(_GZIP):
        # Damaged: its reader will say so.
        with suppress(zlib.error):
            return zlib.decompressobj(31).decompress(head, _HEAD_BYTES)
    return head


def _by_content(path: Path, head: bytes) -> Given | None:
    if head.startswith(_GGUF):
        return Given("model", path, sure=True)
    if _TRACE.match(head):
        return Given("trace", path, sure=True)
    if _EXPORT.match(head):
        return Given("conversations", path, sure=True)
    return None


def _by_name(path: Path) -> Given | None:
    """A guess, whose reader will say what is wrong with the file."""
    name = path.name.lower()
    if name.endswith(_WEIGHTS) or name in _OF_A_MODEL:
        beside = (path.parent / "config.json").is_file()
        return Given("model", path.parent, sure=True) if beside else None
    if name.endswith(".gguf"):
        return Given("model", path, sure=False)
    if name.endswith(_TRACE_NAMES):
        return Given("trace", path, sure=False)
    return Given("conversations", path, sure=False) if name.endswith(_EXPORT_NAMES) else None
