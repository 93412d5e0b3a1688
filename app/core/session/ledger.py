"""Every request since the model was opened, for totals over the session."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from engine.events import RequestFinished, StopReason
from engine.reuse import ReuseReport

# A long day of chatting; older requests are only counted.
MOST_RUNS = 2000


@dataclass(frozen=True, slots=True)
class Ran:
    """One finished request.

    Attributes:
        number: its place among the finished requests, from 1.
        title: of its conversation, "" if that is gone.
    """

    number: int
    title: str
    stop: StopReason
    report: ReuseReport

    @property
    def steps(self) -> int:
        """Decode steps: answer tokens that ran through the model.

        The last token of an answer runs only if another was to follow: when the model ended it
        itself, and when it was cancelled.
        """
        applied = self.stop in ("end", "cancelled")
        return max(0, self.report.generated - (0 if applied else 1))

    @property
    def timed_steps(self) -> int:
        """Decode steps between the first sampled token and the last one, the end token included."""
        return max(0, self.report.generated - (0 if self.stop == "end" else 1))

    @property
    def decode_s(self) -> float | None:
        """Seconds of the timed steps; None if none were measured."""
        rate = self.report.decode_tok_s
        return (self.report.generated - 1) / rate if rate else None


@dataclass(slots=True)
class Ledger:
    """The finished requests of the open model.

    Attributes:
        runs: the most recent ones, oldest first.
        finished: how many there were in all.
    """

    runs: deque[Ran] = field(default_factory=lambda: deque(maxlen=MOST_RUNS))
    finished: int = 0

    def add(self, event: RequestFinished, title: str) -> None:
        self.finished += 1
        self.runs.append(Ran(self.finished, title, event.stop, event.report))

    def clear(self) -> None:
        """Drop all requests: the model is another one."""
        self.runs.clear()
        self.finished = 0
