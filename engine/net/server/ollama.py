"""Ollama's interface, which many front ends speak: another spelling of the same requests."""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from engine.net.server.asked import Asked
from engine.net.server.by_name import Known, found
from engine.net.server.exchange import Answers
from engine.net.server.hub import Hub
from engine.net.server.openai_body import chat_asked, completion_asked
from engine.net.server.pieces import Call, Finish, Over, Said, Thought
from engine.net.server.problem import Refused, wrong
from engine.net.server.usage import biplane_usage
from engine.net.server.wire import Json, json_bytes

# The version whose interface this is.
VERSION = "0.12.0"
DONE_REASONS: dict[Finish, str] = {
    "stop": "stop",
    "stop string": "stop",
    "length": "length",
    "tools": "stop",
}
_NANO = 1_000_000_000
# Of the body itself; what is not here is refused as in OpenAI's interface.
_RENAMED = {"think": "enable_thinking"}
_OPTIONS = {"num_predict": "max_tokens", "repeat_penalty": "repetition_penalty"}
# How a model is loaded, which is decided here.
_LOADING = frozenset(
    {"num_ctx", "num_batch", "num_gpu", "main_gpu", "num_thread", "num_keep", "use_mmap", "numa"}
)
_UNLIMITED = -2

Answer = Callable[[Request, Asked, Callable[[Answers, str, Asked], Any]], Awaitable[Response]]
Read = Callable[[Request, Callable[[dict[str, Any]], Asked]], Awaitable[Asked]]


def chat_given(given: dict[str, Any]) -> Asked:
    """A body of /api/chat. Raises Refused."""
    messages = given.get("messages")
    if isinstance(messages, list):
        messages = [_said(message, f"messages[{at}]") for at, message in enumerate(messages)]
    return chat_asked(_body(given) | {"messages": messages})


def generate_given(given: dict[str, Any]) -> Asked:
    """A body of /api/generate: one question, or with `raw` a text to continue. Raises Refused."""
    for name in ("images", "template", "suffix", "context"):
        if given.get(name):
            raise wrong(name, f"Biplane does not take {name}: leave it out.")
    prompt, system = given.get("prompt"), given.get("system")
    rest = {name: value for name, value in given.items() if name not in ("prompt", "system", "raw")}
    if given.get("raw"):
        return completion_asked(_body(rest) | {"prompt": prompt})
    messages = [{"role": "system", "content": system}] if system else []
    return chat_asked(_body(rest) | {"messages": [*messages, {"role": "user", "content": prompt}]})


def _body(given: dict[str, Any]) -> dict[str, Any]:
    """The same body in OpenAI's terms."""
    options = given.get("options") or {}
    if not isinstance(options, dict):
        raise wrong("options", "options must be an object.")
    body: dict[str, Any] = {"stream": True}
    for name, value in given.items():
        if name not in ("options", "format", "messages") and value is not None:
            body[_RENAMED.get(name, name)] = value
    for name, value in options.items():
        if name not in _LOADING:
            body[_OPTIONS.get(str(name), str(name))] = value
    if body.get("max_tokens") == _UNLIMITED:
        body["max_tokens"] = -1
    thinking = body.get("enable_thinking")
    if isinstance(thinking, str):
        body["enable_thinking"] = thinking != "none"
    form = given.get("format")
    if isinstance(form, dict):
        body["response_format"] = {"type": "json_schema", "schema": form}
    elif form == "json":
        body["response_format"] = {"type": "json_object"}
    elif form:
        raise wrong("format", 'format must be "json" or a JSON schema.')
    return body


def _said(message: object, path: str) -> object:
    """A message, with its thinking under OpenAI's name."""
    if not isinstance(message, dict):
        return message
    if message.get("images"):
        raise wrong(f"{path}.images", "Biplane reads only text: leave images out.")
    return message | {"reasoning_content": message.get("thinking")}


class OllamaWire:
    """One answer, as lines of JSON if it is streamed.

    Attributes:
        chat: whether it is a message, rather than a text.
    """

    chat = True

    def __init__(self, answers: Answers, model: str, asked: Asked) -> None:
        self._exchange = answers.first
        self._model = model

    def whole(self, overs: Sequence[Over]) -> dict[str, Any]:
        (over,) = overs
        return self._part(over.whole_text, over.thinking, over.calls) | _ended(over)

    async def chunks(self) -> AsyncIterator[bytes]:
        """The answer, line by line."""
        try:
            async for piece in self._exchange.pieces():
                match piece:
                    case Thought():
                        yield _line(self._part("", piece.text))
                    case Said():
                        yield _line(self._part(piece.text))
                    case Over():
                        if piece.calls or piece.unfinished:
                            yield _line(self._part(piece.unfinished, "", piece.calls))
                        yield _line(self._part("") | _ended(piece))
        except Refused as refused:
            yield _line(refused.body("/api/"))

    def _part(self, text: str, thinking: str = "", calls: Sequence[Call] = ()) -> dict[str, Any]:
        made: dict[str, Any] = {"model": self._model, "created_at": _now(), "done": False}
        thought = {"thinking": thinking} if thinking else {}
        if not self.chat:
            return made | {"response": text} | thought
        message: dict[str, Any] = {"role": "assistant", "content": text} | thought
        if calls:
            message["tool_calls"] = [
                {"function": {"name": call.name, "arguments": json.loads(call.arguments)}}
                for call in calls
            ]
        return made | {"message": message}


class GenerateWire(OllamaWire):
    """An answer of /api/generate."""

    chat = False


def _ended(over: Over) -> dict[str, Any]:
    report = over.report
    first_s = report.total_s if report.first_token_s is None else report.first_token_s
    return {
        "done": True,
        "done_reason": DONE_REASONS[over.finish],
        "total_duration": int(report.total_s * _NANO),
        "load_duration": int(over.opened.seconds * _NANO) if over.opened else 0,
        "prompt_eval_count": report.plan.total,
        "prompt_eval_duration": int(first_s * _NANO),
        "eval_count": report.generated,
        "eval_duration": int((report.total_s - first_s) * _NANO),
        "biplane": biplane_usage(over),
    }


def _line(value: object) -> bytes:
    return json_bytes(value) + b"\n"


def _now() -> str:
    return datetime.now(UTC).isoformat().replace("+00:00", "Z")


def _entry(model: Known) -> dict[str, Any]:
    return {
        "name": model.name,
        "model": model.name,
        "modified_at": _now(),
        "size": model.weight_bytes,
        "digest": hashlib.sha256(model.name.encode()).hexdigest(),
        "details": _details(model),
    }


def _details(model: Known) -> dict[str, Any]:
    return {
        "parent_model": "",
        "format": "gguf" if model.folder.endswith(".gguf") else "safetensors",
        "family": model.family,
        "families": [model.family],
        "parameter_size": f"{model.parameters / 1e9:.1f}B",
        "quantization_level": model.weights,
    }


def _shown(model: Known) -> dict[str, Any]:
    """What /api/show says; clients look for the length of the context under its family's name."""
    capabilities = ["completion", "tools", *(["thinking"] if model.thinks else [])]
    return {
        "modelfile": "",
        "parameters": "",
        "template": "",
        "details": _details(model),
        "model_info": {
            "general.architecture": model.family,
            "general.parameter_count": model.parameters,
            f"{model.family}.context_length": model.context,
            f"{model.family}.block_count": model.layers,
        },
        "capabilities": capabilities,
    }


def ollama_routes(hub: Hub, read: Read, answer: Answer) -> list[BaseRoute]:
    """The routes: `read` parses a body, `answer` runs what it asks for."""

    async def chat(request: Request) -> Response:
        return await answer(request, await read(request, chat_given), OllamaWire)

    async def generate(request: Request) -> Response:
        return await answer(request, await read(request, generate_given), GenerateWire)

    async def tags(request: Request) -> Response:
        return Json({"models": [_entry(one) for one in hub.known]})

    async def running(request: Request) -> Response:
        return Json({"models": [_entry(hub.known[0])]})

    async def show(request: Request) -> Response:
        if hub.models is None:
            return Json(_shown(hub.known[0]))
        named = (await read(request, lambda _: Asked())).model
        return Json(_shown(found(hub.known, named)))

    async def version(request: Request) -> Response:
        return Json({"version": VERSION})

    async def greeting(request: Request) -> Response:
        return PlainTextResponse("Ollama is running")

    return [
        Route("/", greeting),
        Route("/api/chat", chat, methods=["POST"]),
        Route("/api/generate", generate, methods=["POST"]),
        Route("/api/tags", tags),
        Route("/api/ps", running),
        Route("/api/show", show, methods=["POST"]),
        Route("/api/version", version),
    ]
