"""Partial files left by a process that died while writing."""

from __future__ import annotations

import contextlib
import os
import re
import time

from engine.private_files import OwnFolder
from engine.storage.segment_file import is_segment

# A file that another process is still writing is younger than this, in seconds.
STALE_S = 3600.0
_NAME = re.compile(r"([0-9]{1,9})\.[0-9]+\.tmp")


def is_half_written(name: str) -> bool:
    """Whether a file has a temporary name of `write_segment`."""
    return _NAME.fullmatch(name) is not None


def sweep(folder: OwnFolder, name: str) -> None:
    """Remove a dead process's partial file; leave a living one's alone. Never raises."""
    found = _NAME.fullmatch(name)
    assert found is not None, "not a name that a writer gives"
    with contextlib.suppress(OSError):
        with folder.read(name) as file:
            stale = time.time() - os.fstat(file.fileno()).st_mtime > STALE_S
            gone = (stale or not _alive(int(found[1]))) and is_segment(file)
        if gone:
            folder.unlink(name)


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
