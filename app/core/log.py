"""The log file: shared by all instances, private to the user, rotated when full."""

from __future__ import annotations

import contextlib
import copy
import logging
import os
import platform
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType

import platformdirs

from app.core.version import app_version
from app.core.words.tr import tr
from engine.errors import CacheError, InvariantError, LoadCancelled, ModelError, TraceError
from engine.private_files import make_folder, open_private

LINE = "%(asctime)s %(process)d %(threadName)s %(levelname)s %(name)s: %(message)s"
LEFT_OUT = "(message omitted; --log-level debug includes it)"
LONGEST = 500
# Errors with safe messages: our own about folders and files, Python's about modules and bytes.
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
        """The record as a line, with its error below."""
        # A record caches the error's text from its first handler: neither use nor set that.
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


try:
    import fcntl
except ImportError:
    # Not on Windows, where a file cannot be renamed while another process writes to it anyway.
    fcntl = None  # type: ignore[assignment]

LEVELS = ("debug", "info", "warning", "error")
PACKAGES = ("app", "engine", "kernels", "assets")
NAME = "biplane.log"
MOST_BYTES = 1 << 20
KEPT = 3

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Log:
    """The location and state of the log.

    Attributes:
        problem: why nothing is written, in one sentence; "" if all is well.
        lost: how earlier runs ended unexpectedly, in one sentence; "" if none did.
        crash: a report on them.
    """

    path: Path
    problem: str = ""
    lost: str = ""
    crash: str = ""


def log_folder() -> Path:
    """The platform's folder for logs."""
    return platformdirs.user_log_path("biplane", appauthor=False)


@contextlib.contextmanager
def logging_to_file(level: str, folder: Path | None = None) -> Iterator[Log]:
    """Write this program's log records to the log file while the context lasts.

    If the file cannot be written the program runs without it, and `Log.problem` says why.

    Args:
        level: one of LEVELS.
        folder: None means `log_folder()`.
    """
    folder = folder or log_folder()
    path = folder / NAME
    try:
        make_folder(folder)
        handler = SharedFile(path)
    except OSError as error:
        with _heard_by(_errors_to_stderr(level)):
            yield Log(
                path,
                tr("The log {path} cannot be written: {strerror}.").format(
                    path=path, strerror=error.strerror or error
                ),
            )
        return
    handler.setFormatter(PrivateFormatter(whole=level == "debug"))
    with _heard_by(handler, level):
        log.info(
            "Biplane %s starts: Python %s, %s, log level %s.",
            app_version(),
            platform.python_version(),
            platform.platform(),
            level,
        )
        try:
            yield Log(path)
        finally:
            log.info("Biplane ends.")


def set_level(level: str) -> None:
    """Change the log level, if a file is written. `level`: one of LEVELS."""
    for name in PACKAGES:
        logger = logging.getLogger(name)
        written = [one for one in logger.handlers if isinstance(one, SharedFile)]
        for handler in written:
            handler.setFormatter(PrivateFormatter(whole=level == "debug"))
        if written:
            logger.setLevel(level.upper())
    log.info("The log level is %s from now on.", level)


def stop_writing() -> None:
    """Write no more to the file in this run, such as after it was deleted."""
    for name in PACKAGES:
        logger = logging.getLogger(name)
        for handler in [one for one in logger.handlers if isinstance(one, SharedFile)]:
            logger.removeHandler(handler)
            handler.close()


@contextlib.contextmanager
def _heard_by(handler: logging.Handler, level: str = "warning") -> Iterator[None]:
    """Attach a handler to this program's loggers for the context, then close it."""
    loggers = [logging.getLogger(name) for name in PACKAGES]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.addHandler(handler)
        logger.setLevel(level.upper())
    try:
        yield
    finally:
        for logger, old in zip(loggers, before, strict=True):
            logger.removeHandler(handler)
            logger.setLevel(old)
        handler.close()


def _errors_to_stderr(level: str) -> logging.Handler:
    """The fallback without a file; errors that became a sentence were already printed."""
    handler = logging.StreamHandler()
    handler.setLevel(logging.ERROR)
    handler.setFormatter(PrivateFormatter(whole=level == "debug"))
    return handler


class SharedFile(RotatingFileHandler):
    """Appends to a file that other processes also append to.

    The process that finds it full renames it, under a lock; the others notice the new file under
    the name and continue there.
    """

    def __init__(self, path: Path, most_bytes: int = MOST_BYTES) -> None:
        super().__init__(path, maxBytes=most_bytes, backupCount=KEPT)

    def emit(self, record: logging.LogRecord) -> None:
        self._follow()
        super().emit(record)

    def doRollover(self) -> None:
        """Rename the file, unless another process has just done so."""
        with _alone(Path(self.baseFilename).parent):
            if not self._follow():
                super().doRollover()

    def handleError(self, record: logging.LogRecord) -> None:
        """Ignore the error: a full disk must not disturb the caller, and there is no other log."""

    def close(self) -> None:
        """Close; losing what a full disk did not take is no error at the end of the program."""
        with contextlib.suppress(OSError):
            super().close()

    def _open(self) -> TextIOWrapper:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        descriptor = open_private(Path(self.baseFilename), flags)
        # A path or a name may contain undecodable bytes.
        return open(descriptor, "a", encoding="utf-8", errors="backslashreplace")

    def _follow(self) -> bool:
        """Whether the name now refers to another file; if so, reopen it."""
        with contextlib.suppress(OSError):
            if self.stream is not None and not _is_open_at(self.stream, self.baseFilename):
                self.stream.close()
                self.stream = self._open()
                return True
        return False


def _is_open_at(stream: TextIOWrapper, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(stream.fileno()), os.stat(path))
    except FileNotFoundError:
        return False


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Hold the folder's lock, so that no other process rotates."""
    if fcntl is None or sys.platform == "win32":
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
