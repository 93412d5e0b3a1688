"""Writes errors to the log with their whole traceback, but without text of a conversation.

An error may carry what it failed on: a UnicodeEncodeError the whole prompt, a KeyError a word of
it. So only messages that cannot hold such text are written; the others are omitted.
"""

from __future__ import annotations

import copy
import logging
import traceback
from types import TracebackType

from engine.errors import CacheError, InvariantError, LoadCancelled, ModelError, TraceError

LINE = "%(asctime)s %(process)d %(threadName)s %(levelname)s %(name)s: %(message)s"
LEFT_OUT = "(message omitted; --log-level debug includes it)"
LONGEST = 500
# Our own sentences about folders and files, and Python's messages about modules and bytes.
_HARMLESS = (
    CacheError,
    ImportError,
    InvariantError,
    LoadCancelled,
    MemoryError,
    ModelError,
    TraceError,
)

_ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class PrivateFormatter(logging.Formatter):
    """Formats records as lines; errors with their frames and, where safe, their messages.

    Attributes:
        whole: include the message of every error (debug level).
    """

    def __init__(self, *, whole: bool = False) -> None:
        super().__init__(LINE)
        self.whole = whole

    def format(self, record: logging.LogRecord) -> str:
        """A line, and the error below it."""
        # A record caches the error as its first handler formatted it: neither use nor leave that.
        own = copy.copy(record)
        own.exc_text = None
        return super().format(own)

    def formatException(self, ei: _ExcInfo) -> str:
        """The traceback of an error and of its causes."""
        error = ei[1]
        return "" if error is None else "\n".join(self._chain(error, set()))

    def _chain(self, error: BaseException, seen: set[int]) -> list[str]:
        seen.add(id(error))
        lines: list[str] = []
        before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        if before is not None and id(before) not in seen:
            lines += [*self._chain(before, seen), "", "which led to:", ""]
        lines.append("Traceback (most recent call last):")
        # Frames show source lines, never values.
        frames = traceback.format_tb(error.__traceback__)
        lines += "".join(frames).rstrip().splitlines()
        kind = type(error)
        said = str(error)[:LONGEST] if self.whole else harmless_message(error)
        lines.append(f"{kind.__module__}.{kind.__qualname__}: {said}")
        if isinstance(error, BaseExceptionGroup):
            for part in error.exceptions:
                lines += self._chain(part, seen)
        return lines


def harmless_message(error: BaseException) -> str:
    """An error's message, if it cannot contain text of a conversation."""
    if isinstance(error, OSError) and error.errno is not None:
        return f"{error.strerror} ({error.errno}) {error.filename or ''}".strip()
    library = type(error).__module__.partition(".")[0]
    numbers = library == "builtins" and all(isinstance(v, int | float | None) for v in error.args)
    known = isinstance(error, _HARMLESS) or library == "torch"
    return str(error)[:LONGEST] if numbers or known else LEFT_OUT
