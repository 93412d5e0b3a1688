"""Lives of the program, each ended by `kill -9` at a random moment."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.killed.expected import Expected
from tests.killed.found import Found, check, look

ROOT = Path(__file__).parents[2]
_PATIENCE_S = 60.0
_MOST_LINES = 240
_MOMENT_S = 0.04


class Server:
    """The process from which programs are forked."""

    def __init__(self) -> None:
        self._one_at_a_time = threading.Lock()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.killed.server"],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def start(self, folder: Path, seed: int, engine: str) -> int:
        """The id of a new program."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._one_at_a_time:
            self._process.stdin.write(f"{folder} {seed} {engine}\n")
            self._process.stdin.flush()
            return int(self._process.stdout.readline())

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(_PATIENCE_S)


class Lives:
    """One user's folder, in which one program after another is started and killed.

    Attributes:
        expected: what must be there.
        found: what was left by the last one.
        marked: starts at which the last message on screen was marked as not complete.
    """

    def __init__(self, server: Server, folder: Path, engine: str) -> None:
        self._server, self._folder, self._engine = server, folder, engine
        self.expected = Expected()
        self.found: Found | None = None
        self.marked = 0

    def live(self, seed: int, most_s: float) -> None:
        """One round: start, look at what the user finds, kill, look at what is left."""
        report = self._folder / "report"
        report.unlink(missing_ok=True)
        process = self._server.start(self._folder, seed, self._engine)
        try:
            _wait(lambda: report.exists() and b'"start"' in report.read_bytes())
            self._let_live(report, random.Random(seed), most_s)
        finally:
            killed = time.monotonic()
            os.kill(process, signal.SIGKILL)
        _wait(lambda: not _is_there(process))
        self._check_log()
        started = self.expected.read(report)
        self._check_start(started)
        self.found = look(self._folder / "data" / "biplane", self._folder / "copy")
        check(self.found, self.expected, killed)

    @property
    def cut_off(self) -> int:
        """Answers of which a part is there."""
        messages = self.found.messages.values() if self.found is not None else ()
        return sum(bool(message.content) for message in messages if not message.complete)

    def _let_live(self, report: Path, rng: random.Random, most_s: float) -> None:
        """Until it has reported a number of things, and a moment longer."""
        lines, ends = rng.randrange(_MOST_LINES), time.monotonic() + most_s
        while report.read_bytes().count(b"\n") < lines and time.monotonic() < ends:
            time.sleep(0.002)
        time.sleep(rng.uniform(0.0, _MOMENT_S))

    def _check_log(self) -> None:
        """Nothing failed in the window before it was killed."""
        logs = (self._folder / "state" / "biplane" / "log").glob("biplane.log*")
        lines = [line for log in logs for line in log.read_text(encoding="utf-8").splitlines()]
        failed = [line for line in lines if "MainThread" in line and " app.shell.uncaught:" in line]
        assert not failed, failed

    def _check_start(self, started: list[Any]) -> None:
        """What the user finds is what was left, and says that it is not whole."""
        found = self.found
        if found is None:
            return
        listed, current, composer, shown = started
        assert found.leaves.keys() <= set(listed)
        if found.selected in found.leaves:
            assert current == found.selected
            assert composer == [found.drafts.get(current, "")]
        last = found.last
        if last is not None:
            # A long answer is on screen from the last of its parts that has a widget of its own.
            whole = _plain(last.content)
            parts = [_plain(line) for line in shown.splitlines()]
            assert whole in _plain(shown) or any(part and whole.endswith(part) for part in parts)
            assert last.complete or "Not complete" in shown
            self.marked += not last.complete


def _plain(text: str) -> str:
    return " ".join(text.split())


def _is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
        return True
    except ProcessLookupError:
        return False


def _wait(done: Callable[[], bool]) -> None:
    ends = time.monotonic() + _PATIENCE_S
    while not done():
        assert time.monotonic() < ends, "the program did not start"
        time.sleep(0.002)
