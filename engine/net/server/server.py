"""The server's thread: its sockets, its event loop, and the interface to other threads."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import threading
from collections.abc import Iterator

import uvicorn
from starlette.routing import Router
from uvicorn.protocols.http.h11_impl import H11Protocol

from engine.events import ModelInfo
from engine.net.server.by_name import Models
from engine.net.server.config import ServeConfig
from engine.net.server.guard import Guard
from engine.net.server.hub import Hub
from engine.net.server.port import Port
from engine.net.server.problem import ServeError
from engine.net.server.registry import ClientRegistry, ServerSnapshot
from engine.net.server.routes import routes
from engine.net.server.wire import HALF_CLOSED
from engine.sentence import say

READY_S = 10.0
STOP_S = 5.0
BACKLOG = 128
# After how long it is looked for the second time whether a client is gone.
PROBE_S = 0.05
log = logging.getLogger(__name__)


class Server:
    """Serves the attached run loop from `start` to `stop`; thread-safe.

    Attributes:
        config: how it was started; `token` is what clients have to send.
    """

    def __init__(self, config: ServeConfig | None = None, before: Server | None = None) -> None:
        """before: a stopped one; its clients keep their names, colours and places in the tree."""
        assert before is None or not before.running, "two threads would write one registry"
        self.config = config or ServeConfig()
        self._registry: ClientRegistry = ClientRegistry() if before is None else before._registry
        self._hub: Hub = Hub(self.config, self._registry, None if before is None else before._hub)
        self._sockets: list[socket.socket] = []
        self._uvicorn: _Uvicorn | None = None
        self._thread: threading.Thread | None = None
        self._address: tuple[str, int] | None = None

    def attach(self, port: Port, model: ModelInfo) -> None:
        """Run clients' requests there: on `engine.loop`, or on the window's run loop."""
        self._hub.attach(port, model)

    def open_by_name(self, models: Models) -> None:
        """Let requests open these models from now on."""
        self._hub.models = models

    def detach(self) -> None:
        """The model is about to close: requests fail with a sentence until the next `attach`."""
        self._hub.detach()

    def start(self) -> None:
        """Listen. Raises ServeError with a plain sentence on failure."""
        assert self._thread is None, "a server is started once"
        self._sockets = bind(self.config)
        self._address = self._sockets[0].getsockname()[:2]
        self._uvicorn = _Uvicorn(_settings(self._app(), self.config))
        self._thread = threading.Thread(target=self._main, name="biplane-serve", daemon=True)
        self._thread.start()
        if not self._uvicorn.ready.wait(READY_S) or not self._uvicorn.started:
            self.stop()
            raise ServeError(say("The server could not be started; see the log."))

    def stop(self, timeout_s: float = STOP_S) -> bool:
        """Close all connections and end the thread; what was computed stays cached. Idempotent.

        Returns whether the thread has ended.
        """
        self._hub.detach()
        if self._uvicorn is not None:
            self._uvicorn.should_exit = True
        if self._thread is not None:
            self._thread.join(timeout_s)
            return not self._thread.is_alive()
        return True

    @property
    def running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    @property
    def url(self) -> str:
        """Its address, without a path; "" before `start`."""
        if self._address is None:
            return ""
        host, port = self._address
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    @property
    def snapshot(self) -> ServerSnapshot:
        """Its clients and requests; a frozen record, replaced by each change."""
        return self._registry.snapshot

    def _app(self) -> Guard:
        return Guard(Router(routes(self._hub, self.config), redirect_slashes=False), self.config)

    def _main(self) -> None:
        assert self._uvicorn is not None
        try:
            asyncio.run(self._serve(self._uvicorn))
        except BaseException as error:
            log.critical("The server stopped.", exc_info=error)
        finally:
            self._hub.run_on(None)
            self._uvicorn.ready.set()
            for one in self._sockets:
                one.close()

    async def _serve(self, server: _Uvicorn) -> None:
        self._hub.run_on(asyncio.get_running_loop())
        await server.serve(sockets=self._sockets)


class _Uvicorn(uvicorn.Server):
    """Leaves signals to the program, and signals when it listens."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = threading.Event()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()


def _settings(app: Guard, config: ServeConfig) -> uvicorn.Config:
    class Protocol(H11Protocol):
        """Closes connections that send no request, and excess ones."""

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(transport)  # type: ignore[arg-type]
            if len(self.connections) > config.connections:
                transport.abort()  # type: ignore[attr-defined]
                return
            self._patience = self.loop.call_later(config.body_s, self._give_up)

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            patience = getattr(self, "_patience", None)
            if patience is not None:
                patience.cancel()

        def eof_received(self) -> bool:  # type: ignore[override]
            """A client that sends no more may still listen: only writing to it tells."""
            cycle = self.cycle
            if cycle is None or cycle.response_complete or cycle.more_body:
                return False
            if cycle.scope["http_version"] == "1.0" and not cycle.response_started:
                return False
            cycle.keep_alive = False
            cycle.scope[HALF_CLOSED] = True  # type: ignore[literal-required]
            self._ask_whether_gone(PROBE_S)
            return True

        def _ask_whether_gone(self, after_s: float) -> None:
            if self.transport.is_closing() or self.cycle.response_started:
                return
            # Every client skips it, and one that is gone breaks the connection.
            self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            self.loop.call_later(after_s, self._ask_whether_gone, min(2 * after_s, 2.0))

        def _give_up(self) -> None:
            if self.cycle is None:
                self.transport.abort()

    return uvicorn.Config(
        app,
        http=Protocol,
        ws="none",
        loop="asyncio",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=64 << 10,
    )


def bind(config: ServeConfig) -> list[socket.socket]:
    """A listening socket for each address, all with one port. Raises ServeError."""
    sockets: list[socket.socket] = []
    port = config.port
    try:
        for host in config.hosts:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            one = socket.socket(family)
            sockets.append(one)
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            try:
                one.bind((host, port))
            except OSError:
                # A computer without IPv6 has no ::1.
                if family == socket.AF_INET or len(sockets) == 1:
                    raise
                sockets.pop().close()
                continue
            one.listen(BACKLOG)
            port = one.getsockname()[1]
    except (OSError, OverflowError, ValueError) as error:
        for one in sockets:
            one.close()
        said = getattr(error, "strerror", None) or error
        raise ServeError(
            say(
                "The server cannot listen at {hosts}, port {port}: {said}. "
                "Choose another port, or end the program that has it.",
                hosts=", ".join(config.hosts),
                port=port,
                said=said,
            )
        ) from None
    return sockets
