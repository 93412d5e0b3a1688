"""Reads a trace file line by line, trusting nothing in it.

Lines are bounded in length, so a compressed file cannot grow without limit in memory. A crash
leaves an incomplete last line: the file is valid up to there.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, NoReturn

from engine.errors import TraceError
from engine.trace.fields import Fields
from engine.trace.lines import HEADER, TraceEntry
from engine.trace.parsing import quick_entry, read_entry, read_header
from engine.trace.settings import TraceHeader

LONGEST_LINE = 32 << 20


class TraceReader:
    """The entries of a file, once, in order.

    Attributes:
        header: None for a file of plain Marconi lines.
        truncated: after the last entry: the last line was incomplete and was skipped.
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
        self._first: dict[str, Any] | None = None
        line = next(self._lines, None)
        if line is None:
            raise TraceError(f"{path.name} is empty; it holds no trace.")
        first = Fields(line)
        if first.has("event"):
            try:
                if first.text("event") != HEADER:
                    raise TraceError("it is not the header of a trace")
                self.header = read_header(first)
            except TraceError as error:
                self._damaged(error)
        else:
            self._first = line

    def __iter__(self) -> Iterator[TraceEntry]:
        if self._first is not None:
            first, self._first = self._first, None
            yield self._entry(first)
        for line in self._lines:
            yield self._entry(line)

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
        """The same error with the position of the last line read."""
        reason = str(error).rstrip(".")
        return TraceError(f"{self._path.name}, line {self._line:,}: {reason}.")

    def _entry(self, raw: dict[str, Any]) -> TraceEntry:
        quick = quick_entry(raw)
        if quick is not None:
            return TraceEntry(quick)
        try:
            return read_entry(Fields(raw), self._line)
        except TraceError as error:
            self._damaged(error)

    def _read(self) -> Iterator[dict[str, Any]]:
        try:
            with self._open() as file:
                while raw := file.readline(LONGEST_LINE + 1):
                    self._line += 1
                    whole = raw.endswith(b"\n")
                    if len(raw) > LONGEST_LINE:
                        self._damaged(TraceError("the line is too long"))
                    parsed = self._parsed(raw, whole)
                    if parsed is not None:
                        yield parsed
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            # After a crash a compressed file may end anywhere.
            if isinstance(error, EOFError) and self._line:
                self.truncated = True
                return
            raise TraceError(f"{self._path.name} cannot be unpacked: {error}.") from error
        except OSError as error:
            reason = error.strerror or error
            raise TraceError(f"{self._path.name} cannot be read: {reason}.") from error

    def _open(self) -> IO[bytes]:
        self._raw = self._path.open("rb")
        self._size = os.fstat(self._raw.fileno()).st_size
        if self._path.suffix == ".gz":
            return io.BufferedReader(_Unpacked(self._raw))
        return self._raw

    def _parsed(self, raw: bytes, whole: bool) -> dict[str, Any] | None:
        parsed = _quickly_parsed(raw)
        if type(parsed) is not dict:
            try:
                parsed = json.loads(raw, parse_constant=_refuse)
            except (ValueError, RecursionError):
                parsed = None
        if isinstance(parsed, dict):
            return parsed
        if whole:
            self._damaged(TraceError("it is not a JSON object"))
        self.truncated = True
        return None

    def _damaged(self, error: TraceError) -> NoReturn:
        raise self.refused(error) from None


class _Unpacked(gzip.GzipFile):
    """Closes the packed file, too, which gzip leaves open if it did not open it."""

    def __init__(self, raw: IO[bytes]) -> None:
        super().__init__(fileobj=raw, mode="rb")
        self._packed = raw

    def close(self) -> None:
        super().close()
        self._packed.close()


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number")


_scan: Callable[[str, int], tuple[object, int]]
_scan = json.JSONDecoder(parse_constant=_refuse).scan_once  # type: ignore[attr-defined]


def _quickly_parsed(raw: bytes) -> object:
    """The line as our writer writes it: without spaces around it; None if it is not."""
    try:
        text = raw.decode()
        parsed, end = _scan(text, 0)
    except (StopIteration, ValueError, RecursionError):
        return None
    return parsed if text[end:] in ("\n", "") else None
