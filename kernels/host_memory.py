"""How the C library manages the memory of intermediates.

glibc returns blocks above a threshold to the system when they are freed, and trims the top of its
heap; the next pass then pays for fresh pages. Every thread but the first gets its own heap in
pieces of 64 MiB, where that happens all the time: a prefill there took twice as long.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

# Parameters of mallopt(3).
_TRIM_THRESHOLD, _TOP_PAD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -2, -3, -8
# The largest threshold that glibc accepts.
_MMAP_BYTES = 32 << 20
_TRIM_BYTES = 256 << 20
_PAD_BYTES = 64 << 20
_MOST_GROWN_BYTES = 48 << 20


def share_one_heap() -> bool:
    """Make threads that start from now on use the first one's heap; False if impossible."""
    return _set({_ARENA_MAX: 1})


def keep_freed_memory() -> bool:
    """Make the process keep freed blocks of up to 32 MiB; False if impossible."""
    return _set({_MMAP_THRESHOLD: _MMAP_BYTES, _TRIM_THRESHOLD: _TRIM_BYTES, _TOP_PAD: _PAD_BYTES})


class FreedMemory:
    """Returns freed blocks to the system once they add up.

    Prompts of ever new lengths leave holes in the heap, which grew by 1 MiB a turn although nothing
    held them. Returning them each time would cost every pass fresh pages.
    """

    def __init__(self) -> None:
        self._after = resident_bytes()

    def tidy(self) -> bool:
        """Return free memory if the process has grown since the last call; False if it has not."""
        if resident_bytes() - self._after < _MOST_GROWN_BYTES:
            return False
        done = _trim()
        self._after = resident_bytes()
        return done


def resident_bytes() -> int:
    """Memory of this process that is in RAM; 0 if the system does not report it."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _trim() -> bool:
    try:
        return bool(ctypes.CDLL(None).malloc_trim(0))
    except (AttributeError, OSError, TypeError):
        return False


def _set(parameters: dict[int, int]) -> bool:
    if not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):
        return False
    done = [mallopt(name, value) == 1 for name, value in parameters.items()]
    return all(done)
