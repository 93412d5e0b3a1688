"""The most memory this process had resident since a moment."""

from __future__ import annotations

import resource
import sys
from pathlib import Path

HIGH_WATER = "VmHWM:"


def forget_peak() -> bool:
    """Let the peak start over from now. False where the system has no way to: it is the process's.

    Source: proc_pid_clear_refs(5), value 5 of /proc/self/clear_refs.
    """
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return False
    return True


def peak_bytes() -> int:
    """Bytes resident at most since `forget_peak`, or since the process began."""
    try:
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith(HIGH_WATER):
                return int(line.split()[1]) << 10
    except OSError:
        pass
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return largest if sys.platform == "darwin" else largest << 10
