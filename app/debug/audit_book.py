"""The audits of a tape: who asked for each verdict, and how many there were. Without Qt."""

from __future__ import annotations

import time
from collections import Counter
from typing import Literal

from engine.cache.journal.changes import Stamped
from engine.trace.tape import Tape

AskedBy = Literal["asked", "idle", "copied"]
_STRIDE = 1024


class AuditBook:
    """Follows a tape, in portions.

    Attributes:
        counts: audits by verdict, copies not counted.
    """

    def __init__(self, tape: Tape) -> None:
        self.counts: Counter[str] = Counter()
        self._tape, self._at = tape, 0
        self._by: dict[tuple[str, int, float], AskedBy] = {}

    def follow(self, budget_s: float) -> bool:
        """Go on for at most so long; whether the end is reached."""
        tape, ends = self._tape, time.perf_counter() + budget_s
        self._at = max(self._at, tape.first)
        while self._at < len(tape) and time.perf_counter() < ends:
            for at in range(self._at, min(self._at + _STRIDE, len(tape))):
                entry = tape.entry(at)
                if isinstance(entry.what, Stamped):
                    self._note(entry.tier, entry.time, entry.what)
            self._at = min(self._at + _STRIDE, len(tape))
        return self._at >= len(tape)

    def asked_by(self, node: int, when: float) -> AskedBy | None:
        """Who wanted the verdict on a device node of that time; None if the tape does not tell."""
        return self._by.get(("device", node, when))

    def _note(self, tier: str, when: float, stamped: Stamped) -> None:
        by: AskedBy = "copied" if stamped.inherited else "idle" if stamped.background else "asked"
        self._by[tier, stamped.node, when] = by
        self.counts[stamped.status] += not stamped.inherited
