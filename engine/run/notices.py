"""Sentences for the user, from whatever thread has one to say."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable

from engine.trace.recorder import FILE_NAME

log = logging.getLogger(__name__)


def nobody() -> None:
    """Wakes nobody."""


class Notices:
    """A line of sentences: any thread puts one in, the run loop takes them out.

    Attributes:
        wake: called after each one that was put in, on the thread that did.
    """

    def __init__(self) -> None:
        self.wake: Callable[[], None] = nobody
        self._sentences: deque[str] = deque()

    def tell(self, sentence: str) -> None:
        """Put in one plain sentence; never waits."""
        # The name of a file is a hash of what was said, with no key.
        log.warning("Notice: %s", FILE_NAME.sub("…", sentence))
        self._sentences.append(sentence)
        self.wake()

    def take(self) -> list[str]:
        """Take out what is there, oldest first."""
        taken: list[str] = []
        while self._sentences:
            taken.append(self._sentences.popleft())
        return taken
