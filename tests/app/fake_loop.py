"""A scripted stand-in for `engine.loop.RunLoop`: same protocol, a toy tree, no model.

It moves on when it is drained, so tests are deterministic; `PacedLoop` runs a thread.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import structs

from engine import commands, events
from engine.cache.journal.changes import Change, RequestAt, RequestBegan
from engine.cache.journal.journal import Entry
from engine.cache.journal.request_ran import RequestRan, bare_request
from engine.cache_shape import CacheShape
from engine.config import EngineConfig
from engine.journal.feed import JournalFed
from engine.journal.lines import TracedRequest, TraceEntry
from engine.journal.narrator import PieceBook
from engine.journal.settings import CacheSettings, TraceHeader
from engine.message import Message
from engine.reuse import Reason, ReusePlan, ReuseReport
from engine.stored_state import Provenance, StoredState
from tests.app.toy_text import Asked, ToyText, words
from tests.app.toy_text import messages_of as messages_of
from tests.app.toy_tree import KV_BYTES, STATE_BYTES, ToyCache

CHUNK = 256
SETTINGS = CacheSettings(
    kv_slots=40_000, state_slots=24, kv_slot_bytes=KV_BYTES, state_slot_bytes=STATE_BYTES
)
HEADER = TraceHeader("toy", "", SETTINGS, 0.0, complete=True, hashed=False, text=True)
MODEL = events.ModelInfo(
    name="Qwen3.5-0.8B",
    family="qwen3_5",
    folder="/models/qwen",
    parameters=873_441_376,
    weight_bytes=1_746_882_752,
    dtype="bfloat16",
    device="cpu",
    layers=24,
    linear_layers=18,
    full_layers=6,
    vocab_size=248_320,
    context=32_768,
    kv_bytes_per_token=12_288,
    checkpoint_bytes=19_539_968,
    cache_shape=CacheShape(
        kinds=("linear", "linear", "linear", "full") * 6,
        query_heads=8,
        kv_heads=2,
        head_dim=256,
        state_heads=16,
        key_dim=128,
        value_dim=128,
        conv_rows=3,
        conv_channels=6_144,
        hidden=1_024,
        dtype="bfloat16",
        itemsize=2,
        state_dtype="float32",
        state_itemsize=4,
        window=262_144,
    ),
    supports_thinking=True,
    drops_thinking=True,
)

Answerer = Callable[[tuple[Message, ...]], tuple[str, str]]


def echo(messages: tuple[Message, ...]) -> tuple[str, str]:
    """The default answer: no thinking, the question said back."""
    return "", f"You said **{messages[-1].content}**."


class FakeLoop:
    """Same calls as the real loop.

    Attributes:
        posted: every command, in order.
        steps: how far it moves at each drain.
        saves: what it tells of its writing at the end, one (written, total) a step.
    """

    def __init__(
        self,
        folder: Path,
        config: EngineConfig,
        *,
        answer: Answerer = echo,
        steps: int = 8,
        cache: ToyCache | None = None,
        hold: bool = False,
    ) -> None:
        self.folder = folder
        self.config = config
        self.posted: list[commands.Command] = []
        self.steps = steps
        self.hold = hold
        self.cache = cache or ToyCache()
        self.closed = False
        self.saves: list[tuple[int, int]] = []
        self._closing = False
        self._answer = answer
        self._events: deque[events.Event] = deque()
        self._inbox: deque[commands.Command] = deque()
        self._waiting: deque[commands.Submit] = deque()
        self._work: Iterator[None] | None = None
        self._running: int | None = None
        self._cancelled = False
        self._watching = False
        self._book = PieceBook(lambda token: self._text.texts[token].encode())
        self._ready = False
        self._loading: Iterator[None] | None = None
        self._seq = 0
        self._now = 100.0
        self._text = ToyText()
        self._ran: RequestRan | None = None

    # The protocol

    def start(self) -> None:
        self._loading = self._load()

    def post(self, command: commands.Command) -> None:
        self.posted.append(command)
        self._inbox.append(command)

    def drain(self) -> list[events.Event]:
        if not self.hold:
            for _ in range(self.steps):
                self.step()
        return self.take()

    def wake_with_next(self, wake: Callable[[], None]) -> None:
        """At once: it moves on when it is drained."""
        wake()

    def close(self, timeout_s: float | None = None) -> bool:
        self.closed = True
        return True

    def take(self) -> list[events.Event]:
        taken = []
        while self._events:
            taken.append(self._events.popleft())
        return taken

    # What it does

    def step(self) -> None:
        """One piece of work: a load step, a prefill chunk, a token."""
        self._now += 0.008
        if self._loading is not None:
            if next(self._loading, "over") == "over":
                self._loading = None
            return
        if not self._ready:
            return
        while self._inbox:
            self._take(self._inbox.popleft())
        if self._work is None and self._waiting:
            self._work = self._run(self._waiting.popleft())
        if self._work is not None and next(self._work, "over") == "over":
            self._work = self._running = None
            self.cache.lock(None)
            if self._ran is not None:
                self._note(self._ran)
                self._ran = None
            self.tell_cache()
        if self._closing and self._work is None:
            self._end()

    def emit(self, event: events.Event) -> None:
        self._seq += 1
        self._events.append(replace(event, seq=self._seq, time=self._now))

    def tell_cache(self) -> None:
        if not self._watching or not self.cache.log:
            return
        lines = []
        for entry in self.cache.log:
            if (fresh := self._book.fresh(entry)) is not None:
                lines.append(TraceEntry(structs.replace(entry, what=fresh)))
            what = entry.what
            traced = TracedRequest(0, 0, what, True) if isinstance(what, RequestRan) else None
            lines.append(TraceEntry(entry, traced))
        self.cache.log.clear()
        self.emit(JournalFed(lines=tuple(lines)))

    def _note(self, what: Change | RequestRan) -> None:
        self.cache.now = self._now
        self.cache.log.append(Entry(self.cache.seq, self._now, "device", what))

    def _load(self) -> Iterator[None]:
        self.emit(events.LoadProgress(stage="Starting the engine", fraction=None))
        yield
        if self.folder.name == "broken":
            self.emit(events.EngineFailed(sentence="config.json is missing in this folder."))
            self.emit(events.EngineClosed())
            return
        for part in range(1, 4):
            self.emit(events.LoadProgress(stage="Reading weights", fraction=part / 3))
            yield
        self._ready = True
        self.emit(events.EngineReady(model=replace(MODEL, folder=str(self.folder))))

    def _take(self, command: commands.Command) -> None:
        match command:
            case commands.Submit():
                ahead = len(self._waiting) + (self._running is not None)
                self._waiting.append(command)
                self.emit(events.RequestQueued(request=command.request, ahead=ahead))
            case commands.Cancel():
                self._cancelled = self._cancelled or command.request == self._running
            case commands.WatchJournal():
                self._watching = True
                found = Entry(0, self._now, "device", self.cache.opened())
                self.emit(JournalFed(lines=(TraceEntry(found),), header=HEADER))
                self.tell_cache()
            case commands.Probe():
                self._probe(command)
            case commands.CountTokens():
                counts = tuple(len(words(text)) for text in command.texts)
                self.emit(events.TokensCounted(number=command.number, counts=counts))
            case commands.DescribeNode() if command.node in self.cache.nodes:
                node = self.cache.nodes[command.node]
                text = "".join(self._text.texts[token] for token in node.tokens)
                self.emit(events.NodeText(node=node.id, start=node.start, end=node.end, text=text))
            case commands.CheckInvariants():
                self.emit(events.InvariantsChecked(broken=""))
            case commands.Record() if not Path(command.path).parent.is_dir():
                self.emit(events.Notice(sentence="The trace t.gz cannot be written: no folder."))
                self.emit(events.RecordingEnded(written=False))
            case commands.Record():
                self.emit(events.RecordingBegan())
            case commands.StopRecording():
                self.emit(events.RecordingEnded(written=True))
            case commands.DropCache():
                self.cache.drop_all()
                self.tell_cache()
            case commands.Close():
                self._closing = self._cancelled = True
                for submit in self._waiting:
                    self.emit(
                        events.RequestFailed(
                            request=submit.request, sentence="The engine is closed."
                        )
                    )
                self._waiting.clear()

    def _end(self) -> None:
        if self.saves:
            written, total = self.saves.pop(0)
            self.emit(events.ClosingProgress(written=written, total=total))
        else:
            self._closing = self._ready = False
            self.emit(events.EngineClosed())

    def _run(self, submit: commands.Submit) -> Iterator[None]:
        request = self._running = submit.request
        self._cancelled = False
        refused, _ = self._refusal(submit)
        if refused:
            self.emit(events.RequestFailed(request=request, sentence=refused))
            return
        tokens, anchors = self._text.prompt(submit)
        plan = self.plan(tokens)
        match = self.cache.match(tokens, self._now, touch=True)
        self.cache.lock(match.node)
        self._note(RequestBegan(request, plan.total, plan.reused, plan.replayed))
        none = np.empty(0, np.int64)
        self._ran = bare_request(np.array(tokens, np.int64), none, request)
        self.emit(events.RequestStarted(request=request, plan=plan))
        started = self._now
        position, node = match.resume, match.node
        while position < len(tokens):
            position = min(len(tokens), position + CHUNK)
            points: dict[int, Provenance]
            points = {cut: "prefill" for cut in (*anchors, len(tokens)) if cut <= position}
            points |= dict.fromkeys(range(1024, position + 1, 1024), "prefill")
            if match.matched > match.resume + 8 and match.matched <= position:
                points[match.matched] = "branch"
            if position >= match.matched:
                node = self.cache.insert(tokens[:position], points, self._now)
                self.cache.lock(node)
            done = position - match.resume
            self.emit(
                events.PrefillProgress(request=request, done=done, total=len(tokens) - match.resume)
            )
            self._alive(request, node, position)
            yield
            if self._cancelled:
                break
        yield from self._write(submit, plan, tokens, node, started)

    def _probe(self, probe: commands.Probe) -> None:
        refused, length = self._refusal(probe)
        if refused:
            self.emit(events.ProbeRefused(probe=probe.probe, sentence=refused, tokens=length))
            return
        tokens, _ = self._text.prompt(probe)
        self.emit(events.ProbeAnswered(probe=probe.probe, plan=self.plan(tokens)))

    def _refusal(self, asked: Asked) -> tuple[str, int | None]:
        """Why a prompt cannot run, "" if it can; and its length if it is too long."""
        messages = messages_of(asked)
        if "FAIL" in messages[-1].content:
            return "The prompt is too long.", None
        if asked.options.continues and messages[-1].role != "assistant":
            return "Only an answer can be continued.", None
        tokens, _ = self._text.prompt(asked)
        if len(tokens) < MODEL.context:
            return "", None
        sentence = (
            f"The prompt has {len(tokens):,} tokens, but the context holds only "
            f"{MODEL.context:,}: shorten the conversation or start a new one."
        )
        return sentence, len(tokens)

    def _write(
        self, submit: commands.Submit, plan: ReusePlan, tokens: list[int], node: int, started: float
    ) -> Iterator[None]:
        request = submit.request
        messages = messages_of(submit)
        begun = messages[-1] if submit.options.continues else Message("assistant", "")
        thinking, text = self._answer(messages[:-1] if submit.options.continues else messages)
        if not submit.options.thinking:
            thinking = ""
        # As the model would: it goes on with the same answer, if that is how it began.
        thinking = thinking.removeprefix(begun.thinking) if not begun.content else ""
        text = text.removeprefix(begun.content)
        first = None
        stop: events.StopReason = "end"
        said: dict[events.Channel, str] = {"thinking": begun.thinking, "answer": begun.content}
        made: list[int] = []
        pieces: list[tuple[events.Channel, str]] = []
        pieces += [("thinking", piece) for piece in words(thinking)]
        pieces += [("answer", piece) for piece in words(text)]
        for channel, piece in pieces:
            if self._cancelled or len(made) == submit.sampling.max_tokens:
                stop = "cancelled" if self._cancelled else "length"
                break
            first = self._now if first is None else first
            said[channel] += piece
            made.append(self._text.token(piece))
            self.emit(
                events.TextDelta(request=request, text=piece, channel=channel, tokens=len(made))
            )
            self._alive(request, node, len(tokens) + len(made))
            yield
        last = self.cache.insert([*tokens, *made], {len(tokens) + len(made): "decode"}, self._now)
        assert last
        span = self._now - (first or self._now)
        report = ReuseReport(
            plan,
            len(made),
            None if first is None else first - started,
            self._now - started,
            len(made) / span if span > 0 else None,
            0.04,
            0.6,
            120.0,
        )
        self.emit(
            events.RequestFinished(
                request=request,
                stop="cancelled" if self._cancelled else stop,
                report=report,
                text=said["answer"],
                thinking=said["thinking"],
                token_ids=(*self._text.begun(submit), *made),
            )
        )

    def _alive(self, request: int, node: int, position: int) -> None:
        self._note(RequestAt(request, node, position))
        self.tell_cache()

    def plan(self, tokens: list[int]) -> ReusePlan:
        found = self.cache.match(tokens)
        if not found.matched:
            reason, detail = Reason.FIRST_SIGHT, "Nothing of this prompt was seen before."
        elif found.resume < found.matched:
            reason = Reason.NO_CHECKPOINT
            detail = (
                f"The nearest checkpoint lies at {found.resume:,}; "
                f"{found.matched - found.resume:,} tokens were replayed up to the fork."
            )
        else:
            reason = Reason.NEW_TOKENS
            detail = f"Resumed at {found.resume:,}; only what is new had to run."
        total = len(tokens)
        return ReusePlan(
            total,
            found.resume,
            found.matched - found.resume,
            total - found.matched,
            reason,
            detail,
            found.checkpoint,
            StoredState(found.resume) if found.checkpoint else None,
            0.18,
        )


class PacedLoop(FakeLoop):
    """Moves on a thread of its own, a given number of steps a second."""

    def __init__(
        self, folder: Path, config: EngineConfig, *, rate: float = 100, **more: Any
    ) -> None:
        super().__init__(folder, config, **more)
        self._period = 1 / rate
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._pump, name="fake-engine", daemon=True)

    def start(self) -> None:
        super().start()
        self._thread.start()

    def drain(self) -> list[events.Event]:
        return self.take()

    def close(self, timeout_s: float | None = None) -> bool:
        self._ending.set()
        self._thread.join(timeout_s)
        return super().close(timeout_s)

    def _pump(self) -> None:
        while not self._ending.wait(self._period):
            self._now = time.perf_counter() - 0.008
            self.step()
