"""What keeps files from being written, for as long as it does, and when it is tried again."""

from __future__ import annotations

import time
from collections.abc import Callable

FIRST_WAIT_S = 15.0
LONGEST_WAIT_S = 600.0


class WriteTrouble:
    """Failed writes and the pauses after them; each failure in a row doubles the pause."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._why = ""
        self._wait = FIRST_WAIT_S
        self._again = 0.0

    @property
    def waits(self) -> bool:
        """Whether it is too early to try again."""
        return bool(self._why) and self._clock() < self._again

    @property
    def sentence(self) -> str:
        """What is wrong and what is done about it; "" while all is well."""
        if not self._why:
            return ""
        return (
            f"The cache files cannot be written ({self._why}): existing files stay, new data is "
            "kept in memory only, and writing will be retried."
        )

    def failed(self, why: str) -> bool:
        """A write failed; True where the one before had not."""
        first = not self._why
        if not self.waits:
            # What waited behind a failed write fails for the same reason: one pause for them all.
            self._wait = FIRST_WAIT_S if first else min(2 * self._wait, LONGEST_WAIT_S)
            self._again = self._clock() + self._wait
        self._why = why
        return first

    def wait_no_longer(self) -> None:
        """It is not too early any more."""
        self._again = self._clock()

    def over(self) -> None:
        """A write went well."""
        self._why = ""
