"""Uncaught errors: logs each with its traceback, and has the window report it.

Qt calls our slots and paint events from C++; their exceptions end up in `sys.excepthook`, as do
those of the main thread. Threads and destructors have their own hooks.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
from types import TracebackType

from PySide6.QtCore import QObject, Signal

from app.core.words.tr import tr

# An error that recurs in every frame is reported no more often than this.
SPACING_S = 5.0

log = logging.getLogger(__name__)


class Uncaught(QObject):
    """Hooks into uncaught errors while it is installed.

    Signals:
        reported: one sentence for the user; emitted on the thread of the error.
    """

    reported = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._before = sys.excepthook, threading.excepthook, sys.unraisablehook
        self._seen: dict[tuple[str, str, int], float] = {}

    def install(self) -> None:
        """Replace the hooks, which are still called, for anyone reading a terminal."""
        self._before = sys.excepthook, threading.excepthook, sys.unraisablehook
        sys.excepthook = self._in_main
        threading.excepthook = self._in_thread
        sys.unraisablehook = self._unraisable

    def remove(self) -> None:
        """Restore the previous hooks."""
        sys.excepthook, threading.excepthook, sys.unraisablehook = self._before

    def _in_main(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if not issubclass(kind, KeyboardInterrupt):
            self._note("Uncaught.", error)
        self._before[0](kind, error, trace)

    def _in_thread(self, args: threading.ExceptHookArgs) -> None:
        name = args.thread.name if args.thread is not None else "that is gone"
        if args.exc_value is not None and not issubclass(args.exc_type, SystemExit):
            self._note(f"Uncaught in thread {name}.", args.exc_value)
        self._before[1](args)

    def _unraisable(self, args: sys.UnraisableHookArgs) -> None:
        if args.exc_value is not None:
            self._note("Raised where nobody could catch it.", args.exc_value)
        self._before[2](args)

    def _note(self, what: str, error: BaseException) -> None:
        now, place = time.monotonic(), _place(error)
        if now - self._seen.get(place, -SPACING_S) < SPACING_S:
            return
        self._seen[place] = now
        log.error(what, exc_info=error)
        self.reported.emit(
            tr("An unexpected error occurred ({name}); Help > Show log has the details.").format(
                name=type(error).__name__
            )
        )


def _place(error: BaseException) -> tuple[str, str, int]:
    """The error's type, and where it was raised."""
    trace, file, line = error.__traceback__, "", 0
    while trace is not None:
        file, line = trace.tb_frame.f_code.co_filename, trace.tb_lineno
        trace = trace.tb_next
    return type(error).__name__, file, line
