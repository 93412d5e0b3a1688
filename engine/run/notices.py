"""Notices for the user, from any thread."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable

from engine.journal.recorder import FILE_NAME

log = logging.getLogger(__name__)


def no_wake() -> None:
    """Wake no thread."""


class Notices:
    """A queue of sentences: any thread adds them, the run loop takes them.

    Attributes:
        wake: called after each addition, on the adding thread.
    """

    def __init__(self) -> None:
        self.wake: Callable[[], None] = no_wake
        self._sentences: deque[str] = deque()

    def add(self, sentence: str) -> None:
        """Add one plain sentence; never waits."""
        # A file name is an unkeyed hash of the conversation.
        log.warning("Notice: %s", FILE_NAME.sub("…", sentence))
        self._sentences.append(sentence)
        self.wake()

    def take(self) -> list[str]:
        """Take all sentences, oldest first."""
        taken: list[str] = []
        while self._sentences:
            taken.append(self._sentences.popleft())
        return taken
