"""Partial files left by a process that died while writing."""

from __future__ import annotations

import contextlib
import os
import re
import time
from pathlib import Path

# A file that another process is still writing is younger than this, in seconds.
STALE_S = 3600.0
_NAME = re.compile(r"([0-9]{1,9})\.[0-9]+\.tmp")


def is_half_written(name: str) -> bool:
    """Whether a file has a temporary name of `write_segment`."""
    return _NAME.fullmatch(name) is not None


def sweep(path: Path) -> None:
    """Remove a dead process's partial file; leave a living one's alone. Never raises."""
    found = _NAME.fullmatch(path.name)
    assert found is not None, "not a name that a writer gives"
    with contextlib.suppress(OSError):
        if not _alive(int(found[1])) or time.time() - path.stat().st_mtime > STALE_S:
            path.unlink()


def _alive(pid: int) -> bool:
    if pid == os.getpid():
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
