"""How fast a prompt is being read, and how long that will still take. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class PrefillClock:
    """Follows the progress of one prefill.

    Attributes:
        started: when it was first seen to read, in seconds; None before.
        done, total: tokens run of those to run.
        tok_s: tokens per second so far; None before the first chunk.
    """

    started: float | None = None
    done: int = 0
    total: int = 0
    tok_s: float | None = None
    _at: float = 0.0

    def note(self, done: int, total: int, now: float) -> None:
        """Take in the progress at a time; the first call starts the clock."""
        if self.started is None or done < self.done:
            self.started, self.done, self.tok_s = now, 0, None
        if done > self.done:
            spent = now - self.started
            self.tok_s = done / spent if spent > 0 else None
            self._at = now
        self.done, self.total = done, total

    def left_s(self, now: float) -> float | None:
        """Seconds until the first token; None before the first chunk."""
        if self.tok_s is None:
            return None
        return max(0.0, (self.total - self.done) / self.tok_s - (now - self._at))
