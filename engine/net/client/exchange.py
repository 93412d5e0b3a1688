"""One HTTP request that can be closed from another thread."""

from __future__ import annotations

import contextlib
import http.client
import os
import select
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine.errors import RemoteError
from engine.net.client import trouble
from engine.net.client.address import Address
from engine.sentence import say

_PIECE = 1 << 16
_STEP_S = 0.05
_MOST_SAID = 1 << 16


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait, in seconds.

    Attributes:
        connect_s: for a connection.
        read_s: without receiving a byte; a long prompt is processed in silence.
    """

    connect_s: float = 10.0
    read_s: float = 600.0


class Closed(Exception):
    """The exchange was closed from our side."""


class Exchange:
    """A request and its answer. No proxy, no redirects, no cookies: it goes to that server only.

    `close` may be called from any thread at any time, and interrupts a wait at once; the rest
    belongs to the thread that created it.

    Attributes:
        address: of the server.
        status: of the answer, 0 before it arrives.
    """

    def __init__(self, address: Address, patience: Patience | None = None) -> None:
        self.address = address
        self.status = 0
        self._patience = patience or Patience()
        self._closed = threading.Event()
        self._socket: socket.socket | None = None
        self._answer: http.client.HTTPResponse | None = None
        self._beside: Exchange | None = None

    def ask(self, method: str, path: str, body: bytes = b"", token: str = "") -> None:
        """Send the request and wait for the head of the answer.

        Raises:
            RemoteError: no connection, no answer, or an error status.
            Closed: see `close`.
        """
        connection = self._connect()
        headers = {"Accept": "application/json, text/event-stream", "User-Agent": "biplane"}
        if body:
            headers["Content-Type"] = "application/json"
        if token:
            headers["Authorization"] = f"Bearer {token}"
        try:
            connection.request(method, path, body or None, headers)
            self._answer = connection.getresponse()
        except (OSError, http.client.HTTPException, ValueError) as error:
            self._raise_closed()
            silent = isinstance(error, http.client.RemoteDisconnected)
            if isinstance(error, http.client.BadStatusLine) and not silent:
                raise trouble.not_compatible(self.address, say("it does not speak HTTP")) from None
            raise RemoteError(self._broke_off(error, began=False)) from error
        self.status = self._answer.status
        if self.status != 200:
            where = self._answer.headers.get("Location", "")
            said = self._rest_of(self._answer)
            raise trouble.refused(self.address, self.status, said, where, token)

    def beside(self, address: Address, patience: Patience) -> Exchange:
        """Another exchange for the same thread, which `close` also ends."""
        made = self._beside = Exchange(address, patience)
        if self._closed.is_set():
            made.close()
        return made

    @property
    def kind(self) -> str:
        """The answer's media type, in lower case."""
        assert self._answer is not None, "ask first"
        return self._answer.headers.get_content_type()

    def whole(self, most: int) -> bytes:
        """The whole answer, of at most `most` bytes. Raises as `pieces` does."""
        made = bytearray()
        for piece in self.pieces():
            made += piece
            if len(made) > most:
                raise trouble.not_compatible(self.address, say("its answer has no end"))
        return bytes(made)

    def pieces(self) -> Iterator[bytes]:
        """The answer as it arrives.

        Raises:
            RemoteError: the connection broke, or timed out.
            Closed: see `close`.
        """
        assert self._answer is not None, "ask first"
        began = False
        while True:
            try:
                piece = self._answer.read1(_PIECE)
            except (OSError, http.client.HTTPException, ValueError) as error:
                self._raise_closed()
                raise RemoteError(self._broke_off(error, began=began)) from error
            self._raise_closed()
            if not piece:
                return
            began = True
            yield piece

    def close(self) -> None:
        """End it from any thread: a wait for the server is interrupted at once. Idempotent."""
        self._closed.set()
        if self._beside is not None:
            self._beside.close()
        made = self._socket
        if made is not None:
            # On the plain socket: TLS's would drop the object the other thread is reading with.
            with contextlib.suppress(OSError):
                socket.socket.shutdown(made, socket.SHUT_RDWR)

    def release(self) -> None:
        """Release its resources; call it on the thread that created it."""
        if self._answer is not None:
            self._answer.close()
        if self._socket is not None:
            self._socket.close()

    def __enter__(self) -> Exchange:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        self.release()

    def _connect(self) -> http.client.HTTPConnection:
        address, limit = self.address, self._patience.connect_s
        connection = http.client.HTTPConnection(address.host, address.port)
        # Prevents it from connecting by itself.
        connection.auto_open = 0
        if address.secure:
            connection.default_port = 443
        try:
            made = self._dial(time.monotonic() + limit)
            self._socket = made
            self._raise_closed()
            if address.secure:
                made.settimeout(limit)
                context = ssl.create_default_context()
                self._socket = made = context.wrap_socket(made, server_hostname=address.host)
            made.settimeout(self._patience.read_s)
        except OSError as error:
            self._raise_closed()
            raise trouble.cannot_connect(address, error, limit) from error
        except ValueError as error:
            # A name that no certificate can have.
            raise RemoteError(
                "{host} is not the name of a computer: {error}.", host=address.host, error=error
            ) from None
        self._raise_closed()
        connection.sock = made
        return connection

    def _dial(self, until: float) -> socket.socket:
        """Connect to the first of the host's addresses that answers. Raises OSError or Closed."""
        last: OSError | None = None
        try:
            found = socket.getaddrinfo(
                self.address.host, self.address.port, type=socket.SOCK_STREAM
            )
        except UnicodeError:
            raise socket.gaierror(socket.EAI_NONAME, "not the name of a computer") from None
        for family, kind, protocol, _, number in found:
            made = socket.socket(family, kind, protocol)
            try:
                self._dial_one(made, number, until)
                return made
            except BaseException as error:
                made.close()
                if not isinstance(error, OSError):
                    raise
                last = error
        assert last is not None, "a resolved name has an address"
        raise last

    def _dial_one(self, made: socket.socket, number: Any, until: float) -> None:
        made.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            made.connect(number)
        while True:
            _, ready, _ = select.select([], [made], [], _STEP_S)
            self._raise_closed()
            if ready:
                break
            if time.monotonic() >= until:
                raise TimeoutError("timed out")
        code = made.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if code == 0:
            made.setblocking(True)
            return
        # The constructor chooses the subclass, such as ConnectionRefusedError.
        raise OSError(code, os.strerror(code))

    def _rest_of(self, answer: http.client.HTTPResponse) -> bytes:
        """The body of an error answer, if it arrives."""
        try:
            return answer.read(_MOST_SAID)
        except (OSError, http.client.HTTPException, ValueError):
            self._raise_closed()
            return b""

    def _broke_off(self, error: Exception, *, began: bool) -> str:
        return trouble.broke_off(self.address, error, began=began, waited_s=self._patience.read_s)

    def _raise_closed(self) -> None:
        if self._closed.is_set():
            raise Closed
