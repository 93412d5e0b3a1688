"""An X server of its own with a window manager, and a user's hands: xdotool."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

NEEDED = ("Xvfb", "openbox", "xdotool")
SIZE = "1366x768"
# Between two keys of a text; faster than anybody types, slow enough for a busy machine.
_KEY_MS = 4


def missing() -> str:
    """What is not installed; "" if all is there."""
    return ", ".join(name for name in NEEDED if shutil.which(name) is None)


class Screen:
    """A screen without a monitor.

    Attributes:
        environment: of programs that shall appear on it.
    """

    def __init__(self, home: Path) -> None:
        read, write = os.pipe()
        command = ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{SIZE}x24", "-nolisten"]
        self._server = subprocess.Popen([*command, "tcp"], pass_fds=[write], stderr=subprocess.PIPE)
        os.close(write)
        with os.fdopen(read) as told:
            number = told.readline().strip()
        assert number, "Xvfb did not start"
        self.environment = os.environ | {
            "DISPLAY": f":{number}",
            "QT_QPA_PLATFORM": "xcb",
            "HOME": str(home),
            **{f"XDG_{what}_HOME": str(home / what.lower()) for what in _HOMES},
        }
        # It has nobody else's settings, and its messages are not ours.
        self._manager = subprocess.Popen(
            ["openbox"],
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def close(self) -> None:
        for process in (self._manager, self._server):
            process.terminate()
            process.communicate(timeout=60)

    def act(self, *words: object) -> None:
        """One command of xdotool, or several in one go."""
        command = ["xdotool", *map(str, words)]
        subprocess.run(command, env=self.environment, check=True, timeout=60)

    def press(self, *keys: str) -> None:
        """Keys or chords such as ctrl+q, one after another."""
        self.act("key", "--delay", _KEY_MS, *keys)

    def write(self, text: str) -> None:
        self.act("type", "--delay", _KEY_MS, "--", text)

    def move(self, x: int, y: int) -> None:
        self.act("mousemove", "--sync", x, y)

    def click(self, x: int, y: int) -> None:
        self.act("mousemove", x, y, "sleep", "0.05", "click", 1)

    def picture(self, path: Path) -> None:
        """What is on the screen, with the window manager's frames."""
        if shutil.which("import") is not None:
            command = ["import", "-window", "root", str(path)]
            subprocess.run(command, env=self.environment, check=True, timeout=60)


_HOMES = ("CONFIG", "DATA", "STATE", "CACHE", "RUNTIME")
