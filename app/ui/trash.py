"""Moves folders to the desktop's trash, from which they can be restored."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QFile


def to_trash(path: Path) -> bool:
    """Whether the file or folder is in the trash now; False leaves it where it was."""
    moved = QFile.moveToTrash(str(path))
    return bool(moved[0] if isinstance(moved, tuple) else moved)
