"""Checks which of the recent model folders are still there, on a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from app.shell.recent_models import folder_problem


class RecentCheck:
    """One look at some folders: a disk that is asleep or far away must not stop the window."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = tuple(folders)
        self._problems: dict[Path, str] | None = None
        threading.Thread(target=self._run, name="biplane-recent", daemon=True).start()

    def done(self) -> Mapping[Path, str] | None:
        """What is wrong with each folder, "" for nothing; None while it is still looking."""
        return self._problems

    def _run(self) -> None:
        self._problems = {folder: folder_problem(folder) for folder in self._folders}
