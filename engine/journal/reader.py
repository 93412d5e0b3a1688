"""Reads a trace file line by line, trusting nothing in it.

Lines are bounded in length, so a compressed file cannot grow without limit in memory. A crash
leaves an incomplete last line: the file is valid up to there.
"""

from __future__ import annotations

import gzip
import io
import os
import zlib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import IO, NoReturn

from engine.errors import TraceError
from engine.journal.lines import HEADER, TraceEntry
from engine.journal.parsing import parsed, read_header, read_line
from engine.journal.settings import TraceHeader

LONGEST_LINE = 32 << 20


class TraceReader:
    """Iterates once over the entries of a file.

    Attributes:
        header: None for a file of plain Marconi lines.
        truncated: valid after the last entry: the last line was incomplete and was skipped.
    """

    def __init__(self, path: Path) -> None:
        """Read the first line. Raises TraceError if the file cannot be read as a trace."""
        self._path = path
        self._line = 0
        self._size = 0
        self._raw: IO[bytes] | None = None
        self.header: TraceHeader | None = None
        self.truncated = False
        self._lines = self._read()
        first = next(self._lines, b"")
        plain = parsed(first)
        if plain is None:
            if first:
                self._unfinished(first)
            raise TraceError("{name} is empty; it holds no trace.", name=path.name)
        event = plain.get("event")
        if event is None:
            self._lines = chain((first,), self._lines)
            return
        try:
            if event != HEADER:
                raise TraceError("it is not the header of a trace")
            self.header = read_header(plain)
        except TraceError as error:
            self._damaged(error)

    def __iter__(self) -> Iterator[TraceEntry]:
        for raw in self._lines:
            try:
                entry = read_line(raw, self._line)
            except TraceError as error:
                self._damaged(error)
            if entry is None:
                self._unfinished(raw)
            else:
                yield entry

    @property
    def line(self) -> int:
        """Number of the last line read, from 1."""
        return self._line

    @property
    def done(self) -> float:
        """How much of the file was read, 0 to 1."""
        if self._raw is None or not self._size:
            return 0.0
        return 1.0 if self._raw.closed else min(self._raw.tell() / self._size, 1.0)

    def refused(self, error: TraceError) -> TraceError:
        """The error with the position of the last line read added."""
        reason = str(error).rstrip(".")
        return TraceError(
            "{name}, line {line:,}: {reason}.", name=self._path.name, line=self._line, reason=reason
        )

    def _read(self) -> Iterator[bytes]:
        try:
            with self._open() as file:
                while raw := file.readline(LONGEST_LINE + 1):
                    self._line += 1
                    if len(raw) > LONGEST_LINE:
                        self._damaged(TraceError("the line is too long"))
                    yield raw
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            # After a crash a compressed file may end anywhere.
            if isinstance(error, EOFError) and self._line:
                self.truncated = True
                return
            raise TraceError(
                "{name} cannot be unpacked: {error}.", name=self._path.name, error=error
            ) from error
        except OSError as error:
            reason = error.strerror or error
            raise TraceError(
                "{name} cannot be read: {reason}.", name=self._path.name, reason=reason
            ) from error

    def _open(self) -> IO[bytes]:
        self._raw = self._path.open("rb")
        self._size = os.fstat(self._raw.fileno()).st_size
        if self._path.suffix == ".gz":
            return io.BufferedReader(_Unpacked(self._raw))
        return self._raw

    def _unfinished(self, raw: bytes) -> None:
        """Skip a last line that is not a JSON object; anywhere else it is an error."""
        if raw.endswith(b"\n"):
            self._damaged(TraceError("it is not a JSON object"))
        self.truncated = True

    def _damaged(self, error: TraceError) -> NoReturn:
        raise self.refused(error) from None


class _Unpacked(gzip.GzipFile):
    """Also closes the packed file, which gzip leaves open if it did not open it."""

    def __init__(self, raw: IO[bytes]) -> None:
        super().__init__(fileobj=raw, mode="rb")
        self._packed = raw

    def close(self) -> None:
        super().close()
        self._packed.close()
