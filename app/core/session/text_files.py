"""Reads a file to attach to a message: text only, within a message's size limit.

Without Qt. Reading from a slow disk may block: never on the window's thread.
"""

from __future__ import annotations

import codecs
import os
import stat
from pathlib import Path

from app.core.session.attachments import MOST_FILE_BYTES, Attachment, attachment
from app.core.words import format as fmt
from app.core.words.tr import tr
from engine.errors import BiplaneError

# Without it, opening a pipe that has no writer would block for ever.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_FOREIGN = bytes(range(0x80, 0x100))
_CONTROLS = dict.fromkeys(set(range(0x20)) - set(b"\t\n\r\f\v\x1b\x08"))
# Text has next to no control characters, and Western text is mostly ASCII.
_MOST_CONTROLS = 0.01
_MOST_FOREIGN = 0.3


class FileError(BiplaneError):
    """A file cannot be attached: which one, and why."""


def read_text_file(path: Path) -> Attachment:
    """Read a file. Raises FileError with a sentence."""
    name = path.name or str(path)
    try:
        handle = os.open(path, _FLAGS)
        with os.fdopen(handle, "rb") as file:
            found = os.fstat(file.fileno())
            if stat.S_ISDIR(found.st_mode):
                raise FileError(
                    tr("{name} is a folder; only text files can be attached.").format(name=name)
                )
            if not stat.S_ISREG(found.st_mode):
                raise FileError(
                    tr("{name} is not an ordinary file; only text files can be attached.").format(
                        name=name
                    )
                )
            # Some files report a size of 0; one byte more detects one that is too large.
            raw = file.read(MOST_FILE_BYTES + 1)
    except OSError as error:
        if path.is_dir():
            raise FileError(
                tr("{name} is a folder; only text files can be attached.").format(name=name)
            ) from error
        raise FileError(
            tr("{name} cannot be read: {strerror}.").format(
                name=name, strerror=error.strerror or error
            )
        ) from error
    if len(raw) > MOST_FILE_BYTES:
        most = fmt.byte_size(MOST_FILE_BYTES)
        raise FileError(
            tr("{name} is too large: a file may have at most {most}.").format(name=name, most=most)
        )
    text = decoded(raw)
    if text is None:
        raise FileError(tr("{name} is not a text file.").format(name=name))
    lines = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
    if not lines.strip():
        raise FileError(tr("{name} is empty.").format(name=name))
    # The size of its text in a message: the same before and after sending.
    return attachment(name, lines, len(lines.encode()))


def decoded(raw: bytes) -> str | None:
    """Decode a file: UTF-8, UTF-16 with a byte order mark, else Western 8-bit; None if it is not
    text."""
    for bom, encoding in _BOMS:
        if raw.startswith(bom):
            return _text(raw, encoding)
    return _text(raw, "utf-8") if _is_utf8(raw) else _western(raw)


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _western(raw: bytes) -> str | None:
    foreign = len(raw) - len(raw.translate(None, _FOREIGN))
    if foreign > _MOST_FOREIGN * len(raw):
        return None
    # cp1252 has letters where Latin-1 has control characters, and is equal otherwise.
    return _text(raw, "cp1252")


def _text(raw: bytes, encoding: str) -> str | None:
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError:
        return None
    controls = len(text) - len(text.translate(_CONTROLS))
    return None if "\0" in text or controls > _MOST_CONTROLS * len(text) else text
