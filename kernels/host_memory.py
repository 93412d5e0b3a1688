"""How the C library keeps the memory of intermediates.

glibc gives blocks above a threshold back to the system when they are freed, and its heap's top too;
the next pass then pays for fresh pages. A thread besides the first gets a heap of its own in pieces
of 64 MiB, where that happens all the time: a prefill there took twice as long.
"""

from __future__ import annotations

import ctypes
import sys

# Parameters of mallopt(3).
_TRIM_THRESHOLD, _TOP_PAD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -2, -3, -8
# The largest threshold that glibc takes.
_MMAP_BYTES = 32 << 20
_TRIM_BYTES = 256 << 20
_PAD_BYTES = 64 << 20


def share_one_heap() -> bool:
    """Make threads that start from now on use the first one's heap; False where that cannot be."""
    return _set({_ARENA_MAX: 1})


def keep_freed_memory() -> bool:
    """Make freed blocks of up to 32 MiB stay with the process; False where that cannot be."""
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
