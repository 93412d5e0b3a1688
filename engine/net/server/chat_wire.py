"""The wire format of /v1/chat/completions and /v1/completions."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from typing import Any

from engine.net.server.asked import Asked
from engine.net.server.exchange import Exchange
from engine.net.server.pieces import Call, CallArguments, CallBegan, Finish, Over, Said, Thought
from engine.net.server.problem import Refused
from engine.net.server.usage import openai_usage
from engine.net.server.wire import sse

FINISH_REASONS: dict[Finish, str] = {
    "stop": "stop",
    "stop string": "stop",
    "length": "length",
    "tools": "tool_calls",
}
DONE = b"data: [DONE]\n\n"


class ChatWire:
    """One answer of /v1/chat/completions."""

    def __init__(self, exchange: Exchange, model: str, asked: Asked) -> None:
        self._exchange = exchange
        self._frame = {
            "id": f"chatcmpl-{exchange.number:x}",
            "created": int(time.time()),
            "model": model,
        }
        self._include_usage = asked.include_usage

    def whole(self, over: Over) -> dict[str, Any]:
        text = over.whole_text
        message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": None}
        if over.thinking:
            message["reasoning_content"] = over.thinking
        if over.calls:
            message["content"] = text or None
            message["tool_calls"] = [_call(call) for call in over.calls]
        choice = {
            "index": 0,
            "message": message,
            "finish_reason": FINISH_REASONS[over.finish],
            "logprobs": None,
        }
        return {
            **self._frame,
            "object": "chat.completion",
            "choices": [choice],
            "usage": openai_usage(over),
        }

    async def chunks(self) -> AsyncIterator[bytes]:
        """The answer as server-sent events."""
        yield self._chunk({"role": "assistant", "content": ""})
        try:
            async for piece in self._exchange.pieces():
                match piece:
                    case Thought():
                        yield self._chunk({"reasoning_content": piece.text})
                    case Said():
                        yield self._chunk({"content": piece.text})
                    case CallBegan():
                        yield self._chunk({"tool_calls": [_began(piece)]})
                    case CallArguments():
                        more = {"index": piece.index, "function": {"arguments": piece.text}}
                        yield self._chunk({"tool_calls": [more]})
                    case Over():
                        yield self._chunk({}, FINISH_REASONS[piece.finish])
                        if self._include_usage:
                            yield self._event([], {"usage": openai_usage(piece)})
        except Refused as refused:
            # The status has been sent, so the error can only follow in the stream.
            yield sse(refused.body(""))
        yield DONE

    def _chunk(self, delta: dict[str, Any], finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return self._event([choice], {"usage": None} if self._include_usage else {})

    def _event(self, choices: list[dict[str, Any]], more: dict[str, Any]) -> bytes:
        return sse({**self._frame, "object": "chat.completion.chunk", "choices": choices} | more)


class TextWire:
    """One answer of /v1/completions."""

    def __init__(self, exchange: Exchange, model: str, asked: Asked) -> None:
        self._exchange = exchange
        self._frame = {
            "id": f"cmpl-{exchange.number:x}",
            "object": "text_completion",
            "created": int(time.time()),
            "model": model,
        }
        self._include_usage = asked.include_usage

    def whole(self, over: Over) -> dict[str, Any]:
        choices = [_text(over.text, FINISH_REASONS[over.finish])]
        return {**self._frame, "choices": choices, "usage": openai_usage(over)}

    async def chunks(self) -> AsyncIterator[bytes]:
        """The answer as server-sent events."""
        try:
            async for piece in self._exchange.pieces():
                match piece:
                    case Said():
                        yield sse({**self._frame, "choices": [_text(piece.text, None)]})
                    case Over():
                        end = [_text("", FINISH_REASONS[piece.finish])]
                        yield sse({**self._frame, "choices": end})
                        if self._include_usage:
                            usage = openai_usage(piece)
                            yield sse({**self._frame, "choices": [], "usage": usage})
        except Refused as refused:
            yield sse(refused.body(""))
        yield DONE


def _text(text: str, finish: str | None) -> dict[str, Any]:
    return {"index": 0, "text": text, "finish_reason": finish, "logprobs": None}


def _call(call: Call) -> dict[str, Any]:
    return {
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": call.arguments},
    }


def _began(call: CallBegan) -> dict[str, Any]:
    return {
        "index": call.index,
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": ""},
    }
