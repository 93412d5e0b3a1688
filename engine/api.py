"""The engine as a Python object: open, ask for logits, generate, look at the cache."""

from __future__ import annotations

import itertools
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from engine import commands, events
from engine.config import EngineConfig, Sampling
from engine.errors import BiplaneError, ModelError
from engine.logits import LogitsResult
from engine.loop import RunLoop
from engine.message import Message, PromptOptions
from engine.reuse import ReusePlan
from engine.run.answers import CLOSED
from engine.snapshot import CacheSnapshot
from engine.verdict import Verdict

if TYPE_CHECKING:
    from engine.journal.recorder import Recording
    from engine.run.core import Core

T = TypeVar("T")
Prompt = Sequence[int] | Sequence[Message]


class Engine:
    """A model and its two-plane prefix cache, on a background thread.

    Every method may be called from any thread. It is a context manager.

    Attributes:
        model: what was loaded.
    """

    def __init__(self, model_dir: Path | str, config: EngineConfig) -> None:
        """Use `Engine.open`."""
        self._listeners: dict[int, queue.SimpleQueue[events.Event]] = {}
        self._numbers = itertools.count(1)
        self._opened: Future[events.ModelInfo] = Future()
        self._loop = RunLoop(model_dir, config, self._hear)
        self._loop.start()
        try:
            self.model = self._opened.result()
        except BiplaneError:
            self._loop.close()
            raise
        except BaseException:
            # Ctrl+C ends the wait: nothing could close the engine being opened.
            self._loop.close(0)
            raise

    @classmethod
    def open(cls, model_dir: Path | str, config: EngineConfig | None = None) -> Engine:
        """Load a model folder.

        Raises:
            ModelError: the folder cannot be used; the message says why.
        """
        return cls(model_dir, config or EngineConfig())

    def logits(
        self, prompt: Prompt, reuse: bool = True, options: PromptOptions | None = None
    ) -> LogitsResult:
        """The logits of a prompt's last position.

        Args:
            prompt: token ids, or messages for the chat template.
            reuse: True reads from the cache and stores to it; False does neither.

        Raises:
            PromptError: empty, too long, or refused by the template.
            BiplaneError: the engine was closed meanwhile.
        """
        fixed, opts, over = _fixed(prompt), options or PromptOptions(), self._loop.close_wanted
        found = self._call(lambda core: core.read(fixed, opts, reuse=reuse, cancelled=over))
        if found is None:
            raise BiplaneError(CLOSED)
        return found

    def generate(
        self,
        prompt: Prompt,
        sampling: Sampling | None = None,
        options: PromptOptions | None = None,
        *,
        reuse: bool = True,
        prediction: str = "",
    ) -> RequestEvents:
        """Run a prompt and yield its events, ending with RequestFinished or RequestFailed.

        With `PromptOptions.continues` the last message, an answer, is continued where it was cut.
        It is queued at once. Closing the iterator cancels the request, even before its first event;
        what it computed stays in the cache. With `reuse` false the cache is neither read nor
        written. `prediction`: a text that the answer will probably repeat in parts, for speed.
        """
        request = next(self._numbers)
        submit = commands.Submit(
            request,
            _fixed(prompt),
            sampling or Sampling(),
            options or PromptOptions(),
            reuse,
            prediction=prediction,
        )
        heard: queue.SimpleQueue[events.Event] = queue.SimpleQueue()
        self._listeners[request] = heard
        self._loop.post(submit)
        return RequestEvents(
            heard,
            cancel=lambda: self._loop.post(commands.Cancel(request)),
            forget=lambda: self._listeners.pop(request, None),
        )

    def probe(self, prompt: Prompt, options: PromptOptions | None = None) -> ReusePlan:
        """What the prompt would reuse now. Mutates no clock, lock or counter."""
        fixed, opts = _fixed(prompt), options or PromptOptions()
        return self._call(lambda core: core.probe(fixed, opts), anytime=True)

    def count_tokens(self, texts: Sequence[str]) -> tuple[int, ...]:
        """How many tokens each text has in a prompt; the engine does nothing else meanwhile."""
        given = tuple(texts)
        return self._call(lambda core: tuple(map(core.text.count, given)), anytime=True)

    def snapshot(self) -> CacheSnapshot:
        """A consistent snapshot of the cache.

        Its `evictions` are those since the previous call.
        """
        return self._call(lambda core: core.snapshot(), anytime=True)

    def check_invariants(self) -> None:
        """Raises InvariantError naming the first invariant that is violated."""
        self._call(lambda core: core.check_invariants(), anytime=True)

    def verify(self, node: int) -> Verdict | None:
        """Run the tokens of a node's checkpoint cold, compare, and stamp it with the verdict.

        None if the node has no checkpoint or the engine was closed meanwhile. Raises CacheError if
        there is no such node.
        """
        return self._call(lambda core: core.verify(node, self._loop.close_wanted))

    def drop_cache(self) -> None:
        """Evict everything that no running request has locked."""
        self._call(lambda core: core.drop_cache(), anytime=True)

    def forget(
        self,
        gone: Sequence[Prompt],
        kept: Sequence[Prompt] = (),
        options: PromptOptions | None = None,
    ) -> events.Forgotten:
        """Remove what only the prompts `gone` used from every tier, files included.

        What they share with one of `kept` stays. Waits until no request runs.
        """
        done: Future[events.Forgotten] = Future()
        command = commands.Forget(
            0,
            tuple(_fixed(one) for one in gone),
            tuple(_fixed(one) for one in kept),
            options or PromptOptions(),
        )
        self._call(lambda core: core.background.forget(command, done.set_result), anytime=True)
        return done.result()

    def record(self, path: Path | str, text: bool = False) -> None:
        """Record everything that the cache does from now on in a trace file; see journal/lines.py.

        Recording starts between two requests. The requests since the engine was opened are written
        first, since they determine what is cached. Token ids are written as hashes that preserve
        only which prefixes are equal; with `text` the real ids and the answers are written. A file
        whose name ends in .gz is compressed. Raises TraceError if the file cannot be written.
        """
        self._call(lambda core: core.recordings.start(Path(path), text=text))

    def stop_recording(self) -> Recording | None:
        """End the trace file; None if none was being written."""
        return self._call(lambda core: core.recordings.stop())

    def on_core(self, function: Callable[[Core], T]) -> T:
        """Run `function(core)` on the engine's thread: for our own audits and benchmarks."""
        return self._call(function)

    @property
    def loop(self) -> RunLoop:
        """The run loop, for callers that use commands and events, such as the server."""
        return self._loop

    @property
    def alive(self) -> bool:
        """Whether the engine is open: neither closed nor failed."""
        return self._loop.alive

    def close(self) -> None:
        """Cancel running requests, finish writing files and end the thread. Idempotent."""
        self._loop.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, function: Callable[[Core], T], *, anytime: bool = False) -> T:
        if not self._loop.alive:
            raise BiplaneError(CLOSED)
        if threading.current_thread().name == "biplane-engine":
            raise BiplaneError("The engine cannot be called from its own thread.")
        return self._loop.call(function, anytime=anytime).result()

    def _hear(self, event: events.Event) -> None:
        match event:
            case events.EngineReady():
                self._opened.set_result(event.model)
            case events.EngineFailed() if not self._opened.done():
                self._opened.set_exception(ModelError(event.sentence))
            case events.EngineClosed():
                if not self._opened.done():
                    # Whatever ended the loop, the caller must not wait forever.
                    self._opened.set_exception(ModelError("The engine stopped while opening."))
                for request, heard in list(self._listeners.items()):
                    heard.put(events.RequestFailed(request=request, sentence=CLOSED))
            case _:
                number = getattr(event, "request", None)
                listener = self._listeners.get(number) if isinstance(number, int) else None
                if listener is not None:
                    listener.put(event)


class RequestEvents(Iterator[events.Event]):
    """The events of one request, in order; ends after RequestFinished or RequestFailed.

    It is also a context manager, which closes it.
    """

    def __init__(
        self,
        heard: queue.SimpleQueue[events.Event],
        cancel: Callable[[], object],
        forget: Callable[[], object],
    ) -> None:
        self._heard = heard
        self._cancel = cancel
        self._forget = forget
        self._over = False

    def __next__(self) -> events.Event:
        if self._over:
            raise StopIteration
        event = self._heard.get()
        if isinstance(event, events.RequestFinished | events.RequestFailed):
            # Another thread may be waiting for events while this one closes the stream.
            self._heard.put(event)
            if self._over:
                raise StopIteration
            self._over = True
            self._forget()
        return event

    def close(self) -> None:
        """Cancel the request if it is still running, and wait until the engine has released it."""
        if self._over:
            return
        self._cancel()
        for _ in self:
            pass

    def __enter__(self) -> RequestEvents:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        # Never wait here: this runs on whichever thread drops the last reference.
        if not self._over:
            self._over = True
            self._forget()
            self._cancel()


def _fixed(prompt: Prompt) -> commands.Prompt:
    """The same prompt as immutable records, safe to pass to another thread."""
    return tuple(prompt)  # type: ignore[return-value]
