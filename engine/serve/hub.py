"""Between the clients and the run loop: numbers requests, and passes events to their exchange."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from engine.commands import Cancel, Prompt, Submit
from engine.errors import BiplaneError
from engine.events import EngineClosed, Event, ModelInfo, RequestFailed
from engine.message import PromptOptions
from engine.serve.asked import Asked
from engine.serve.book import FIRST_REQUEST, Book, ClientRecord
from engine.serve.config import ServeConfig
from engine.serve.exchange import Exchange
from engine.serve.port import Port
from engine.serve.problem import Refused

if TYPE_CHECKING:
    from engine.run.core import Core

T = TypeVar("T")


class Hub:
    """Lives on the server's event loop; only `attach` and `detach` may be called from elsewhere.

    Attributes:
        book: of clients and requests.
    """

    def __init__(self, config: ServeConfig, book: Book) -> None:
        self._config = config
        self.book = book
        self._numbers = itertools.count(FIRST_REQUEST)
        self._open: dict[int, Exchange] = {}
        self._attached: tuple[Port, ModelInfo] | None = None
        self._deaf: Callable[[], None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def attach(self, port: Port, model: ModelInfo) -> None:
        """Requests run there from now on."""
        self.detach()
        self._attached = port, model
        self._deaf = port.listeners.add(self._hear)

    def detach(self) -> None:
        """Nothing runs requests from now on; those that are open fail."""
        self._attached = None
        if self._deaf is not None:
            self._deaf()
            self._deaf = None
        self._on_loop(self._fail_all)

    def run_on(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """The event loop on which exchanges live; None: it ended."""
        self._loop = loop

    @property
    def model(self) -> ModelInfo:
        """The open model. Raises Refused if there is none."""
        return self._port_and_model()[1]

    async def begin(self, asked: Asked, client: ClientRecord, path: str) -> Exchange:
        """Submit a request. Raises Refused."""
        if len(self._open) > self._config.waiting:
            raise Refused(
                "rate_limit_error",
                f"{len(self._open):,} requests are waiting already: send this one again later.",
            )
        port, model = self._port_and_model()
        try:
            limit = {"max_tokens": max(1, model.context)}
            sampling = model.sampling.merged(limit | asked.sampling)
        except BiplaneError as error:
            raise Refused("invalid_request_error", str(error)) from None
        prompt = await self.prompt_of(asked)
        number = next(self._numbers)
        exchange = Exchange(number, self.book, lambda: self._let_go(port, number))
        self._open[number] = exchange
        self.book.begin(number, client, path, ())
        port.post(Submit(number, prompt, sampling, self.options(asked), owner=client.owner))
        return exchange

    async def prompt_of(self, asked: Asked) -> Prompt:
        """What is submitted for a request."""
        raw = asked.raw
        if raw is None:
            return asked.messages
        if isinstance(raw, str):
            text = raw
            return await self.ask(lambda core: tuple(core.text.encode(text)))
        return raw

    def options(self, asked: Asked) -> PromptOptions:
        """The template's inputs."""
        thinking = self._config.thinking if asked.thinking is None else asked.thinking
        return PromptOptions(thinking=thinking, tools=asked.tools.described)

    async def ask(self, function: Callable[[Core], T]) -> T:
        """Run a question of the core between two steps of whatever runs. Raises Refused."""
        port, _ = self._port_and_model()
        try:
            return await asyncio.wrap_future(port.call(function, anytime=True))
        except BiplaneError as error:
            raise Refused("invalid_request_error", str(error)) from None

    def _port_and_model(self) -> tuple[Port, ModelInfo]:
        if self._attached is None:
            raise Refused(
                "overloaded_error", "No model is open in Biplane: open one, or wait until it is."
            )
        return self._attached

    def _let_go(self, port: Port, number: int) -> None:
        if self._open.pop(number, None) is not None:
            # Of a request that is over it changes nothing.
            port.post(Cancel(number))

    def _hear(self, event: Event) -> None:
        """On the run loop's thread."""
        if isinstance(event, EngineClosed):
            self._on_loop(self._fail_all)
            return
        number = getattr(event, "request", None)
        if isinstance(number, int) and number in self._open:
            self._on_loop(lambda: self._tell(number, event))

    def _tell(self, number: int, event: Event) -> None:
        exchange = self._open.get(number)
        if exchange is not None:
            exchange.hear(event)

    def _fail_all(self) -> None:
        for number, exchange in list(self._open.items()):
            exchange.hear(RequestFailed(request=number, sentence="The model was closed."))

    def _on_loop(self, step: Callable[[], None]) -> None:
        loop = self._loop
        if loop is None:
            return
        try:
            loop.call_soon_threadsafe(step)
        except RuntimeError:
            # It has just been closed; so are its exchanges.
            return
