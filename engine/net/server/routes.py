"""The server's routes. A new interface is a new entry in the list that `routes` returns."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, Protocol

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from engine.net.server.anthropic_body import counted, messages_asked
from engine.net.server.asked import Asked
from engine.net.server.by_name import Known, found
from engine.net.server.cache_routes import cache_routes
from engine.net.server.chat_wire import ChatWire, TextWire
from engine.net.server.config import ServeConfig
from engine.net.server.exchange import Answers
from engine.net.server.hub import Hub
from engine.net.server.messages_wire import MessagesWire
from engine.net.server.ollama import ollama_routes
from engine.net.server.openai_body import chat_asked, completion_asked
from engine.net.server.pieces import Over
from engine.net.server.problem import Refused
from engine.net.server.registry import ClientRecord
from engine.net.server.responses_body import responses_asked
from engine.net.server.responses_wire import KeptResponses
from engine.net.server.text_routes import text_routes, texts_of
from engine.net.server.wire import EventStream, Json, LineStream, parsed, read_body, unless_gone

# How long a stream's status waits for the request to run: until then a refusal sets its own.
START_S = 5.0
LONGEST_NAME = 40
_NO_VECTORS = "Biplane writes answers, but no embeddings: use another server for them."
NOT_SERVED = {
    "/v1/embeddings": _NO_VECTORS,
    "/embeddings": _NO_VECTORS,
    "/embedding": _NO_VECTORS,
    "/api/embed": _NO_VECTORS,
    "/api/embeddings": _NO_VECTORS,
    "/v1/rerank": "Biplane writes answers, but does not rank texts: use another server for it.",
    "/infill": "Biplane cannot write into the middle of a text.",
    "/completion": "Send this request to /v1/completions.",
    "/slots": "Biplane has no slots to show: what runs and what is cached is at /v1/cache.",
    "/props": "Biplane shows its model and context at /v1/models.",
}


class Wire(Protocol):
    """How an interface writes an answer."""

    def whole(self, overs: Sequence[Over]) -> dict[str, Any]: ...

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
        self,
        request: Request,
        asked: Asked,
        wire: Callable[[Answers, str, Asked], Wire],
        *,
        lines: bool = False,
    ) -> Response:
        """Run a request and answer it; `lines`: a stream is lines of JSON. Raises Refused."""
        client, path = self.client(request), request.url.path
        first, *rest = (partial(self.hub.begin, one, client, path) for one in asked.single())
        # It may have to wait until its model is open.
        answers = Answers(await unless_gone(request.receive, first()), rest)
        writer = wire(answers, self.hub.model.name, asked)
        try:
            if not asked.stream:
                overs = await unless_gone(request.receive, answers.whole())
                return Json(writer.whole(overs))
            await unless_gone(request.receive, answers.first.started(START_S))
        except BaseException:
            answers.close()
            raise
        stream = LineStream if lines else EventStream
        return stream(_closing(answers, writer), self.config.send_s)


def _asked(body: bytes, read: Callable[[dict[str, Any]], Asked], context: int | None) -> Asked:
    try:
        given = parsed(body, context)
        named = given.get("model") or given.get("name")
        return replace(read(given), model=named if isinstance(named, str) else "")
    except Refused as refused:
        # A traceback would keep everything read alive until the refusal is sent.
        raise refused.with_traceback(None) from None


async def _closing(answers: Answers, writer: Wire) -> AsyncIterator[bytes]:
    try:
        async for chunk in writer.chunks():
            yield chunk
    finally:
        answers.close()


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
        if hub.context is None:
            raise Refused("overloaded_error", "No model is open yet: wait until it is.")
        return Json({"status": "ok"})

    async def models(request: Request) -> Response:
        return Json(model_list(hub))

    async def model(request: Request) -> Response:
        return Json(model_entry(found(hub.known, request.path_params["name"])))

    async def chat(request: Request) -> Response:
        return await desk.answer(request, await desk.asked(request, chat_asked), ChatWire)

    async def responses(request: Request) -> Response:
        return await desk.answer(request, await desk.asked(request, responses_asked), kept.wire)

    async def input_tokens(request: Request) -> Response:
        ids = await hub.prompt_ids(await desk.asked(request, responses_asked))
        return Json({"object": "response.input_tokens", "input_tokens": len(ids)})

    async def response(request: Request) -> Response:
        name = request.path_params["name"]
        if request.method == "DELETE":
            kept.drop(name)
            return Json({"id": name, "object": "response", "deleted": True})
        return Json(kept.find(name))

    async def messages(request: Request) -> Response:
        return await desk.answer(request, await desk.asked(request, messages_asked), MessagesWire)

    async def count_tokens(request: Request) -> Response:
        ids = await hub.prompt_ids(await desk.asked(request, counted))
        return Json({"input_tokens": len(ids)})

    async def completions(request: Request) -> Response:
        asked = await desk.asked(request, completion_asked)
        if asked.echo:
            asked = replace(asked, prompts=await texts_of(hub, asked.prompts))
        return await desk.answer(request, asked, TextWire)

    async def not_served(request: Request) -> Response:
        if request.method == "POST":
            await read_body(request, config)
        raise Refused("not_supported", NOT_SERVED[request.url.path], code="not_supported")

    kept = KeptResponses()
    return [
        Route("/health", health),
        Route("/v1/models", models),
        Route("/v1/models/{name:path}", model),
        Route("/v1/chat/completions", chat, methods=["POST"]),
        Route("/v1/completions", completions, methods=["POST"]),
        Route("/v1/responses", responses, methods=["POST"]),
        Route("/v1/responses/input_tokens", input_tokens, methods=["POST"]),
        Route("/v1/responses/{name}", response, methods=["GET", "DELETE"]),
        Route("/v1/messages", messages, methods=["POST"]),
        Route("/v1/messages/count_tokens", count_tokens, methods=["POST"]),
        *(Route(path, not_served, methods=["GET", "POST"]) for path in NOT_SERVED),
        *text_routes(hub, config),
        *ollama_routes(hub, desk.asked, partial(desk.answer, lines=True)),
        *cache_routes(hub, config),
    ]


def model_list(hub: Hub) -> dict[str, Any]:
    """The open model, then the others; some clients look for `models` next to `data`."""
    entries = [model_entry(one) for one in hub.known]
    ends = {"first_id": entries[0]["id"], "last_id": entries[-1]["id"], "has_more": False}
    return {"object": "list", "data": entries, "models": entries, **ends}


def model_entry(model: Known) -> dict[str, Any]:
    """One model of the list."""
    return {
        "id": model.name,
        "object": "model",
        "created": int(time.time()),
        "owned_by": "biplane",
        "context_length": model.context,
        "supports_thinking": model.thinks,
        # Anthropic's names of the same.
        "type": "model",
        "display_name": model.name,
        "created_at": datetime.now(UTC).isoformat(timespec="seconds"),
    }
