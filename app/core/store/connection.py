"""A connection to the file, with the settings that every one of them needs."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from engine.private_files import open_private

NAME = "conversations.sqlite"
_BUSY_S = 5.0
_SETTINGS = (
    "journal_mode = WAL",
    # Every commit is on the disk, whatever becomes of the power; the writer's thread can wait.
    "synchronous = FULL",
    "foreign_keys = ON",
    # What a person deletes is overwritten.
    "secure_delete = ON",
    "cell_size_check = ON",
)


def connect(path: Path) -> sqlite3.Connection:
    """Open the file, and create it for the user alone if it is missing.

    Transactions are begun explicitly. One thread at a time may use the connection. Raises OSError
    and sqlite3.Error.
    """
    # SQLite gives the files beside it the same permissions.
    os.close(open_private(path, os.O_RDWR | os.O_CREAT))
    connection = sqlite3.connect(
        path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False
    )
    try:
        connection.text_factory = as_text
        for setting in _SETTINGS:
            connection.execute(f"PRAGMA {setting}")
    except BaseException:
        connection.close()
        raise
    return connection


def as_text(raw: bytes) -> str:
    """A text of the file; bytes that damage made invalid are replaced, not refused."""
    return raw.decode("utf-8", "replace")
