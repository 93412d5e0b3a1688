"""The end of the process, without taking the interpreter apart."""

from __future__ import annotations

import logging
import os
import sys


def leave(code: int) -> None:
    """End the process; called by `atexit`, when all that matters is written.

    Python would free PyTorch and Qt piece by piece, which takes seconds, and end an engine's
    thread that still runs in the middle of a C++ call, which makes C++ abort.
    """
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os._exit(code)
