"""The whole program for a while, and every word that it would say to a network.

    python -m tests.app.quiet_day

prints a line for each connection, look-up of a name and port that is listened on: before the user
asks for anything, and, after a line "asked", once a repository was looked up. A process of its own,
because an audit hook cannot be taken away again.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from app.core.session.records import EnginePhase
from app.shell.window import MainWindow
from tests.present import present

_EVENTS = (
    *("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg"),
    *("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"),
)
# Nobody answers at this port.
NOWHERE = "http://127.0.0.1:9"
Step = tuple[Callable[[], bool], Callable[[], object]]


def listen() -> None:
    """Print what goes to a network, whoever in the process sends it."""

    def heard(event: str, given: tuple[Any, ...]) -> None:
        if event in _EVENTS:
            made = given[0]
            if isinstance(made, socket.socket) and made.family == getattr(socket, "AF_UNIX", -1):
                return
            print(f"{event}\t{given[1:]}", flush=True)

    sys.addaudithook(heard)


class Day:
    """What a user does who fetches nothing: talks, and looks at every part of the program."""

    def __init__(self) -> None:
        self._left = self._steps()
        self._timer = QTimer()
        self._timer.setInterval(30)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    @property
    def window(self) -> MainWindow:
        tops = QApplication.topLevelWidgets()
        return next(top for top in tops if isinstance(top, MainWindow))

    def _look(self) -> None:
        if self._left and self._left[0][0]():
            self._left.pop(0)[1]()

    def _idle(self) -> bool:
        session = self.window._bridge.session
        return session.engine.phase is EnginePhase.READY and not session.busy

    def _steps(self) -> list[Step]:
        return [
            (self._ready, lambda: self._say("Hello! My name is Ada.")),
            (self._idle, lambda: self._say("What is my name?")),
            (self._idle, self._walk),
            (lambda: not self.window.models.busy, self._family),
            (lambda: not self.window.models.busy, self._look_up),
            (lambda: not self.window.models.busy, self.window_closes),
        ]

    def _ready(self) -> bool:
        shown = any(isinstance(top, MainWindow) for top in QApplication.topLevelWidgets())
        return shown and self._idle()

    def _say(self, text: str) -> None:
        self.window.chat.composer.set_text(text)
        self.window.chat.composer.send()

    def _walk(self) -> None:
        menus = self.window.menus
        for name in ("debugger", "debugger", "lab", "settings", "keys", "about", "models"):
            menus.actions[name].trigger()
            QApplication.processEvents()

    def _family(self) -> None:
        page = present(self.window.models.window)
        for row in range(len(page.model.rows)):
            page.list.setCurrentIndex(page.model.index(row))
            QApplication.processEvents()

    def _look_up(self) -> None:
        print("asked", flush=True)
        page = present(self.window.models.window)
        page.search.setText("org/name")
        page.look.click()

    def window_closes(self) -> None:
        self._timer.stop()
        self.window.close()


def main() -> int:
    listen()
    os.environ["HF_ENDPOINT"] = NOWHERE
    from app.shell.main import main as program

    app = QApplication.instance() or QApplication(["biplane"])
    assert app is not None
    day = Day()
    assert day is not None
    return program(["--language", "en"])


if __name__ == "__main__":
    sys.exit(main())
