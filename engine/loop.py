"""The run loop: the one thread that owns the model and the cache.

This is the only file of the engine that knows threads. Commands go in through a queue, events
come out through a sink; both are immutable records. Several requests may be queued, one runs;
between two tokens, and between two prefill segments, the loop looks at its commands.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from engine import commands, events
from engine.cache.changes import Noticed
from engine.config import EngineConfig
from engine.errors import BiplaneError, LoadCancelled
from engine.snapshot import CacheSnapshot

if TYPE_CHECKING:
    from engine.run.core import Core

T = TypeVar("T")
Sink = Callable[[events.Event], None]
SNAPSHOT_SPACING_S = 0.125
# A background audit begins when nothing was asked for so long.
AUDIT_AFTER_S = 2.0
AUDIT_POLL_S = 0.01


@dataclass(frozen=True, slots=True)
class _Call:
    """Run `function(core)` on the engine's thread; `anytime`: also while a request runs."""

    function: Callable[[Core], Any]
    future: Future[Any]
    anytime: bool


class RunLoop:
    """Opens a model on a thread of its own and serves commands until it is closed.

    Attributes:
        model_dir: the model folder.
        config: how the engine is opened.
    """

    def __init__(self, model_dir: Path | str, config: EngineConfig, sink: Sink | None = None):
        self.model_dir = Path(model_dir)
        self.config = config
        self._events: deque[events.Event] = deque()
        self._sink: Sink = sink or self._events.append
        self._inbox: queue.SimpleQueue[commands.Command | _Call] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._main, name="biplane-engine", daemon=True)
        self._waiting: deque[commands.Submit] = deque()
        self._calls: deque[_Call] = deque()
        self._running: int | None = None
        self._cancelled = False
        self._closing = False
        # Set by the thread that asks, read while a model loads: commands are taken only after that.
        self._close_wanted = threading.Event()
        self._watching = False
        self._auditing = config.background_audit
        self._last_snapshot: object = None
        self._last_snapshot_time = 0.0
        self._seq = 0

    def start(self) -> None:
        self._thread.start()

    def post(self, command: commands.Command) -> None:
        """Queue a command; returns at once. After the end, requests fail instead of waiting."""
        if isinstance(command, commands.Close):
            self._close_wanted.set()
        self._inbox.put(command)
        self._fail_if_over()

    def drain(self) -> list[events.Event]:
        """Take the events that have come since the last call, oldest first; never waits."""
        taken: list[events.Event] = []
        while self._events:
            taken.append(self._events.popleft())
        return taken

    def call(self, function: Callable[[Core], T], *, anytime: bool = False) -> Future[T]:
        """Run a function of the core on the engine's thread, after the requests before it."""
        future: Future[T] = Future()
        self._inbox.put(_Call(function, future, anytime))
        self._fail_if_over()
        return future

    def close(self, timeout_s: float | None = None) -> bool:
        """Cancel what runs and end the thread; True once it has ended."""
        if not self._thread.is_alive():
            return True
        self.post(commands.Close())
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout_s)
        return not self._thread.is_alive()

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def emit(self, event: events.Event) -> None:
        """Stamp an event with its number and time and hand it to the sink."""
        self._seq += 1
        self._sink(replace(event, seq=self._seq, time=time.perf_counter()))

    def _main(self) -> None:
        try:
            core = self._open()
            if core is not None:
                try:
                    self._serve(core)
                finally:
                    core.close()
        except Exception as error:
            # Nothing may die silently: the app shows the sentence and offers to open again.
            self.emit(events.EngineFailed(sentence=f"The engine stopped: {error!r}."))
        finally:
            self._fail_pending()
            self.emit(events.EngineClosed())

    def _open(self) -> Core | None:
        try:
            self.emit(events.LoadProgress(stage="Starting the engine", fraction=0.0))
            # Importing torch takes seconds, which is why it happens here.
            from engine.run.core import Core

            core = Core.open(self.model_dir, self.config, self._tell_loading)
        except LoadCancelled:
            return None
        except BiplaneError as error:
            self.emit(events.EngineFailed(sentence=str(error)))
            return None
        except (ImportError, MemoryError, OSError, RuntimeError) as error:
            self.emit(events.EngineFailed(sentence=f"The engine cannot start: {error}."))
            return None
        self.emit(events.EngineReady(model=core.info))
        return core

    def _tell_loading(self, stage: str, fraction: float | None) -> None:
        """Raises LoadCancelled where somebody wants the loop to end."""
        if self._close_wanted.is_set():
            raise LoadCancelled("Opening the model was cancelled.")
        self.emit(events.LoadProgress(stage=stage, fraction=fraction))

    def _serve(self, core: Core) -> None:
        self._tell_notices(core)
        while not self._closing:
            self._take(self._next(core), core)
            while not self._closing and (self._waiting or self._calls):
                while self._calls:
                    self._answer(self._calls.popleft(), core)
                if self._waiting:
                    self._run(self._waiting.popleft(), core)
                self._take_all(core)

    def _next(self, core: Core) -> commands.Command | _Call:
        """The next command; while none has come, the core's background work, step by step."""
        while self._inbox.empty():
            worked = core.idle(lambda: not self._inbox.empty())
            self._tell_notices(core)
            self._tell_cache(core)
            if not worked and not self._audit(core):
                break
        return self._inbox.get()

    def _audit(self, core: Core) -> bool:
        """After a quiet moment, look at one checkpoint; False where there is none left to do."""
        if not self._auditing:
            return False
        deadline = time.perf_counter() + AUDIT_AFTER_S
        while time.perf_counter() < deadline:
            if not self._inbox.empty():
                return True
            time.sleep(AUDIT_POLL_S)
        done = core.audit(lambda: not self._inbox.empty())
        if done is None:
            return False
        node, verdict = done
        if verdict is not None:
            self.emit(events.NodeVerified(node=node, verdict=verdict, background=True))
        # Without a verdict it gave way, or could not be run at all: not to be tried in a circle.
        return verdict is not None

    def _take_all(self, core: Core) -> None:
        while True:
            try:
                self._take(self._inbox.get_nowait(), core)
            except queue.Empty:
                return

    def _take(self, command: commands.Command | _Call, core: Core) -> None:
        match command:
            case _Call(anytime=True):
                self._answer(command, core)
            case _Call():
                self._calls.append(command)
            case commands.Submit():
                ahead = len(self._waiting) + (self._running is not None)
                self._waiting.append(command)
                self.emit(events.RequestQueued(request=command.request, ahead=ahead))
            case commands.Cancel():
                self._cancel(command.request, core)
            case commands.Probe():
                self._probe(command, core)
            case commands.WatchCache():
                self._watching = command.on
                self._last_snapshot = None
                self._tell_cache(core, now=True)
            case commands.DescribeNode():
                text = core.node_text(command.node)
                if text is not None:
                    self.emit(text)
            case commands.CheckInvariants():
                self.emit(events.InvariantsChecked(broken=core.broken_invariant()))
            case commands.DropCache():
                core.drop_cache()
                self._tell_cache(core, now=True)
            case commands.Record():
                self._calls.append(_Call(partial(_record, command), Future(), False))
            case commands.StopRecording():
                self._calls.append(_Call(lambda core: core.stop_recording(), Future(), False))
            case commands.VerifyNode():
                self._calls.append(_Call(partial(self._verify, command.node), Future(), False))
            case commands.AuditInBackground():
                self._auditing = command.on
            case commands.Close():
                self._closing = self._cancelled = True

    def _run(self, submit: commands.Submit, core: Core) -> None:
        self._running, self._cancelled = submit.request, False
        try:
            core.run(submit, self.emit, lambda: self._poll(core))
        except BiplaneError as error:
            self.emit(events.RequestFailed(request=submit.request, sentence=str(error)))
        except Exception as error:
            core.abandon()
            self.emit(
                events.RequestFailed(
                    request=submit.request, sentence=f"The engine failed on this: {error!r}."
                )
            )
        finally:
            self._running = None
            self._tell_notices(core)
            self._tell_cache(core, now=True)

    def _poll(self, core: Core) -> bool:
        """Between two steps of a request: look at the commands; True if it must stop."""
        self._take_all(core)
        self._tell_cache(core)
        return self._cancelled

    def _cancel(self, request: int, core: Core) -> None:
        if request == self._running:
            self._cancelled = True
            return
        for submit in self._waiting:
            if submit.request == request:
                self._waiting.remove(submit)
                self.emit(core.cancelled_before_start(submit))
                return

    def _probe(self, command: commands.Probe, core: Core) -> None:
        try:
            plan = core.probe(command.prompt, command.options)
        except BiplaneError:
            return
        self.emit(events.ProbeAnswered(probe=command.probe, plan=plan))

    def _tell_cache(self, core: Core, *, now: bool = False) -> None:
        if not self._watching:
            return
        moment = time.perf_counter()
        if not now and moment - self._last_snapshot_time < SNAPSHOT_SPACING_S:
            return
        stamp = core.cache_stamp()
        if stamp == self._last_snapshot:
            return
        self._last_snapshot, self._last_snapshot_time = stamp, moment
        snapshot: CacheSnapshot = core.snapshot(watched=True)
        self.emit(events.CacheChanged(snapshot=snapshot))

    def _verify(self, node: int, core: Core) -> None:
        try:
            verdict = core.verify(node, lambda: False)
        except BiplaneError as error:
            self.emit(events.Notice(sentence=str(error)))
            return
        self.emit(events.NodeVerified(node=node, verdict=verdict))
        self._tell_notices(core)
        self._tell_cache(core, now=True)

    def _tell_notices(self, core: Core) -> None:
        while core.notices:
            sentence = core.notices.popleft()
            core.store.tell(Noticed(sentence))
            self.emit(events.Notice(sentence=sentence))

    @staticmethod
    def _answer(call: _Call, core: Core) -> None:
        if not call.future.set_running_or_notify_cancel():
            return
        try:
            call.future.set_result(call.function(core))
        except BaseException as error:
            call.future.set_exception(error)

    def _fail_if_over(self) -> None:
        if self._thread.ident is not None and not self._thread.is_alive():
            self._fail_pending()

    def _fail_pending(self) -> None:
        """Answer what can no longer be served, so that no caller waits for ever."""
        pending: list[commands.Command | _Call] = [*self._waiting, *self._calls]
        while not self._inbox.empty():
            pending.append(self._inbox.get_nowait())
        for command in pending:
            if isinstance(command, _Call):
                command.future.set_exception(BiplaneError("The engine is closed."))
            elif isinstance(command, commands.Submit):
                self.emit(
                    events.RequestFailed(request=command.request, sentence="The engine is closed.")
                )


def _record(command: commands.Record, core: Core) -> None:
    try:
        core.record(Path(command.path), text=command.text)
    except BiplaneError as error:
        core.notices.append(str(error))
