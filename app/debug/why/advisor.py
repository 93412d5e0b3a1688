"""Looks for a suggestion on a thread of its own: each change is a replay. Without Qt."""

from __future__ import annotations

import logging
import threading
import time

from engine.trace.why.evidence import Evidence
from engine.trace.why.lives import Lives
from engine.trace.why.suggestion import NOTHING, Suggestion, suggest

# After each replayed request the other threads get a turn.
_REST_S = 0.0005
_JOIN_S = 5.0

log = logging.getLogger(__name__)


class Asking:
    """The question that is open, if any; it outlives the window that asked it.

    Attributes:
        advisor: None while nothing is asked.
    """

    def __init__(self) -> None:
        self.advisor: Advisor | None = None

    def ask(self, lives: Lives, evidence: Evidence) -> None:
        """Ask about a request instead of what was asked before."""
        self.give_up()
        self.advisor = Advisor(lives, evidence)

    def give_up(self) -> None:
        """Nobody waits for an answer any more."""
        advisor, self.advisor = self.advisor, None
        if advisor is not None:
            advisor.give_up()

    def close(self) -> None:
        """Give up, and wait for the thread."""
        advisor, self.advisor = self.advisor, None
        if advisor is not None:
            advisor.close()


class Advisor:
    """One question; `done` is its answer, None while it is being looked for.

    Attributes:
        evidence: that the question is about.
    """

    def __init__(self, lives: Lives, evidence: Evidence) -> None:
        self.evidence = evidence
        self.done: Suggestion | None = None
        self._lives = lives
        self._given_up = threading.Event()
        self._thread = threading.Thread(target=self._run, name="biplane-advisor", daemon=True)
        self._thread.start()

    def give_up(self) -> None:
        """Nobody waits for the answer any more."""
        self._given_up.set()

    def close(self) -> None:
        """Give up, and wait for the thread."""
        self.give_up()
        self._thread.join(_JOIN_S)

    def _run(self) -> None:
        try:
            self.done = suggest(self._lives, self.evidence, self._wanted)
        except Exception as error:
            # A trace may be of any age and origin; without advice the evidence still stands.
            log.error("Looking for a suggestion failed.", exc_info=error)
            self.done = NOTHING

    def _wanted(self) -> bool:
        time.sleep(_REST_S)
        return not self._given_up.is_set()
