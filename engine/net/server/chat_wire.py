"""The wire format of /v1/chat/completions and /v1/completions."""

from __future__ import annotations

import itertools
import time
from collections.abc import AsyncIterator, Sequence
from typing import Any

from engine.events import TokenScore
from engine.net.server.asked import Asked
from engine.net.server.exchange import Answers
from engine.net.server.pieces import (
    Call,
    CallArguments,
    CallBegan,
    Finish,
    Over,
    Piece,
    Said,
    Thought,
)
from engine.net.server.problem import Refused
from engine.net.server.usage import openai_usage
from engine.net.server.wire import sse

FINISH_REASONS: dict[Finish, str] = {
    "stop": "stop",
    "stop string": "stop",
    "length": "length",
    "tools": "tool_calls",
}
Scores = Sequence[TokenScore]
DONE = b"data: [DONE]\n\n"


class _OpenAiWire:
    """What the two older interfaces of OpenAI share: numbered choices, and their stream.

    Attributes:
        kind: of a whole answer.
        part: of an event of a stream.
    """

    kind = part = prefix = ""

    def __init__(self, answers: Answers, model: str, asked: Asked) -> None:
        self._answers = answers
        self._asked = asked
        self._frame = {
            "id": f"{self.prefix}-{answers.first.number:x}",
            "created": int(time.time()),
            "model": model,
        }

    def whole(self, overs: Sequence[Over]) -> dict[str, Any]:
        return {
            **self._frame,
            "object": self.kind,
            "choices": [self._choice(at, over) for at, over in enumerate(overs)],
            "usage": openai_usage(overs, self._asked.n),
        }

    async def chunks(self) -> AsyncIterator[bytes]:
        """The answers as server-sent events."""
        overs: list[Over] = []
        try:
            async for exchange in self._answers:
                at = len(overs)
                for choice in self._opening(at):
                    yield self._event([choice])
                async for piece in exchange.pieces():
                    yield self._event([self._part(at, piece)])
                    if isinstance(piece, Over):
                        overs.append(piece)
            if self._asked.include_usage:
                yield self._event([], openai_usage(overs, self._asked.n))
        except Refused as refused:
            # The status has been sent, so the error can only follow in the stream.
            yield sse(refused.body(""))
        yield DONE

    def _event(self, choices: list[dict[str, Any]], usage: dict[str, Any] | None = None) -> bytes:
        more = {"usage": usage} if self._asked.include_usage else {}
        return sse({**self._frame, "object": self.part, "choices": choices, **more})

    def _choice(self, at: int, over: Over) -> dict[str, Any]:
        raise NotImplementedError

    def _opening(self, at: int) -> list[dict[str, Any]]:
        raise NotImplementedError

    def _part(self, at: int, piece: Piece) -> dict[str, Any]:
        raise NotImplementedError


class ChatWire(_OpenAiWire):
    """The answers of /v1/chat/completions."""

    kind, part, prefix = "chat.completion", "chat.completion.chunk", "chatcmpl"

    def _choice(self, at: int, over: Over) -> dict[str, Any]:
        text = over.whole_text
        message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": None}
        if over.thinking:
            message["reasoning_content"] = over.thinking
        if over.calls:
            message["content"] = text or None
            message["tool_calls"] = [_call(call) for call in over.calls]
        return {
            "index": at,
            "message": message,
            "finish_reason": FINISH_REASONS[over.finish],
            "logprobs": _chat_scores(over.scores),
        }

    def _opening(self, at: int) -> list[dict[str, Any]]:
        return [_delta(at, {"role": "assistant", "content": ""})]

    def _part(self, at: int, piece: Piece) -> dict[str, Any]:
        match piece:
            case Thought():
                return _delta(at, {"reasoning_content": piece.text})
            case Said():
                return _delta(at, {"content": piece.text}, scores=piece.scores)
            case CallBegan():
                return _delta(at, {"tool_calls": [_began(piece)]})
            case CallArguments():
                more = {"index": piece.index, "function": {"arguments": piece.text}}
                return _delta(at, {"tool_calls": [more]})
            case Over():
                return _delta(at, {}, FINISH_REASONS[piece.finish])


class TextWire(_OpenAiWire):
    """The answers of /v1/completions."""

    kind = part = "text_completion"
    prefix = "cmpl"

    def _choice(self, at: int, over: Over) -> dict[str, Any]:
        text = self._repeated(at) + over.text
        return _text(at, text, FINISH_REASONS[over.finish], over.scores)

    def _opening(self, at: int) -> list[dict[str, Any]]:
        return [_text(at, self._repeated(at), None)] if self._asked.echo else []

    def _part(self, at: int, piece: Piece) -> dict[str, Any]:
        match piece:
            case Over():
                return _text(at, "", FINISH_REASONS[piece.finish])
            case Said():
                return _text(at, piece.text, None, piece.scores)
        return _text(at, "", None)

    def _repeated(self, at: int) -> str:
        """The prompt, if the answer is to begin with it."""
        prompt = self._asked.prompts[at // self._asked.n] if self._asked.echo else ""
        assert isinstance(prompt, str), "token ids are decoded before"
        return prompt


def _delta(
    at: int, delta: dict[str, Any], finish: str | None = None, scores: Scores = ()
) -> dict[str, Any]:
    return {
        "index": at,
        "delta": delta,
        "finish_reason": finish,
        "logprobs": _chat_scores(scores),
    }


def _text(at: int, text: str, finish: str | None, scores: Scores = ()) -> dict[str, Any]:
    told = None
    if scores:
        told = {
            "tokens": [_shown(one) for one in scores],
            "token_logprobs": [one.logprob for one in scores],
            "top_logprobs": [{_shown(other): other.logprob for other in one.top} for one in scores],
            "text_offset": list(
                itertools.accumulate((len(_shown(one)) for one in scores[:-1]), initial=0)
            ),
        }
    return {"index": at, "text": text, "finish_reason": finish, "logprobs": told}


def _chat_scores(scores: Scores) -> dict[str, Any] | None:
    """`logprobs`: null where they were not asked for."""
    told = [_score(one) | {"top_logprobs": [_score(other) for other in one.top]} for one in scores]
    return {"content": told, "refusal": None} if told else None


def _score(score: TokenScore) -> dict[str, Any]:
    return {"token": _shown(score), "logprob": score.logprob, "bytes": list(score.text)}


def _shown(score: TokenScore) -> str:
    return score.text.decode("utf-8", "replace")


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
