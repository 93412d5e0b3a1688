"""The wire format of /v1/messages."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

from engine.net.server.asked import Asked
from engine.net.server.exchange import Answers
from engine.net.server.pieces import CallArguments, CallBegan, Finish, Over, Said, Thought
from engine.net.server.problem import Refused
from engine.net.server.usage import anthropic_input, anthropic_usage, plan_usage
from engine.net.server.wire import sse

PATH = "/v1/messages"
STOP_REASONS: dict[Finish, str] = {
    "stop": "end_turn",
    "stop string": "stop_sequence",
    "length": "max_tokens",
    "tools": "tool_use",
}


class MessagesWire:
    """One answer of /v1/messages."""

    def __init__(self, answers: Answers, model: str, asked: Asked) -> None:
        self._exchange = exchange = answers.first
        stops = asked.sampling.get("stop")
        # Which of several strings ended the answer is unknown.
        self._stop = stops[0] if isinstance(stops, tuple) and len(stops) == 1 else None
        self._frame = {
            "id": f"msg_{exchange.number:x}",
            "type": "message",
            "role": "assistant",
            "model": model,
            **asked.repeated,
        }
        self._index = -1
        self._kind = ""

    def whole(self, overs: Sequence[Over]) -> dict[str, Any]:
        (over,) = overs
        content: list[dict[str, Any]] = []
        if over.thinking:
            content.append({"type": "thinking", "thinking": over.thinking, "signature": ""})
        if over.whole_text or not over.calls:
            content.append({"type": "text", "text": over.whole_text})
        for call in over.calls:
            block = {"type": "tool_use", "id": call.id, "name": call.name}
            content.append(block | {"input": json.loads(call.arguments)})
        return {
            **self._frame,
            "content": content,
            **self._ended(over),
            "usage": anthropic_usage(over),
        }

    async def chunks(self) -> AsyncIterator[bytes]:
        """The answer as server-sent events."""
        try:
            await self._exchange.started()
            yield self._start()
            async for piece in self._exchange.pieces():
                match piece:
                    case Thought():
                        delta = {"type": "thinking_delta", "thinking": piece.text}
                        yield self._within({"type": "thinking", "thinking": ""}, delta)
                    case Said():
                        delta = {"type": "text_delta", "text": piece.text}
                        yield self._within({"type": "text", "text": ""}, delta)
                    case CallBegan():
                        block = {"type": "tool_use", "id": piece.id, "name": piece.name}
                        yield self._open(block | {"input": {}})
                    case CallArguments():
                        delta = {"type": "input_json_delta", "partial_json": piece.text}
                        yield self._event("content_block_delta", index=self._index, delta=delta)
                    case Over():
                        if self._index < 0:
                            yield self._open({"type": "text", "text": ""})
                        yield self._close()
                        yield self._event(
                            "message_delta", delta=self._ended(piece), usage=anthropic_usage(piece)
                        )
                        yield self._event("message_stop")
        except Refused as refused:
            yield sse(refused.body(PATH), "error")

    def _start(self) -> bytes:
        plan = self._exchange.plan
        assert plan is not None
        usage = {**anthropic_input(plan), "output_tokens": 0, "biplane": plan_usage(plan)}
        ended = {"stop_reason": None, "stop_sequence": None}
        return self._event(
            "message_start", message={**self._frame, "content": [], **ended, "usage": usage}
        )

    def _within(self, block: dict[str, Any], delta: dict[str, Any]) -> bytes:
        """A part of a text or thinking block; opens the block first if another is open."""
        opened = b"" if self._kind == block["type"] else self._open(block)
        return opened + self._event("content_block_delta", index=self._index, delta=delta)

    def _open(self, block: dict[str, Any]) -> bytes:
        closed = self._close()
        self._index += 1
        self._kind = str(block["type"])
        return closed + self._event("content_block_start", index=self._index, content_block=block)

    def _close(self) -> bytes:
        kind, self._kind = self._kind, ""
        if not kind:
            return b""
        signed = b""
        if kind == "thinking":
            delta = {"type": "signature_delta", "signature": ""}
            signed = self._event("content_block_delta", index=self._index, delta=delta)
        return signed + self._event("content_block_stop", index=self._index)

    def _ended(self, over: Over) -> dict[str, Any]:
        stop = self._stop if over.finish == "stop string" else None
        return {"stop_reason": STOP_REASONS[over.finish], "stop_sequence": stop}

    def _event(self, name: str, **fields: object) -> bytes:
        return sse({"type": name, **fields}, name)
