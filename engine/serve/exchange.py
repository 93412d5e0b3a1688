"""One request to the model: its events, from the queue to the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence

from engine.events import (
    Event,
    RequestFailed,
    RequestFinished,
    RequestStarted,
    StopReason,
    TextDelta,
)
from engine.reuse import ReusePlan
from engine.serve.answer_reader import AnswerReader
from engine.serve.book import Book, State
from engine.serve.pieces import Finish, Over, Piece
from engine.serve.problem import Refused
from engine.serve.volatile import VolatileSpan

FINISHES: dict[StopReason, Finish] = {
    "end": "stop",
    "stop string": "stop string",
    "length": "length",
    "context": "length",
    "cancelled": "stop",
}


class Exchange:
    """A submitted request. Closing it stops the request within a token; `close` is idempotent.

    Attributes:
        number: of the request.
        plan: what it reuses; None until it runs.
    """

    def __init__(
        self,
        number: int,
        book: Book,
        reader: AnswerReader,
        volatile: Sequence[VolatileSpan],
        *,
        let_go: Callable[[], None],
        keep: Callable[[Over, RequestFinished, AnswerReader], None],
    ) -> None:
        """
        Args:
            reader: tells text and calls apart.
            volatile: what its agent changes with every request.
            let_go: cancels the request and hears no more of it.
            keep: is handed a whole answer.
        """
        self.number = number
        self.plan: ReusePlan | None = None
        self._book = book
        self._reader = reader
        self._volatile = tuple(volatile)
        self._let_go = let_go
        self._keep = keep
        self._heard: asyncio.Queue[Event] = asyncio.Queue()
        self._over = False
        self._writes = False

    def hear(self, event: Event) -> None:
        """An event of this request, on the server's thread."""
        self._heard.put_nowait(event)

    async def started(self, within_s: float | None = None) -> None:
        """Wait until it runs, but not longer than that. Raises Refused if it cannot."""
        try:
            await asyncio.wait_for(self._until_started(), within_s)
        except TimeoutError:
            return

    async def pieces(self) -> AsyncIterator[Piece]:
        """The answer, ending with Over. Raises Refused if it fails; closes the exchange."""
        try:
            await self._until_started()
            thought_tokens = 0
            while True:
                event = await self._next()
                match event:
                    case TextDelta(channel="thinking"):
                        thought_tokens = event.tokens
                        for piece in self._reader.think(event.text):
                            yield piece
                    case TextDelta():
                        for piece in self._reader.say(event.text):
                            yield piece
                    case RequestFinished():
                        finish = FINISHES[event.stop]
                        for piece in self._reader.finish(cut=finish == "length"):
                            yield piece
                        over = self._end(event, finish, thought_tokens)
                        self._keep(over, event, self._reader)
                        yield over
                        return
        finally:
            self.close()

    def _end(self, event: RequestFinished, finish: Finish, thought_tokens: int) -> Over:
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
        )

    async def whole(self) -> Over:
        """The answer once it is complete. Raises Refused if it fails."""
        async for piece in self.pieces():
            if isinstance(piece, Over):
                return piece
        raise AssertionError("an answer ends with Over")

    def close(self) -> None:
        """Stop the request if it is not over."""
        if not self._over:
            self._over = True
            self._book.ended(self.number, "stopped")
            self._let_go()

    async def _until_started(self) -> None:
        while self.plan is None:
            await self._next()

    async def _next(self) -> Event:
        event = await self._heard.get()
        match event:
            case RequestStarted():
                self.plan = event.plan
                self._book.found(self.number, event.plan)
            case TextDelta() if not self._writes:
                self._writes = True
                self._book.writes(self.number)
            case RequestFinished():
                self._over = True
                self._let_go()
                state: State = "stopped" if event.stop == "cancelled" else "done"
                self._book.ended(self.number, state, event.report)
            case RequestFailed():
                self._over = True
                self._let_go()
                state = "refused" if event.refused else "failed"
                self._book.ended(self.number, state, sentence=event.sentence)
                raise Refused(
                    "invalid_request_error" if event.refused else "api_error", event.sentence
                )
        return event
