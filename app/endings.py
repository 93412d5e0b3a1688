"""Engines that are ending: each finishes writing in its own time."""

from __future__ import annotations

import time
from dataclasses import dataclass

from app.loops import Loop
from engine.commands import Close
from engine.events import (
    ClosingProgress,
    EngineClosed,
    Event,
    RequestFailed,
    RequestFinished,
    TextDelta,
)

# A loop without a sign of life for this long is given up.
_PATIENCE_S = 60.0


@dataclass(slots=True)
class _Ending:
    loop: Loop
    since: float
    progress: ClosingProgress | None = None


class Endings:
    """Waits for loops without blocking.

    A hanging loop must not keep the user from opening another model: it is given up, and ends
    only with the program.
    """

    def __init__(self) -> None:
        self._waiting: list[_Ending] = []
        self._given_up: list[Loop] = []
        self._answers: list[Event] = []

    def __bool__(self) -> bool:
        """Whether any loop is still waited for."""
        return bool(self._waiting)

    def add(self, loop: Loop) -> None:
        """Ask a loop to end."""
        loop.post(Close())
        self._waiting.append(_Ending(loop, time.monotonic()))

    def take(self) -> ClosingProgress | None:
        """Release those that have ended; returns the others' write progress, if they report it."""
        for ending in list(self._waiting):
            if self._over(ending):
                self._waiting.remove(ending)
        reported = [ending.progress for ending in self._waiting if ending.progress is not None]
        if not reported:
            return None
        return ClosingProgress(
            written=sum(progress.written for progress in reported),
            total=sum(progress.total for progress in reported),
        )

    def answers(self) -> list[Event]:
        """What became of the answers that the loops were writing, since the last call."""
        told, self._answers = self._answers, []
        return told

    def close(self, timeout_s: float) -> bool:
        """Wait for all of them; False if one is still running."""
        loops = [*(ending.loop for ending in self._waiting), *self._given_up]
        self._waiting, self._given_up = [], []
        ended = [loop.close(timeout_s) for loop in loops]
        return all(ended)

    def _over(self, ending: _Ending) -> bool:
        for event in ending.loop.drain():
            if isinstance(event, EngineClosed):
                ending.loop.close(0)
                return True
            if isinstance(event, TextDelta | RequestFinished | RequestFailed):
                self._answers.append(event)
            elif isinstance(event, ClosingProgress):
                ending.progress = event
                ending.since = time.monotonic()
        if time.monotonic() - ending.since < _PATIENCE_S:
            return False
        self._given_up.append(ending.loop)
        return True
