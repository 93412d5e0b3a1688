"""Text and tokens without an answer: /tokenize, /detokenize and /apply-template."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from engine.field_check import is_whole
from engine.net.server.config import ServeConfig
from engine.net.server.hub import Hub
from engine.net.server.openai_body import chat_asked
from engine.net.server.problem import wrong
from engine.net.server.wire import Json, parsed, read_body
from engine.text.text_model import TextModel

Raw = str | tuple[int, ...]


async def texts_of(hub: Hub, prompts: tuple[Raw, ...]) -> tuple[str, ...]:
    """Texts and token ids as texts. Raises Refused."""

    def read(text: TextModel) -> tuple[str, ...]:
        return tuple(one if isinstance(one, str) else text.decode(one) for one in prompts)

    return await hub.with_text(read)


def text_routes(hub: Hub, config: ServeConfig) -> list[BaseRoute]:
    """The routes; each takes llama.cpp's form and, where it has one, vLLM's."""

    async def body(request: Request) -> dict[str, Any]:
        return await asyncio.to_thread(parsed, await read_body(request, config), hub.context)

    async def tokenize(request: Request) -> Response:
        given = await body(request)
        if "messages" in given:
            asked = await asyncio.to_thread(chat_asked, given)
            ids = list(await hub.prompt_ids(asked))
        else:
            content = given.get("content", given.get("prompt"))
            if not isinstance(content, str):
                raise wrong("content", "content must be a text.")
            context = hub.model.context
            ids = await hub.with_text(lambda text: text.encode(content, context))
        tokens: list[Any] = ids
        if given.get("with_pieces"):
            pieces = await hub.with_text(lambda text: [text.piece(one) for one in ids])
            tokens = [
                {"id": one, "piece": _piece(piece)} for one, piece in zip(ids, pieces, strict=True)
            ]
        return Json({"tokens": tokens, "count": len(ids), "max_model_len": hub.model.context})

    async def detokenize(request: Request) -> Response:
        ids = (await body(request)).get("tokens")
        most = hub.model.vocab_size
        if not isinstance(ids, list) or not all(is_whole(one) and 0 <= one < most for one in ids):
            raise wrong("tokens", f"tokens must be a list of ids from 0 to {most - 1}.")
        (text,) = await texts_of(hub, (tuple(ids),))
        return Json({"content": text, "prompt": text})

    async def apply_template(request: Request) -> Response:
        asked = await asyncio.to_thread(chat_asked, await body(request))
        (text,) = await texts_of(hub, (await hub.prompt_ids(asked),))
        return Json({"prompt": text})

    return [
        Route("/tokenize", tokenize, methods=["POST"]),
        Route("/detokenize", detokenize, methods=["POST"]),
        Route("/apply-template", apply_template, methods=["POST"]),
    ]


def _piece(piece: bytes) -> str | list[int]:
    """A token's text; its bytes if they are not one."""
    try:
        return piece.decode()
    except UnicodeDecodeError:
        return list(piece)
