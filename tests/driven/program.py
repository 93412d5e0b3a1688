"""The program on a screen, as a user has it: sees texts, names and places; presses and clicks."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.core.store.connection import NAME
from tests.driven.questions import Box
from tests.driven.screen import Screen

ROOT = Path(__file__).parents[2]
# Screenshots go here, if it is set.
PICTURES = "BIPLANE_DRIVEN_PICTURES"
_PATIENCE_S = 120.0


class Program:
    """One start of it.

    Attributes:
        screen: where it is.
    """

    def __init__(self, screen: Screen, home: Path, *options: str) -> None:
        self.screen, self._home = screen, home
        path = home / "questions"
        path.unlink(missing_ok=True)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.driven.asked", str(path), *options],
            cwd=ROOT,
            env=screen.environment | {"PYTHONPATH": str(ROOT)},
        )
        self.until(path.exists)
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(path))
        self._lines = self._socket.makefile("rw", encoding="utf-8")
        self.until(lambda: bool(self.boxes("Message")))

    # Looking

    def ask(self, *question: object) -> Any:
        self._lines.write(json.dumps(question) + "\n")
        self._lines.flush()
        answer = json.loads(self._lines.readline())
        assert not isinstance(answer, dict), answer
        return answer

    def boxes(self, name: str) -> list[Box]:
        return [tuple(box) for box in self.ask("boxes", name)]

    def texts(self, name: str) -> list[str]:
        return list(self.ask("texts", name))

    def shown(self) -> str:
        return "\n".join(self.ask("shown"))

    def until(self, done: Callable[[], bool], seconds: float = _PATIENCE_S) -> None:
        """Wait until something holds; the program must live."""
        ends = time.monotonic() + seconds
        while not done():
            assert self._process.poll() is None, "the program ended"
            assert time.monotonic() < ends, f"it never came to pass; on screen: {self._seen()}"
            time.sleep(0.02)

    def picture(self, name: str) -> None:
        """Keep what is on screen for people, if they want it."""
        folder = os.environ.get(PICTURES)
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            self.screen.picture(Path(folder) / f"{name}.png")

    # Acting

    def point(self, name: str, nth: int = 0) -> None:
        """Move the mouse to the middle of the nth of this name."""
        self.screen.move(*self._middle(name, nth))

    def click(self, name: str, nth: int = 0) -> None:
        """Click there."""
        self.screen.click(*self._middle(name, nth))

    def _middle(self, name: str, nth: int) -> tuple[int, int]:
        """The middle of the nth of this name, from the top, once it is there and rests."""
        least = nth + 1 if nth >= 0 else -nth
        seen: list[list[Box]] = [[]]

        def rests() -> bool:
            seen.append(self.boxes(name))
            time.sleep(0.05)
            return len(seen[-1]) >= least and seen[-1] == seen[-2]

        self.until(rests)
        x, y, width, height = seen[-1][nth]
        return x + width // 2, y + height // 2

    def menu(self, *path: str) -> None:
        """Open a menu by mouse and choose an entry."""
        for entry in path:
            self.click(entry)

    def say(self, text: str) -> None:
        """Write into the composer and send; returns once there is a whole answer."""
        answers = self.answers()
        self.click("Message")
        self.screen.write(text)
        self.until(lambda: text in self.texts("Message"))
        self.screen.press("Return")
        self.until(lambda: self.answers() > answers)
        self.until(lambda: bool(self.boxes("Send")))

    def quit(self) -> int:
        """Quit by key; the exit code."""
        self.screen.press("ctrl+q")
        return self._process.wait(_PATIENCE_S)

    def close(self) -> None:
        """End it, whatever state it is in."""
        self._lines.close()
        self._socket.close()
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait(_PATIENCE_S)

    # What it saved

    def read(self, query: str) -> list[tuple[Any, ...]]:
        """Rows of the program's file of conversations."""
        raw = sqlite3.connect(f"file:{self._home / 'data' / 'biplane' / NAME}?mode=ro", uri=True)
        try:
            return raw.execute(query).fetchall()
        finally:
            raw.close()

    def answers(self) -> int:
        """How many whole answers are saved."""
        try:
            whole = "SELECT count(*) FROM messages WHERE role = 'assistant' AND complete"
            return int(self.read(whole)[0][0])
        except sqlite3.OperationalError:
            # There is no file yet.
            return 0

    def _seen(self) -> str:
        try:
            return self.shown()
        except (OSError, ValueError, AttributeError):
            return "nothing"
