"""The run loop of a remote engine: the same commands and events as for our own.

The only module of this package that uses threads: one connects and takes commands, and each
request has its own, which waits for the server. Servers queue and batch by themselves, so requests
start at once, up to a limit.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace

from engine import commands, events
from engine.cache_shape import CacheShape
from engine.errors import BiplaneError, RemoteError, unexpected
from engine.events import ModelInfo
from engine.net.client.answer import Answer
from engine.net.client.catalog import PROGRAM_NAMES, Catalog, Served, read_catalog
from engine.net.client.connection import Connection
from engine.net.client.exchange import Closed, Exchange, Patience
from engine.net.client.expecting import Expecting, Watcher
from engine.net.counters.poller import Poller
from engine.net.counters.reading import CountersRead
from engine.run.answers import closed_answer
from engine.run.listeners import Outbox
from engine.sentence import say

MOST_AT_ONCE = 8
_JOIN_S = 5.0
_ELSEWHERE = say("That is done where the engine runs, not from here.")
log = logging.getLogger(__name__)
# The layers are unknown.
UNKNOWN_SHAPE = CacheShape(
    kinds=(),
    query_heads=0,
    kv_heads=0,
    head_dim=0,
    state_heads=0,
    key_dim=0,
    value_dim=0,
    conv_rows=0,
    conv_channels=0,
    hidden=0,
    dtype="",
    itemsize=0,
    state_dtype="",
    state_itemsize=0,
    window=0,
)


def model_of(connection: Connection, catalog: Catalog, served: Served) -> ModelInfo:
    """What is known; numbers that the server does not report are 0."""
    program = PROGRAM_NAMES[catalog.program]
    return ModelInfo(
        name=connection.name,
        family=program,
        folder=str(connection),
        parameters=served.parameters,
        weight_bytes=0,
        dtype="",
        device=connection.address.place,
        layers=0,
        linear_layers=0,
        full_layers=0,
        vocab_size=0,
        context=served.context,
        kv_bytes_per_token=0,
        checkpoint_bytes=0,
        cache_shape=UNKNOWN_SHAPE,
        # Known servers have a switch for it; others think or not as they are configured.
        supports_thinking=catalog.program != "plain",
        remote=program,
    )


class RemoteLoop:
    """Connects on its own thread and serves commands until closed.

    Attributes:
        connection: what it connects to.
    """

    def __init__(
        self,
        connection: Connection,
        token: str = "",
        sink: Callable[[events.Event], None] | None = None,
        patience: Patience | None = None,
        watch: Callable[[], Watcher] | None = None,
    ) -> None:
        """Does not connect before `start`.

        Args:
            sink: receives the events on the loop's threads; None queues them for `drain`.
            watch: starts following the engine's KV events; may raise a BiplaneError.
        """
        self.connection = connection
        self._token = token
        self._patience = patience or Patience()
        outbox = Outbox()
        self.drain, self.wake_with_next = outbox.drain, outbox.wake_with_next
        self._sink = sink or outbox.put
        self._telling = threading.Lock()
        self._seq = 0
        self._inbox: queue.SimpleQueue[commands.Command | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._main, name="biplane-remote", daemon=True)
        self._closing = threading.Event()
        self._waiting: deque[commands.Submit] = deque()
        # Requests in progress; threads remove themselves under the lock.
        self._running: dict[int, Exchange] = {}
        self._lock = threading.Lock()
        self._greeting = Exchange(connection.address, self._patience)
        # A token must only reach the server it was entered for, wherever its counters are.
        same = connection.counters.origin == connection.address.origin
        self._watch = watch
        self._watcher: Watcher | None = None
        self._poller = Poller(connection.counters, token if same else "", self._count)

    def start(self) -> None:
        self._thread.start()

    def post(self, command: commands.Command) -> None:
        """Queue a command; returns at once. After the end, requests fail instead of waiting."""
        if isinstance(command, commands.Close):
            self._closing.set()
            self._greeting.close()
        self._inbox.put(command)
        if not self._thread.is_alive() and self._thread.ident is not None:
            self._fail_pending()

    def close(self, timeout_s: float | None = None) -> bool:
        """Close all connections and end the threads; returns whether they have ended."""
        if self._thread.is_alive():
            self.post(commands.Close())
            self._thread.join(timeout_s)
        return not self._thread.is_alive()

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def emit(self, event: events.Event) -> None:
        """Stamp an event with its number and time and hand it to the sink, from any thread."""
        with self._telling:
            self._seq += 1
            self._sink(replace(event, seq=self._seq, time=time.perf_counter()))

    # ---- lifecycle

    def _main(self) -> None:
        try:
            catalog = self._connect()
            if catalog is not None:
                self._poller.start()
                self._listen()
                self._serve(catalog)
        except BaseException as error:
            log.critical("The connection stopped.", exc_info=error)
            self.emit(events.EngineFailed(sentence=unexpected(say("The connection"), error)))
        finally:
            self._poller.stop(_JOIN_S)
            self._stop_all()
            if self._watcher is not None:
                self._watcher.stop()
            self._fail_pending()
            self.emit(events.EngineClosed())

    def _connect(self) -> Catalog | None:
        connection = self.connection
        place = connection.address.place
        self.emit(events.LoadProgress(stage=say("Connecting to {place}", place=place)))
        try:
            with self._greeting as greeting:
                catalog = read_catalog(connection.address, self._token, exchange=greeting)
            served = catalog.find(connection.model)
            if served is None:
                raise RemoteError(
                    "{place} does not serve {model}: choose another of its models in "
                    "File > Connect….",
                    place=place,
                    model=connection.model,
                )
        except Closed:
            return None
        except BiplaneError as error:
            log.info("No connection: %s", type(error).__name__)
            self.emit(events.EngineFailed(sentence=str(error)))
            return None
        self.emit(events.EngineReady(model=model_of(connection, catalog, served)))
        return catalog

    def _listen(self) -> None:
        if self._watch is None:
            return
        try:
            self._watcher = self._watch()
            self._watcher.start()
        except BiplaneError as error:
            self.emit(events.Notice(sentence=str(error)))

    def _count(self, read: CountersRead) -> None:
        """Runs on the thread that polls the counters."""
        self.emit(read)
        if self._watcher is not None:
            self._watcher.counted(read)

    def _serve(self, catalog: Catalog) -> None:
        while not self._closing.is_set():
            command = self._inbox.get()
            if command is not None:
                self._take(command)
            with self._lock:
                free = MOST_AT_ONCE - len(self._running)
            while self._waiting and free > 0 and not self._closing.is_set():
                self._begin(self._waiting.popleft(), catalog)
                free -= 1

    def _take(self, command: commands.Command) -> None:
        match command:
            case commands.Submit():
                with self._lock:
                    ahead = max(0, len(self._running) + len(self._waiting) - MOST_AT_ONCE + 1)
                self._waiting.append(command)
                self.emit(events.RequestQueued(request=command.request, ahead=ahead))
            case commands.Cancel():
                self._cancel(command.request)
            case _:
                answer = _declined(command)
                if answer is not None:
                    self.emit(answer)

    def _cancel(self, request: int) -> None:
        with self._lock:
            exchange = self._running.get(request)
        if exchange is not None:
            exchange.close()
            return
        for submit in self._waiting:
            if submit.request == request:
                self._waiting.remove(submit)
                self.emit(events.never_started(request))
                return

    # ---- requests

    def _begin(self, submit: commands.Submit, catalog: Catalog) -> None:
        exchange = Exchange(self.connection.address, self._patience)
        program, watcher = catalog.program, self._watcher
        answer = Answer(submit, self.connection, program, self._token, self.emit, exchange)
        if watcher is not None:
            answer.expecting = Expecting(watcher, self.connection, program)
        with self._lock:
            self._running[submit.request] = exchange
        threading.Thread(
            target=self._run, args=(answer,), name="biplane-remote-request", daemon=True
        ).start()

    def _run(self, answer: Answer) -> None:
        request = answer.submit.request
        try:
            answer.run()
        except BaseException as error:
            log.error("A request to a server failed.", exc_info=error)
            sentence = unexpected(say("The request"), error)
            self.emit(events.RequestFailed(request=request, sentence=sentence))
        finally:
            with self._lock:
                del self._running[request]
            # A slot for the next one is free.
            self._inbox.put(None)

    def _stop_all(self) -> None:
        """Close requests in progress; each reports its end by itself."""
        with self._lock:
            left = list(self._running.values())
        for exchange in left:
            exchange.close()
        until = time.monotonic() + _JOIN_S
        while time.monotonic() < until:
            with self._lock:
                if not self._running:
                    return
            time.sleep(0.005)
        log.warning("A request to a server did not end in time.")

    def _fail_pending(self) -> None:
        pending: list[commands.Command] = list(self._waiting)
        self._waiting.clear()
        while True:
            try:
                command = self._inbox.get_nowait()
            except queue.Empty:
                break
            if command is not None:
                pending.append(command)
        for command in pending:
            answer = closed_answer(command)
            if answer is not None:
                self.emit(answer)


def _declined(command: commands.Command) -> events.Event | None:
    """The reply to a command that only our own engine can run; None if none is expected."""
    match command:
        case commands.Forget():
            return events.Forgotten(
                number=command.number,
                bytes=0,
                files=0,
                sentence=say("The cache of an engine elsewhere cannot be cleared from here."),
            )
        case commands.Act() | commands.UndoAct():
            node = command.node if isinstance(command, commands.Act) else None
            return events.Acted(number=command.number, node=node, done=False, sentence=_ELSEWHERE)
        case commands.WarmPrompt():
            return events.Acted(number=command.number, node=None, done=False, sentence=_ELSEWHERE)
        case commands.Tune():
            return events.Tuned(number=command.number, sentence=_ELSEWHERE)
        case commands.VerifyNode():
            return events.VerifyStopped(node=command.node, sentence=_ELSEWHERE)
        case commands.InspectMemory() | commands.InspectRecall():
            return events.InspectRefused(number=command.number, sentence=_ELSEWHERE)
        case commands.CheckInvariants() | commands.DropCache() | commands.AuditInBackground():
            return events.Notice(sentence=_ELSEWHERE)
        case commands.Record():
            return events.RecordingEnded(written=False)
    return None
