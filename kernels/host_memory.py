"""How the C library manages the memory of intermediates.

glibc returns blocks above a threshold to the system when they are freed, and trims the top of its
heap; the next pass then pays for fresh pages. Every thread but the first gets its own heap in
pieces of 64 MiB, where that happens all the time: a prefill there took twice as long.
"""

from __future__ import annotations

import ctypes
import sys

# Parameters of mallopt(3).
_TRIM_THRESHOLD, _TOP_PAD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -2, -3, -8
# The largest threshold that glibc accepts.
_MMAP_BYTES = 32 << 20
_TRIM_BYTES = 256 << 20
_PAD_BYTES = 64 << 20


def share_one_heap() -> bool:
    """Make threads that start from now on use the first one's heap; False if impossible."""
    return _set({_ARENA_MAX: 1})


def keep_freed_memory() -> bool:
    """Make the process keep freed blocks of up to 32 MiB; False if impossible."""
    return _set({_MMAP_THRESHOLD: _MMAP_BYTES, _TRIM_THRESHOLD: _TRIM_BYTES, _TOP_PAD: _PAD_BYTES})


def _set(parameters: dict[int, int]) -> bool:
    if not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):
        return False
    done = [mallopt(name, value) == 1 for name, value in parameters.items()]
    return all(done)
