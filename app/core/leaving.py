"""Ends the process without tearing down the interpreter."""

from __future__ import annotations

import logging
import os
import sys


def leave(code: int) -> None:
    """End the process. Called by `atexit`, when everything that matters is written.

    Interpreter shutdown would free PyTorch and Qt, which takes seconds, and kill an engine's
    running thread inside a C++ call, which makes C++ abort.
    """
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os._exit(code)
