"""Second starts of the program: raises the window, and says what they were given."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
from collections.abc import Callable

from PySide6.QtCore import QObject, QSocketNotifier, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from app.core.instance import CLOSING, MOST_BYTES, TAKEN, Call, Instance, read_call

_RAISING = ("xcb", "windows", "cocoa")

log = logging.getLogger(__name__)


class CallerController(QObject):
    """Accepts calls at the socket of the single window, without blocking."""

    def __init__(
        self,
        instance: Instance | None,
        window: QWidget,
        take: Callable[[Call], None],
        closing: Callable[[], bool],
    ) -> None:
        """take: opens what a call asks for, with the window raised.

        closing: whether the program is about to end, so that a second start must wait.
        """
        super().__init__(window)
        self._window, self._take, self._closing = window, take, closing
        self._listener = None if instance is None else instance.listener
        self._open: list[_Caller] = []
        self._notifier: QSocketNotifier | None = None
        if self._listener is not None:
            kind = QSocketNotifier.Type.Read
            self._notifier = QSocketNotifier(self._listener.fileno(), kind, self)
            self._notifier.activated.connect(self._accept)

    def stop(self) -> None:
        """Stop accepting calls."""
        if self._notifier is not None:
            self._notifier.setEnabled(False)
        for caller in tuple(self._open):
            caller.close()

    def _accept(self) -> None:
        assert self._listener is not None, "only called while listening"
        with contextlib.suppress(OSError):
            connection, _ = self._listener.accept()
            connection.setblocking(False)
            caller = _Caller(connection, self)
            self._open.append(caller)
            caller.over.connect(lambda: self._open.remove(caller))
            caller.said.connect(lambda line: self._answer(caller, line))

    def _answer(self, caller: _Caller, line: bytes) -> None:
        call = read_call(line)
        if call is None:
            log.warning("An invalid call was ignored.")
            caller.close()
        elif self._closing():
            caller.answer(CLOSING)
        else:
            caller.answer(TAKEN)
            log.info("Another start has called.")
            bring_up(self._window, call.token)
            self._take(call)


class _Caller(QObject):
    """One connection.

    Signals:
        said: the one line received.
        over: the connection is closed.
    """

    said = Signal(bytes)
    over = Signal()

    def __init__(self, connection: socket.socket, parent: QObject) -> None:
        super().__init__(parent)
        self._connection = connection
        self._heard = b""
        self._notifier = QSocketNotifier(connection.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._read)

    def answer(self, line: bytes) -> None:
        with contextlib.suppress(OSError):
            self._connection.sendall(line)
        self.close()

    def close(self) -> None:
        if self._notifier.isEnabled():
            self._notifier.setEnabled(False)
            self._connection.close()
            self.over.emit()
            self.deleteLater()

    def _read(self) -> None:
        try:
            more = self._connection.recv(MOST_BYTES)
        except BlockingIOError:
            return
        except OSError:
            more = b""
        self._heard += more
        line, ended, _ = self._heard.partition(b"\n")
        if ended:
            self.said.emit(line)
        elif not more or len(self._heard) > MOST_BYTES:
            self.close()


def bring_up(window: QWidget, token: str) -> None:
    """Raise a window above all others, as far as the desktop allows."""
    if token:
        # If the desktop requires a token, Qt takes it from the environment.
        os.environ["XDG_ACTIVATION_TOKEN"] = token
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    # On other platforms only the desktop decides what is in front.
    if QGuiApplication.platformName() in _RAISING:
        window.raise_()
    window.activateWindow()
    QApplication.alert(window)
