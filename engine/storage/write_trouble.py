"""Tracks why files cannot be written, and when to retry."""

from __future__ import annotations

import time
from collections.abc import Callable

from engine.sentence import say

FIRST_WAIT_S = 15.0
LONGEST_WAIT_S = 600.0


class WriteTrouble:
    """Failed writes and the pauses after them; each consecutive failure doubles the pause."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._why = ""
        self._wait = FIRST_WAIT_S
        self._again = 0.0

    @property
    def waits(self) -> bool:
        """Whether it is too early to retry."""
        return bool(self._why) and self._clock() < self._again

    @property
    def sentence(self) -> str:
        """What is wrong and what is being done about it; "" if nothing is."""
        if not self._why:
            return ""
        return say(
            "The cache files cannot be written ({why}): existing files stay, new data is "
            "kept in memory only, and writing will be retried.",
            why=self._why,
        )

    def failed(self, why: str) -> bool:
        """A write failed; returns True if the previous one had not."""
        first = not self._why
        if not self.waits:
            # Writes queued behind a failed one fail for the same reason: one pause for all.
            self._wait = FIRST_WAIT_S if first else min(2 * self._wait, LONGEST_WAIT_S)
            self._again = self._clock() + self._wait
        self._why = why
        return first

    def wait_no_longer(self) -> None:
        """End the pause."""
        self._again = self._clock()

    def over(self) -> None:
        """A write succeeded."""
        self._why = ""
