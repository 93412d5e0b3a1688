"""One request to a server, from start to end, reported as events of our own engine."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from engine import events
from engine.commands import Submit
from engine.errors import RemoteError
from engine.message import Message
from engine.net.client import trouble
from engine.net.client.address import Address
from engine.net.client.catalog import PROGRAM_NAMES, Program, count, items, parsed, record, text
from engine.net.client.connection import Connection
from engine.net.client.exchange import Closed, Exchange
from engine.net.client.expecting import Expecting
from engine.net.client.sse import MOST_IDLE, SseParser
from engine.net.client.usage import Told, plan_of, told_in
from engine.net.client.wire import body_of
from engine.reuse import ReuseReport
from engine.sentence import say

# Maximum characters of an answer: no context is that long.
MOST_TEXT = 64 << 20
_MOST_WHOLE = MOST_TEXT + (4 << 20)
_THOUGHT = "</think>"
_STOPS: dict[str, events.StopReason] = {"length": "length"}
log = logging.getLogger(__name__)
# The last event of a stream.
DONE = "[DONE]"


@dataclass(frozen=True, slots=True)
class Delta:
    """The content of one event; each part may be missing.

    Attributes:
        text, thinking: new characters.
        finish: why the answer ended, in the server's terms; "" while it continues.
        told: usage of the whole request.
        read, to_read: prompt tokens processed, and the total to process.
    """

    text: str = ""
    thinking: str = ""
    finish: str = ""
    told: Told | None = None
    read: int = 0
    to_read: int = 0


def delta_of(data: str, address: Address, *, seen: bool) -> Delta:
    """Decode one event.

    seen: an earlier event of this stream could be decoded.

    Raises:
        RemoteError: it does not follow this protocol, or reports an error.
    """
    chunk = parsed(data)
    if chunk is None:
        if seen:
            raise RemoteError(
                "{origin} sends an event that cannot be read: ask again.", origin=address.origin
            )
        raise trouble.not_compatible(address, say("its answer is not a stream of JSON"))
    if chunk.get("error"):
        why = trouble.message_in(data.encode()) or say("it does not say why")
        raise RemoteError("{origin} reports an error: {why}.", origin=address.origin, why=why)
    if "choices" not in chunk and "usage" not in chunk:
        raise trouble.not_compatible(address, say("its events are not those of a chat"))
    choice = record(next(iter(items(chunk.get("choices"))), None))
    # A server that does not stream sends the whole answer at once.
    said = record(choice.get("delta")) or record(choice.get("message"))
    progress = record(chunk.get("prompt_progress"))
    done, total = count(progress.get("processed")), count(progress.get("total"))
    cached = count(progress.get("cache")) or 0
    told = told_in(chunk)
    if told is None and total is not None:
        told = Told(prompt=total, cached=cached)
    return Delta(
        text(said.get("content")),
        text(said.get("reasoning_content")) or text(said.get("reasoning")),
        text(choice.get("finish_reason")),
        told,
        max(0, (done or 0) - cached),
        max(0, (total or 0) - cached) if done is not None else 0,
    )


@dataclass(slots=True)
class Answer:
    """Sends a request and emits its events. `exchange.close` stops `run` from another thread.

    Attributes:
        emit: receives the events.
        exchange: the request in progress.
        expecting: knows what the engine has cached, if it publishes that.
    """

    submit: Submit
    connection: Connection
    program: Program
    token: str
    emit: Callable[[events.Event], None]
    exchange: Exchange
    expecting: Expecting | None = None
    _text: str = ""
    _thinking: str = ""
    _pieces: int = 0
    _size: int = 0
    _told: Told | None = None
    _finish: str = ""
    _planned: bool = False
    _started: float = field(default_factory=time.perf_counter)
    _first: float | None = None
    _last: float | None = None

    def run(self) -> None:
        """Send the request and emit its events up to RequestFinished or RequestFailed."""
        begun = self._begun()
        self._text, self._thinking = begun.content, begun.thinking
        try:
            with self.exchange:
                if self.expecting is not None:
                    self.expecting.ask(self.submit, self.token, self.exchange)
                self._stream()
        except Closed:
            self._end("cancelled")
        except RemoteError as error:
            log.info("A request to a server failed: %s", type(error).__name__)
            self.emit(events.RequestFailed(request=self.submit.request, sentence=str(error)))
        else:
            self._end(_STOPS.get(self._finish, "end"))

    def _begun(self) -> Message:
        """The part of the answer that exists already if it is to be continued."""
        last = self.submit.prompt[-1] if self.submit.prompt else None
        if self.submit.options.continues and isinstance(last, Message):
            return last
        return Message("assistant", "")

    def _stream(self) -> None:
        address = self.connection.address
        body = body_of(self.submit, self.connection.model, self.program)
        path = f"{address.path}/chat/completions"
        self.exchange.ask("POST", path, body, self.token)
        for delta in self._deltas():
            self._take(delta)
        if not self._finish:
            raise RemoteError(
                trouble.broke_off(address, None, began=bool(self._pieces), waited_s=0)
            )

    def _deltas(self) -> Iterator[Delta]:
        address = self.connection.address
        if self.exchange.kind == "application/json":
            whole = self.exchange.whole(_MOST_WHOLE)
            yield delta_of(whole.decode(errors="replace"), address, seen=False)
            return
        if self.exchange.kind != "text/event-stream":
            raise trouble.not_compatible(
                address, say("it answers with {kind}", kind=self.exchange.kind)
            )
        parser, seen, empty = SseParser(), False, 0
        for piece in self.exchange.pieces():
            for data in parser.feed(piece):
                if data.strip() == DONE:
                    return
                delta = delta_of(data, address, seen=seen)
                # An event counts even if it says nothing.
                empty = 0 if delta.text or delta.thinking else empty + len(data)
                if empty > MOST_IDLE:
                    raise RemoteError("The server sends empty events without an end.")
                yield delta
                seen = True

    def _take(self, delta: Delta) -> None:
        request = self.submit.request
        if delta.told is not None:
            self._told = delta.told
            if not self._planned and not self._pieces:
                self._planned = True
                plan = plan_of(delta.told, PROGRAM_NAMES[self.program])
                self.emit(events.RequestStarted(request=request, plan=plan))
        self._finish = delta.finish or self._finish
        if delta.to_read and not self._pieces:
            self.emit(events.PrefillProgress(request=request, done=delta.read, total=delta.to_read))
        said: tuple[tuple[events.Channel, str], ...] = (
            ("thinking", delta.thinking),
            ("answer", delta.text),
        )
        for channel, part in said:
            if part:
                self._say(channel, part)

    def _say(self, channel: events.Channel, text: str) -> None:
        self._size += len(text)
        if self._size > MOST_TEXT:
            raise RemoteError(
                "{origin} sends an answer without an end.", origin=self.connection.address.origin
            )
        self._last = time.perf_counter()
        if self._first is None:
            self._first = self._last
        # These servers send one token at a time; the exact number comes at the end.
        self._pieces += 1
        if channel == "thinking":
            self._thinking += text
        else:
            self._text += text
        self.emit(
            events.TextDelta(
                request=self.submit.request, text=text, channel=channel, tokens=self._pieces
            )
        )

    def _end(self, stop: events.StopReason) -> None:
        if not self._thinking and _THOUGHT in self._text:
            # A server started without a reasoning parser sends thinking and answer as one text.
            thinking, _, text = self._text.partition(_THOUGHT)
            self._thinking = thinking.replace("<think>", "", 1).strip()
            self._text = text.lstrip()
        self.emit(
            events.RequestFinished(
                request=self.submit.request,
                stop=stop,
                report=self._report(),
                text=self._text,
                thinking=self._thinking,
                token_ids=(),
            )
        )

    def _report(self) -> ReuseReport:
        now, told = time.perf_counter(), self._told
        generated = self._pieces
        if told is not None and told.generated is not None:
            generated = told.generated
        rate = told.tok_s if told is not None else None
        if rate is None and self._first is not None and self._last is not None and generated > 1:
            span = self._last - self._first
            rate = (generated - 1) / span if span > 0 else None
        plan = plan_of(told, PROGRAM_NAMES[self.program])
        # A stopped request has no usage, so there is nothing to compare.
        if self.expecting is not None and told is not None:
            plan = self.expecting.settle(plan)
        return ReuseReport(
            plan,
            generated,
            None if self._first is None else self._first - self._started,
            now - self._started,
            rate,
            0.0,
            0.0,
            0.0,
        )
