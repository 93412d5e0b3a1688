"""One request to the model: its events, from the queue to the end."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import replace

from engine.events import (
    Event,
    RequestFailed,
    RequestFinished,
    RequestStarted,
    StopReason,
    TextDelta,
    TokenScore,
)
from engine.net.server.asked import Tools
from engine.net.server.by_name import Opened
from engine.net.server.call_reader import OPEN, CallReader
from engine.net.server.pieces import Finish, Over, Piece, Said, Thought
from engine.net.server.problem import Refused, overflowing, refusal_saying
from engine.net.server.registry import ClientRegistry, State
from engine.net.server.volatile import VolatileSpan
from engine.reuse import ReusePlan
from engine.text.think_splitter import held_back

FINISHES: dict[StopReason, Finish] = {
    "end": "stop",
    "stop string": "stop string",
    "length": "length",
    "context": "length",
    "cancelled": "stop",
}
# A thought may mention the tag; a real call continues with its beginning.
_CALL = re.compile(r"(?:^|\n)[ \t]*(?=<tool_call>\s*(?:<function=|\{))")
_MAYBE_CALL = re.compile(r"<tool_call>\s*(?:<[a-z=]*)?\Z")


class AnswerReader:
    """Converts the engine's output to pieces.

    Attributes:
        calls: parses the answer's text.
        thinking: the thinking returned so far.
        in_thought: a call ended the thinking without a closing tag.
    """

    def __init__(self, tools: Tools, head: str = "") -> None:
        """head: prefilled start of the answer: the client knows its text, but not its calls."""
        self._tools = tools
        self._held = ""
        self.calls = CallReader(tools)
        self.thinking = ""
        self.in_thought = False
        begun = self.calls.feed(head) if head else []
        self._first: Sequence[Piece] = [one for one in begun if not isinstance(one, Said)]
        self._known = len(self.calls.text)

    @property
    def text(self) -> str:
        """The answer's text returned so far."""
        return self.calls.text[self._known :]

    def think(self, text: str) -> list[Piece]:
        """Add thinking."""
        pieces = self._begin()
        if not self._tools.callable:
            return pieces + self._thought(text)
        if self.in_thought:
            return pieces + self.calls.feed(text)
        self._held += text
        found = _CALL.search(self._held)
        if found is not None:
            thought, call = self._held[: found.start()], self._held[found.end() :]
            self._held, self.in_thought = "", True
            return pieces + self._thought(thought.rstrip("\n")) + self.calls.feed(call)
        kept = len(self._held) - held_back(self._held, (f"\n{OPEN}",))
        maybe = self._maybe_call()
        if maybe is not None:
            kept = min(kept, maybe)
        elif OPEN.startswith(self._held.lstrip()) and not self.thinking:
            kept = 0
        shown, self._held = self._held[:kept], self._held[kept:]
        return pieces + self._thought(shown)

    def _maybe_call(self) -> int | None:
        """Where pending thinking would be cut if its end begins a call on its own line.

        Searched backwards from the tag, as a thought may contain many line breaks.
        """
        tag = self._held.rfind(OPEN)
        if tag < 0 or not _MAYBE_CALL.match(self._held, tag):
            return None
        thought = len(self._held[:tag].rstrip())
        at = self._held.find("\n", thought, tag)
        return at if at >= 0 else (None if thought else 0)

    def say(self, text: str) -> list[Piece]:
        """Add answer text."""
        return self._begin() + self._release() + self.calls.feed(text)

    def finish(self, *, cut: bool) -> list[Piece]:
        """End the answer; `cut`: it was cut off."""
        return self._begin() + self._release() + self.calls.finish(cut=cut)

    def _begin(self) -> list[Piece]:
        first, self._first = list(self._first), ()
        return first

    def _release(self) -> list[Piece]:
        held, self._held = self._held, ""
        return self._thought(held)

    def _thought(self, text: str) -> list[Piece]:
        self.thinking += text
        return [Thought(text)] if text else []


class Exchange:
    """A submitted request. Closing it stops the request within a token; `close` is idempotent.

    Attributes:
        number: of the request.
        plan: what it reuses; None until it runs.
    """

    def __init__(
        self,
        number: int,
        registry: ClientRegistry,
        reader: AnswerReader,
        volatile: Sequence[VolatileSpan],
        *,
        opened: Opened | None,
        context: int,
        let_go: Callable[[], None],
        keep: Callable[[Over, RequestFinished, AnswerReader], None],
    ) -> None:
        """
        Args:
            reader: separates text and calls.
            volatile: the spans that its agent changes with every request.
            opened: the model that it opened.
            context: how many tokens a prompt may have.
            let_go: cancels the request and ends its events.
            keep: called with a complete answer.
        """
        self.number = number
        self.plan: ReusePlan | None = None
        self._registry = registry
        self._reader = reader
        self._volatile = tuple(volatile)
        self._opened = opened
        self._context = context
        self._let_go = let_go
        self._keep = keep
        self._heard: asyncio.Queue[Event] = asyncio.Queue()
        self._over = False
        self._writes = False

    def hear(self, event: Event) -> None:
        """An event of this request, on the server's thread."""
        self._heard.put_nowait(event)

    async def started(self, within_s: float | None = None) -> None:
        """Wait until it runs, at most `within_s`. Raises Refused if it cannot."""
        try:
            await asyncio.wait_for(self._until_started(), within_s)
        except TimeoutError:
            return

    async def pieces(self) -> AsyncIterator[Piece]:
        """The answer, ending with Over. Raises Refused if it fails; closes the exchange."""
        try:
            await self._until_started()
            thought_tokens = 0
            # Of all text, and of text that no piece has shown yet.
            scores: list[TokenScore] = []
            new: list[TokenScore] = []

            def scored(piece: Piece) -> Piece:
                nonlocal new
                if new and isinstance(piece, Said):
                    piece, new = replace(piece, scores=tuple(new)), []
                return piece

            while True:
                event = await self._next()
                match event:
                    case TextDelta(channel="thinking"):
                        thought_tokens = event.tokens
                        for piece in self._reader.think(event.text):
                            yield piece
                    case TextDelta():
                        new += event.scores
                        scores += event.scores
                        for piece in self._reader.say(event.text):
                            yield scored(piece)
                    case RequestFinished():
                        finish = FINISHES[event.stop]
                        for piece in self._reader.finish(cut=finish == "length"):
                            yield scored(piece)
                        over = self._end(event, finish, thought_tokens, tuple(scores))
                        self._keep(over, event, self._reader)
                        yield over
                        return
        finally:
            self.close()

    def _end(
        self,
        event: RequestFinished,
        finish: Finish,
        thought_tokens: int,
        scores: tuple[TokenScore, ...],
    ) -> Over:
        calls = self._reader.calls
        return Over(
            "tools" if calls.calls and finish != "length" else finish,
            event.report,
            self._reader.text,
            self._reader.thinking,
            tuple(calls.calls),
            calls.unfinished,
            thought_tokens,
            self._volatile,
            scores,
            self._opened,
        )

    async def whole(self) -> Over:
        """The answer once it is complete. Raises Refused if it fails."""
        async for piece in self.pieces():
            if isinstance(piece, Over):
                return piece
        raise AssertionError("an answer ends with Over")

    def close(self) -> None:
        """Stop the request if it is still running."""
        if not self._over:
            self._over = True
            self._registry.ended(self.number, "stopped")
            self._let_go()

    async def _until_started(self) -> None:
        while self.plan is None:
            await self._next()

    async def _next(self) -> Event:
        event = await self._heard.get()
        match event:
            case RequestStarted():
                self.plan = event.plan
                self._registry.found(self.number, event.plan)
            case TextDelta() if not self._writes:
                self._writes = True
                self._registry.writes(self.number)
            case RequestFinished():
                self._over = True
                self._let_go()
                state: State = "stopped" if event.stop == "cancelled" else "done"
                self._registry.ended(self.number, state, event.report)
            case RequestFailed():
                self._over = True
                self._let_go()
                state = "refused" if event.refused else "failed"
                self._registry.ended(self.number, state, sentence=event.sentence)
                raise self._refused(event)
        return event

    def _refused(self, event: RequestFailed) -> Refused:
        if event.too_long is not None:
            return overflowing(event.too_long, self._context, event.sentence)
        return (
            refusal_saying(event.sentence)
            if event.refused
            else Refused("api_error", event.sentence)
        )


class Answers:
    """The answers to one request, one after another: each begins when the one before is over.

    Attributes:
        first: the first one's exchange.
    """

    def __init__(self, first: Exchange, rest: Sequence[Callable[[], Awaitable[Exchange]]]) -> None:
        """rest: begins the others."""
        self.first = self._now = first
        self._rest = rest

    async def __aiter__(self) -> AsyncIterator[Exchange]:
        yield self.first
        for begin in self._rest:
            self._now = await begin()
            yield self._now

    async def whole(self) -> list[Over]:
        """All of them, once they are complete. Raises Refused if one fails."""
        return [await exchange.whole() async for exchange in self]

    def close(self) -> None:
        """Stop the one that is still running, if any."""
        self._now.close()
