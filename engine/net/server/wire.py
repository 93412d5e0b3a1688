"""Bytes on the wire: JSON bodies, server-sent events, and bodies read within limits."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, MutableMapping
from typing import Any, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from engine.errors import PromptTooLong
from engine.net.server.config import ServeConfig
from engine.net.server.problem import Refused, refusal

T = TypeVar("T")
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]

_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
_AT = re.compile(r"\(byte (\d+)\)")
# How many bytes around an error are searched for its cause.
_NEAR = 14
# Bytes and values decoded in one go: more would hold up other threads.
PART_BYTES = 1 << 16
MOST_COMMAS = 1_000_000
# Each item of these is at least one token of the prompt.
_COUNTED = ("messages", "input", "tools", "prompt")
# A comment this often keeps a client from timing out while its request is queued or prefilled.
ALIVE_S = 5.0
_LOOK_S = 0.25
# Set in the scope of a request whose client sends no more, but may still listen.
HALF_CLOSED = "biplane.half_closed"
ALIVE = b": waiting\n\n"


def json_bytes(value: object) -> bytes:
    """Compact JSON. Half a surrogate pair becomes a question mark: UTF-8 cannot hold it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def sse(value: object, event: str = "") -> bytes:
    """One server-sent event."""
    head = f"event: {event}\n".encode() if event else b""
    return head + b"data: " + json_bytes(value) + b"\n\n"


class Json(Response):
    """A complete answer."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return json_bytes(content)


async def send_json(
    send: Send, value: object, status: int, more: Iterable[tuple[bytes, bytes]] = ()
) -> None:
    """Answer with JSON, and close: the rest of the request is not read. `more`: headers."""
    body = json_bytes(value)
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        *more,
    ]
    if status in (408, 413):
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class EventStream(Response):
    """Server-sent events from an iterator, which is closed when the client disconnects."""

    media_type = "text/event-stream"
    # What keeps a client from timing out; "" where nothing may come between.
    alive = ALIVE

    def __init__(self, chunks: AsyncIterator[bytes], send_s: float) -> None:
        """send_s: seconds that the client may leave a chunk unread."""
        super().__init__(headers={"cache-control": "no-store", "x-accel-buffering": "no"})
        del self.headers["content-length"]
        self._chunks = chunks
        self._send_s = send_s

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        try:
            await unless_gone(receive, self._stream(scope, send))
        except (ClientDisconnect, TimeoutError):
            return

    async def _stream(self, scope: Any, send: Send) -> None:
        await send(
            {"type": "http.response.start", "status": 200, "headers": list(self.raw_headers)}
        )
        try:
            async for chunk in with_signs_of_life(
                self._chunks, lambda: _LOOK_S if scope.get(HALF_CLOSED) else ALIVE_S
            ):
                chunk = self.alive if chunk is ALIVE else chunk
                part = {"type": "http.response.body", "body": chunk, "more_body": True}
                await asyncio.wait_for(send(part), self._send_s)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            close = getattr(self._chunks, "aclose", None)
            if close is not None:
                await close()


class LineStream(EventStream):
    """Lines of JSON."""

    media_type = "application/x-ndjson"
    alive = b""


async def with_signs_of_life(
    chunks: AsyncIterator[bytes], every_s: Callable[[], float] = lambda: ALIVE_S
) -> AsyncIterator[bytes]:
    """The chunks, with a comment whenever none came for so many seconds."""
    following: asyncio.Task[bytes | None] | None = None
    try:
        while True:
            following = asyncio.ensure_future(_next(chunks))
            quiet_s = 0.0
            while not (await asyncio.wait({following}, timeout=_LOOK_S))[0]:
                quiet_s += _LOOK_S
                if quiet_s >= every_s():
                    quiet_s = 0.0
                    yield ALIVE
            chunk = following.result()
            if chunk is None:
                return
            yield chunk
    finally:
        if following is not None and not following.done():
            following.cancel()
            await asyncio.wait({following})


async def _next(chunks: AsyncIterator[bytes]) -> bytes | None:
    return await anext(chunks, None)


async def unless_gone(receive: Receive, work: Coroutine[Any, Any, T]) -> T:
    """The result of `work`; if the client leaves, cancels it and raises ClientDisconnect."""
    task = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_until_gone(receive))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            task.cancel()
            await asyncio.wait({task})
            if task.cancelled():
                raise ClientDisconnect
        return task.result()
    finally:
        for one in (task, gone):
            if not one.done():
                one.cancel()
                await asyncio.wait({one})


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def read_body(request: Request, config: ServeConfig) -> bytes:
    """The body of a request, within the limits. Raises Refused."""
    try:
        return await asyncio.wait_for(_read(request, config.body_bytes), config.body_s)
    except TimeoutError:
        raise Refused(
            "timeout_error", f"The request did not arrive within {config.body_s:g} seconds."
        ) from None


async def _read(request: Request, most: int) -> bytes:
    too_large = Refused(
        "request_too_large", f"The body is larger than {most:,} bytes: send less text at once."
    )
    stated = request.headers.get("content-length", "")
    if stated.isdigit() and (len(stated) > 15 or int(stated) > most):
        raise too_large
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise too_large
        parts.append(part)
    return b"".join(parts)


def parsed(body: bytes, context: int | None = None) -> dict[str, Any]:
    """A JSON object from bytes. Raises Refused.

    It is decoded in parts, between which other threads run: the decoder holds Python's lock.

    Args:
        context: maximum tokens of a prompt; one with as many messages, tools or ids is refused
            before they are decoded. None: no limit.
    """
    if body.count(b",") > MOST_COMMAS:
        raise Refused(
            "request_too_large",
            f"The body holds more than {MOST_COMMAS:,} commas, as no prompt that fits does: send "
            "less at once.",
        )
    try:
        if not body.lstrip().startswith(b"{"):
            msgspec.json.decode(body, type=msgspec.Raw)
            raise Refused("invalid_request_error", "The body must be a JSON object.")
        given = msgspec.json.decode(body, type=dict[str, msgspec.Raw])
        return {name: _value(raw, name, context) for name, raw in given.items()}
    except RecursionError:
        said = "too deep"
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        said = str(error).rstrip(".")
    found = _AT.search(said)
    at = len(body) if found is None else int(found[1])
    if _HALF.search(body[max(at - _NEAR, 0) : at + _NEAR]):
        # No tokenizer accepts one; complete pairs are one character.
        sentence = "The body contains half of a surrogate pair; delete it."
    else:
        sentence = f"The body is not JSON ({said})."
    raise Refused("invalid_request_error", sentence)


def _value(raw: msgspec.Raw, name: str, context: int | None) -> Any:
    """Decode a value; `name` is of a field of the body, "" further inside."""
    if len(raw) < PART_BYTES:
        return msgspec.json.decode(raw)
    match bytes(raw)[:1]:
        case b"[":
            items = msgspec.json.decode(raw, type=list[msgspec.Raw])
            if context is not None and name in _COUNTED and len(items) >= context:
                raise refusal(PromptTooLong(len(items), context, counted=False))
            return [_value(item, "", context) for item in items]
        case b"{":
            fields = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
            return {key: _value(item, "", context) for key, item in fields.items()}
    return msgspec.json.decode(raw)
