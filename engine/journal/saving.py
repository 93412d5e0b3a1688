"""Saves a tape as a trace file, with no more content than requested."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from engine.cache.journal.changes import CacheFound, CacheOpened
from engine.errors import TraceError
from engine.journal.lines import header_line
from engine.journal.recorder import LineMaker
from engine.journal.settings import TraceHeader
from engine.journal.tape import Tape
from engine.journal.token_hash import WINDOW
from engine.private_files import open_private

_UNKNOWN = "�".encode()


def origin_of(tape: Tape) -> float:
    """Start of the recording on the tape's clock; earlier requests have earlier times."""
    for index in range(tape.first, len(tape)):
        entry = tape.entry(index)
        if isinstance(entry.what, CacheFound | CacheOpened):
            return entry.time
    return 0.0


def save_tape(tape: Tape, path: Path, *, text: bool) -> int:
    """Write a tape to a file, compressed if its name ends in .gz; returns the number of lines.

    Args:
        text: keep token ids, their text and the answers; False writes hashes of them.

    Raises:
        TraceError: the tape has no settings or has dropped its beginning, or the file cannot be
            written.
    """
    if tape.header is None:
        raise TraceError("This trace states no settings, so it cannot be saved in our format.")
    if tape.first:
        raise TraceError(
            "The first entries of this tape were forgotten, so it cannot be saved; "
            "Cache > Record trace keeps all from the start."
        )
    lines = 0
    try:
        os.close(open_private(path))
        with gzip.open(path, "wb") if path.suffix == ".gz" else path.open("wb") as file:
            for line in _lines(tape, tape.header, text):
                file.write(line.encode())
                lines += 1
    except OSError as error:
        reason = error.strerror or error
        raise TraceError(
            "The trace {name} cannot be written: {reason}.", name=path.name, reason=reason
        ) from error
    return lines


def _lines(tape: Tape, header: TraceHeader, text: bool) -> Iterator[str]:
    # Hashes have no text; hashed again they could not be compared with the original file.
    hashed = header.hashed
    wanted = replace(header, hashed=hashed or not text, text=header.text and text and not hashed)
    if wanted.hashed and not hashed:
        wanted = replace(wanted, hash_window=WINDOW)
    yield header_line(wanted)
    written = replace(wanted, hashed=wanted.hashed and not hashed)
    known = None if hashed else lambda token: tape.pieces.get(token, _UNKNOWN)
    maker = LineMaker(written, origin_of(tape), known)
    for index in range(len(tape)):
        yield maker.line(tape.entry(index))
