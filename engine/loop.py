"""The run loop: the one thread that owns the model and the cache.

This is the only module of the engine that uses threads. Commands enter through a queue, events
leave through a sink; both are immutable records. Several requests may run, and more may be queued;
between two passes of the model the loop checks its commands. A failure is
contained: it is logged and reported in one sentence, and the loop continues.
"""

from __future__ import annotations

import atexit
import logging
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
from engine.cache.journal.changes import Noticed
from engine.config import EngineConfig
from engine.errors import BiplaneError, LoadCancelled, PromptTooLong, unexpected
from engine.failures import Failures
from engine.run.act_line import ActLine
from engine.run.answers import CLOSED, SHOWING, Answers, closed_answer
from engine.run.idle_audits import IdleAudits
from engine.run.inspect.inspections import Inspections
from engine.run.journal_feed import SPACING_S, JournalFeed
from engine.run.listeners import Listeners, Outbox
from engine.run.verify_line import VerifyLine
from engine.sentence import say

if TYPE_CHECKING:
    from engine.run.core import Core
    from engine.run.rota import Rota

T = TypeVar("T")
Sink = Callable[[events.Event], None]
log = logging.getLogger(__name__)
# Loops whose thread is running.
_open_loops: set[RunLoop] = set()


@atexit.register
def _close_all() -> None:
    """Close forgotten loops: if Python ends a thread in the middle of C++, the process aborts."""
    for loop in tuple(_open_loops):
        loop.post(commands.Close())
    for loop in tuple(_open_loops):
        loop.close()


@dataclass(frozen=True, slots=True)
class _Call:
    """Run `function(core)` on the engine's thread; `anytime`: also while a request runs."""

    function: Callable[[Core], Any]
    future: Future[Any]
    anytime: bool


@dataclass(frozen=True, slots=True)
class _Wake:
    """A wake-up without a command: another thread has something to report."""


_Later = _Call | commands.Record | commands.StopRecording | commands.WatchJournal | commands.Tune


class RunLoop:
    """Opens a model on its own thread and serves commands until closed.

    Attributes:
        model_dir: the model folder.
        config: how the engine is opened.
        listeners: receive the events.
    """

    def __init__(self, model_dir: Path | str, config: EngineConfig, sink: Sink | None = None):
        self.model_dir = Path(model_dir)
        self.config = config
        outbox = Outbox()
        self.drain, self.wake_with_next = outbox.drain, outbox.wake_with_next
        self.listeners = Listeners(sink or outbox.put)
        self._inbox: queue.SimpleQueue[commands.Command | _Call | _Wake] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._main, name="biplane-engine", daemon=True)
        self._waiting: deque[commands.Submit] = deque()
        # To be run between two requests; nodes to audit come after all of them.
        self._later: deque[_Later] = deque()
        # Made once there is a core.
        self._rota: Rota | None = None
        self._closing = False
        # Set by the calling thread and read while a model loads: commands are only read afterwards.
        self._close_wanted = threading.Event()
        # Commands that arrive from now on are not served.
        self._over = threading.Event()
        self._ending = threading.RLock()
        self._failures = Failures(self.emit)
        self._feed = JournalFeed(self.emit)
        self._answers = Answers(self.emit, self._failures, self._feed)
        self._audits = VerifyLine(self.emit, self._failures)
        self._acts = ActLine(self.emit, self._failures)
        self._inspections = Inspections(self.emit, self._failures)
        self._idle_audits = IdleAudits(self.emit, self._failures, on=config.background_audit)
        self._seq = 0

    def start(self) -> None:
        _open_loops.add(self)
        self._thread.start()

    def post(self, command: commands.Command) -> None:
        """Queue a command; returns at once. After the end, requests fail instead of waiting."""
        if isinstance(command, commands.Close):
            self._close_wanted.set()
        self._inbox.put(command)
        self._fail_if_over()

    def call(self, function: Callable[[Core], T], *, anytime: bool = False) -> Future[T]:
        """Run a function on the core on the engine's thread, between two requests or at any time.

        It does not wait for queued requests.
        """
        future: Future[T] = Future()
        self._inbox.put(_Call(function, future, anytime))
        self._fail_if_over()
        return future

    def close(self, timeout_s: float | None = None) -> bool:
        """Cancel the running request and end the thread; returns whether it has ended."""
        if not self._thread.is_alive():
            return True
        self.post(commands.Close())
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout_s)
        return not self._thread.is_alive()

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def close_wanted(self) -> bool:
        """Whether the loop was asked to close: long operations should stop."""
        return self._close_wanted.is_set()

    def emit(self, event: events.Event) -> None:
        """Stamp an event with its number and time and hand it to the sink."""
        self._seq += 1
        self.listeners.tell(replace(event, seq=self._seq, time=time.perf_counter()))

    def _main(self) -> None:
        try:
            core = self._open()
            if core is not None:
                try:
                    self._serve(core)
                finally:
                    core.close(self._tell_closing)
                    self._tell_notices(core)
        except BaseException as error:
            # No failure may be silent: the app shows the sentence and offers to reopen.
            log.critical("The engine stopped.", exc_info=error)
            self.emit(events.EngineFailed(sentence=unexpected(say("The engine"), error)))
        finally:
            self._over.set()
            self._fail_pending()
            self.emit(events.EngineClosed())
            _open_loops.discard(self)

    def _open(self) -> Core | None:
        began = time.perf_counter()
        try:
            self.emit(events.LoadProgress(stage=say("Starting the engine"), fraction=0.0))
            # Importing torch takes seconds, which is why it happens here.
            from kernels.torch_library import load_torch_library

            load_torch_library()
            from engine.run.core import Core

            core = Core.open(self.model_dir, self.config, self._tell_loading)
        except LoadCancelled:
            log.info("Opening the model was cancelled.")
            return None
        except BiplaneError as error:
            log.warning("The model could not be opened.", exc_info=error)
            self.emit(events.EngineFailed(sentence=str(error)))
            return None
        except (ImportError, MemoryError, OSError, RuntimeError) as error:
            log.error("The model could not be opened.", exc_info=error)
            self.emit(
                events.EngineFailed(sentence=say("The engine cannot start: {error}.", error=error))
            )
            return None
        except BaseException as error:
            # Rust code that panics does not raise an Exception.
            log.error("The model could not be opened.", exc_info=error)
            sentence = unexpected(say("Opening {model_dir}", model_dir=self.model_dir), error)
            self.emit(events.EngineFailed(sentence=sentence))
            return None
        self.emit(events.EngineReady(model=core.info, load_s=time.perf_counter() - began))
        return core

    def _tell_loading(self, stage: str, fraction: float | None, total_bytes: int = 0, /) -> None:
        """Raises LoadCancelled if the loop was asked to end."""
        if self._close_wanted.is_set():
            raise LoadCancelled("Opening the model was cancelled.")
        self.emit(events.LoadProgress(stage=stage, fraction=fraction, total_bytes=total_bytes))

    def _tell_closing(self, written: int, total: int) -> None:
        self.emit(events.ClosingProgress(written=written, total=total))

    def _serve(self, core: Core) -> None:
        from engine.run.rota import Rota

        core.notices.wake = lambda: self._inbox.put(_Wake())
        rota = self._rota = Rota(core.depth, self.config.parallel, self._failed, self._tell_waiting)
        self._tell_notices(core)
        while not self._closing:
            self._take(self._next(core), core)
            self._take_all(core)
            while not self._closing and (
                rota or self._waiting or self._later or self._audits or self._acts
            ):
                self._go_on(rota, core)
                self._take_all(core)
        rota.cancel_all()
        while rota:
            rota.go_on()

    def _go_on(self, rota: Rota, core: Core) -> None:
        """Whatever is next: a pass of the running requests, or what waits for their end."""
        if not rota:
            while self._later and not self._closing:
                self._answer(self._later.popleft(), core)
            if self._acts.run_quick(core):
                self._tell_cache(now=True)
        self._admit(rota, core)
        if rota:
            rota.go_on()
            self._answers.go_on(core)
            self._tell_cache(now=not rota)
            self._tell_notices(core)
        elif not self._waiting and (self._acts or self._audits) and not self._closing:
            if self._acts:
                self._acts.run_next(core, lambda: self._gives_way(core))
            else:
                self._audits.run_next(core, lambda: self._gives_way(core, to_acts=True))
            self._tell_notices(core)
            self._tell_cache(now=True)

    def _admit(self, rota: Rota, core: Core) -> None:
        """Let waiting requests in, unless something waits for all of them to end."""
        while not (self._closing or self._later or self._acts.first_is_quick):
            submit = rota.next_of(self._waiting)
            if submit is None:
                return
            self._waiting.remove(submit)
            rota.add(submit, partial(core.answer, submit, self.emit))

    def _next(self, core: Core) -> commands.Command | _Call | _Wake:
        """The next command; while there is none, run the core's idle work step by step."""
        while self._inbox.empty():
            worked, unsettled = self._failures.background(
                say("Background work"), lambda: self._work(core), (False, False)
            )
            if worked or self._idle_audits.run_next(core, lambda: not self._inbox.empty()):
                continue
            try:
                # Wait indefinitely, unless the file writer will have something to report soon.
                return self._inbox.get(timeout=SPACING_S if unsettled else None)
            except queue.Empty:
                continue
        return self._inbox.get()

    def _work(self, core: Core) -> tuple[bool, bool]:
        """One step of idle work: whether it did anything, and whether to check again soon."""
        counted = self._answers.go_on(core)
        worked = self._inspections.step(core) or core.idle() or counted
        pending = core.settle()
        self._tell_notices(core)
        return worked, self._tell_cache() or bool(pending)

    # ---- commands

    def _take_all(self, core: Core) -> None:
        while True:
            try:
                self._take(self._inbox.get_nowait(), core)
            except queue.Empty:
                return

    def _take(self, command: commands.Command | _Call | _Wake, core: Core) -> None:
        """Execute a command, or queue it; a failure affects only that command."""
        match command:
            case _Wake():
                self._tell_notices(core)
            case _Call(anytime=True):
                self._answer(command, core)
            case (
                _Call()
                | commands.Record()
                | commands.StopRecording()
                | commands.WatchJournal()
                | commands.Tune()
            ):
                self._later.append(command)
            case commands.Submit():
                self._waiting.append(command)
                rota = self._rota
                at_once = rota is not None and rota.next_of(self._waiting) is command
                ahead = 0 if at_once else len(self._waiting) - 1 + len(rota or ())
                self.emit(events.RequestQueued(request=command.request, ahead=ahead))
            case commands.Cancel():
                self._cancel(command.request)
            case commands.VerifyNode():
                self._audits.add(command.node)
            case commands.Act() | commands.UndoAct() | commands.WarmPrompt():
                self._acts.add(command, core)
            case commands.StopActs():
                self._acts.stop()
            case commands.StopVerify():
                self._audits.stop()
            case commands.InspectMemory() | commands.InspectRecall():
                self._inspections.ask(command)
            case commands.StopInspecting():
                self._inspections.stop()
            case commands.AuditInBackground():
                self._idle_audits.on = command.on
            case commands.Close():
                self._closing = True
                self._audits.stop()
                self._acts.stop()
            case _:
                self._answers.answer(command, core)

    def _failed(self, submit: commands.Submit, error: BaseException) -> None:
        """A request raised; it has given back what it held."""
        request = submit.request
        if isinstance(error, BiplaneError):
            log.info("Request %d was refused: %s.", request, type(error).__name__)
            too_long = error.least if isinstance(error, PromptTooLong) else None
            self.emit(
                events.RequestFailed(
                    request=request, sentence=str(error), refused=True, too_long=too_long
                )
            )
            return
        log.error("Request %d failed.", request, exc_info=error)
        sentence = unexpected(say("The request"), error)
        self.emit(events.RequestFailed(request=request, sentence=sentence))

    def _tell_waiting(self, request: int, sentence: str) -> None:
        self.emit(events.RequestWaits(request=request, sentence=sentence))

    def _cancel(self, request: int) -> None:
        turn = None if self._rota is None else self._rota.find(request)
        if turn is not None:
            turn.cancelled = True
            return
        for submit in self._waiting:
            if submit.request == request:
                self._waiting.remove(submit)
                self.emit(events.never_started(request))
                return

    def _gives_way(self, core: Core, *, to_acts: bool = False) -> bool:
        """Between two passes of long work: process commands; True if a request arrived."""
        self._take_all(core)
        self._answers.go_on(core)
        self._tell_cache()
        return self._closing or bool(self._waiting or (to_acts and self._acts))

    def _answer(self, what: _Later, core: Core) -> None:
        match what:
            case commands.Tune():
                self._answers.tune(what, core)
            case commands.WatchJournal():
                self._failures.background(SHOWING, lambda: self._feed.watch(core, what.on), None)
            case commands.Record():
                self._answers.record(what, core)
            case commands.StopRecording():
                self._answers.stop_recording(what, core)
            case _Call() if what.future.set_running_or_notify_cancel():
                try:
                    what.future.set_result(what.function(core))
                except BaseException as error:
                    what.future.set_exception(error)

    # ---- reporting

    def _tell_cache(self, *, now: bool = False) -> bool:
        """Returns whether something is still to be reported."""
        return self._failures.background(SHOWING, lambda: self._feed.feed(now=now), False)

    def _tell_notices(self, core: Core) -> None:
        note = core.store.log_change
        for sentence in core.notices.take():
            self.emit(events.Notice(sentence=sentence))
            self._failures.background(
                say("Noting a sentence"), partial(note, Noticed(sentence)), None
            )

    # ---- after the end

    def _fail_if_over(self) -> None:
        if self._over.is_set():
            self._fail_pending()

    def _fail_pending(self) -> None:
        """Answer commands that can no longer be served, so that no caller waits forever.

        Called by the loop's own thread at its end, and by any thread that posts afterwards.
        """
        with self._ending:
            for line in (self._waiting, self._later):
                while line:
                    self._fail(line.popleft())
            while not self._inbox.empty():
                self._fail(self._inbox.get_nowait())

    def _fail(self, command: commands.Command | _Call | _Wake) -> None:
        if isinstance(command, _Call) and command.future.set_running_or_notify_cancel():
            command.future.set_exception(BiplaneError(CLOSED))
        elif (answer := closed_answer(command)) is not None:
            self.emit(answer)
