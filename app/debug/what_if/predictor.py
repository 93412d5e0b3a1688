"""The process that predicts, as the window sees it: nothing here waits for it. Without Qt."""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterable

from engine.trace.lines import TraceEntry
from engine.trace.predictions import Answer, Job, Lines, Message, Recorded, followed
from engine.trace.settings import CacheSettings

# Lines per message: pickling holds Python's lock.
_AT_ONCE = 32
_JOIN_S = 2.0
_MAIN = "from engine.trace.predictions import main; main()"


class Predictor:
    """Starts its process when the first message is sent; close it in the end.

    Attributes:
        gone: the process ended by itself; the next message starts another one, without a tape.
    """

    def __init__(self) -> None:
        self.gone = False
        self._process: subprocess.Popen[bytes] | None = None
        self._outbox: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self._answers: deque[Answer] = deque()
        self._threads: list[threading.Thread] = []

    @property
    def alive(self) -> bool:
        return self._process is not None and not self.gone

    def begin(self, settings: CacheSettings) -> None:
        """Another tape; forget the one before."""
        self._send(Recorded(settings))

    def feed(self, lines: Iterable[TraceEntry]) -> None:
        """More of the tape."""
        kept = followed(lines)
        for first in range(0, len(kept), _AT_ONCE):
            self._send(Lines(kept[first : first + _AT_ONCE]))

    def ask(self, job: Job) -> None:
        """Ask for a job; one that is under way is given up."""
        self._send(job)

    def take(self) -> list[Answer]:
        """The answers since the last call."""
        taken = []
        while self._answers:
            taken.append(self._answers.popleft())
        return taken

    def close(self) -> None:
        """End the process, whatever it does."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        self._outbox.put(None)
        for thread in self._threads:
            thread.join(_JOIN_S)
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self._threads, self._outbox = [], queue.SimpleQueue()
        self._answers.clear()
        self.gone = False

    def _send(self, message: Message) -> None:
        if self._process is None:
            self._start()
        self._outbox.put(message)

    def _start(self) -> None:
        paths = os.pathsep.join(path for path in sys.path if path)
        process = self._process = subprocess.Popen(
            [sys.executable, "-c", _MAIN],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths},
        )
        self._threads = [
            threading.Thread(target=self._write, args=(process, self._outbox), daemon=True),
            threading.Thread(target=self._read, args=(process,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def _write(
        self, process: subprocess.Popen[bytes], outbox: queue.SimpleQueue[Message | None]
    ) -> None:
        assert process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            while (message := outbox.get()) is not None:
                pickle.dump(message, process.stdin, protocol=pickle.HIGHEST_PROTOCOL)
                process.stdin.flush()

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        with contextlib.suppress(EOFError, OSError, ValueError, pickle.UnpicklingError):
            while True:
                self._answers.append(pickle.load(process.stdout))
        if self._process is process:
            self.gone = True
