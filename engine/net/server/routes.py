"""The server's routes. A new interface is a new entry in the list that `routes` returns."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from typing import Any, Protocol

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from engine.net.server.anthropic_body import counted, messages_asked
from engine.net.server.asked import Asked
from engine.net.server.cache_routes import cache_routes
from engine.net.server.chat_wire import ChatWire, TextWire
from engine.net.server.config import ServeConfig
from engine.net.server.exchange import Exchange
from engine.net.server.hub import Hub
from engine.net.server.messages_wire import MessagesWire
from engine.net.server.openai_body import chat_asked, completion_asked
from engine.net.server.pieces import Over
from engine.net.server.problem import Refused
from engine.net.server.registry import ClientRecord
from engine.net.server.responses_body import responses_asked
from engine.net.server.responses_wire import ResponsesWire
from engine.net.server.wire import EventStream, Json, parsed, read_body, unless_gone

# How long a stream's status waits for the request to run: until then a refusal sets its own.
START_S = 5.0
LONGEST_NAME = 40


class Wire(Protocol):
    """How an interface writes an answer."""

    def whole(self, over: Over) -> dict[str, Any]: ...

    def chunks(self) -> AsyncIterator[bytes]: ...


class Desk:
    """What endpoints need: the hub, and ways to answer a request whole or as a stream."""

    def __init__(self, hub: Hub, config: ServeConfig) -> None:
        self.hub = hub
        self.config = config

    async def asked(self, request: Request, read: Callable[[dict[str, Any]], Asked]) -> Asked:
        """Parse the body of a request, within the limits. Raises Refused."""
        body = await read_body(request, self.config)
        return await asyncio.to_thread(_asked, body, read, self.hub.context)

    def client(self, request: Request) -> ClientRecord:
        """The sender of a request."""
        return self.hub.registry.client(client_name(request))

    async def answer(
        self, request: Request, asked: Asked, wire: Callable[[Exchange, str, Asked], Wire]
    ) -> Response:
        """Run a request and answer it. Raises Refused."""
        exchange = await self.hub.begin(asked, self.client(request), request.url.path)
        writer = wire(exchange, self.hub.model.name, asked)
        try:
            if not asked.stream:
                over = await unless_gone(request.receive, exchange.whole())
                return Json(writer.whole(over))
            await unless_gone(request.receive, exchange.started(START_S))
        except BaseException:
            exchange.close()
            raise
        return EventStream(_closing(exchange, writer), self.config.send_s)


def _asked(body: bytes, read: Callable[[dict[str, Any]], Asked], context: int | None) -> Asked:
    try:
        return read(parsed(body, context))
    except Refused as refused:
        # A traceback would keep everything read alive until the refusal is sent.
        raise refused.with_traceback(None) from None


async def _closing(exchange: Exchange, writer: Wire) -> AsyncIterator[bytes]:
    try:
        async for chunk in writer.chunks():
            yield chunk
    finally:
        exchange.close()


def client_name(request: Request) -> str:
    """A program's name: the first product of its User-Agent, without the version."""
    given = request.headers.get("x-client-name") or request.headers.get("user-agent", "")
    name = given.split(" ")[0] if "x-client-name" not in request.headers else given
    shown = "".join(char for char in name if char.isprintable()).strip()[:LONGEST_NAME]
    return shown or "A program without a name"


def routes(hub: Hub, config: ServeConfig) -> list[BaseRoute]:
    """All routes."""
    desk = Desk(hub, config)

    async def health(request: Request) -> Response:
        return Json({"status": "ok"})

    async def models(request: Request) -> Response:
        return Json(model_list(hub))

    async def chat(request: Request) -> Response:
        return await desk.answer(request, await desk.asked(request, chat_asked), ChatWire)

    async def responses(request: Request) -> Response:
        return await desk.answer(request, await desk.asked(request, responses_asked), ResponsesWire)

    async def messages(request: Request) -> Response:
        return await desk.answer(request, await desk.asked(request, messages_asked), MessagesWire)

    async def count_tokens(request: Request) -> Response:
        asked = await desk.asked(request, counted)
        return Json({"input_tokens": await hub.count(asked)})

    async def completions(request: Request) -> Response:
        return await desk.answer(request, await desk.asked(request, completion_asked), TextWire)

    return [
        Route("/health", health),
        Route("/v1/models", models),
        Route("/v1/chat/completions", chat, methods=["POST"]),
        Route("/v1/completions", completions, methods=["POST"]),
        Route("/v1/responses", responses, methods=["POST"]),
        Route("/v1/messages", messages, methods=["POST"]),
        Route("/v1/messages/count_tokens", count_tokens, methods=["POST"]),
        *cache_routes(hub, config),
    ]


def model_list(hub: Hub) -> dict[str, Any]:
    """The open model, as a list of one; some clients look for `models` next to `data`."""
    model = hub.model
    entry = {
        "id": model.name,
        "object": "model",
        "created": int(time.time()),
        "owned_by": "biplane",
        "context_length": model.context,
        "supports_thinking": model.supports_thinking,
    }
    return {"object": "list", "data": [entry], "models": [entry]}
