"""Runs questions that may take a while, one after another, on a thread of their own."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a question: a value, or the error that it ended with."""

    key: str
    value: object = None
    error: Exception | None = None


class Asker:
    """A thread that lives as long as there are questions."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._jobs: deque[tuple[str, Callable[[], object]]] = deque()
        self._answers: deque[Answer] = deque()
        self._thread: threading.Thread | None = None

    def ask(self, key: str, job: Callable[[], object]) -> None:
        """Put a question; its answer comes from `take`."""
        with self._lock:
            self._jobs.append((key, job))
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, name="biplane-models", daemon=True
                )
                self._thread.start()

    def take(self) -> tuple[Answer, ...]:
        """What has been answered since the last time."""
        made = []
        while self._answers:
            made.append(self._answers.popleft())
        return tuple(made)

    @property
    def busy(self) -> bool:
        """Whether answers are still to come, or to be taken."""
        return self._thread is not None or bool(self._answers)

    def wait(self, timeout_s: float) -> None:
        """Give up what has not begun, and wait for the rest."""
        with self._lock:
            self._jobs.clear()
            thread = self._thread
        if thread is not None:
            thread.join(timeout_s)

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._jobs:
                    self._thread = None
                    return
                key, job = self._jobs.popleft()
            try:
                self._answers.append(Answer(key, job()))
            except Exception as error:
                self._answers.append(Answer(key, error=error))
