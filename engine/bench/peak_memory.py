"""The peak resident memory of this process since a chosen moment."""

from __future__ import annotations

import resource
import sys
from pathlib import Path

HIGH_WATER = "VmHWM:"


def forget_peak() -> bool:
    """Start the peak over from now. False if the system cannot: it then covers the whole process.

    Source: proc_pid_clear_refs(5), value 5 of /proc/self/clear_refs.
    """
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return False
    return True


def peak_bytes() -> int:
    """Peak resident bytes since `forget_peak`, or since the process began."""
    try:
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith(HIGH_WATER):
                return int(line.split()[1]) << 10
    except OSError:
        pass
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return largest if sys.platform == "darwin" else largest << 10
