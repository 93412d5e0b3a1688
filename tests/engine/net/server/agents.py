"""Bodies in the shape that three kinds of agents send, written from what is documented of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

RULES = (
    "You are a coding agent that works in a terminal. Read files before you change them, run the "
    "tests after each change, and answer in few words. Never invent the content of a file. "
) * 6
SCHEMA = {
    "type": "object",
    "properties": {"path": {"type": "string"}, "line": {"type": "integer"}},
    "required": ["path"],
}
NAMES = ("read_file", "write_file", "run")


def question(turn: int) -> str:
    return f"Please look at module {turn} and say what it does."


def result(turn: int) -> str:
    return f"def function_{turn}(value):\n    return value * {turn} + {turn % 7}\n"


@dataclass
class Turn:
    """What an agent understood of an answer: its text and its calls as (id, name, arguments)."""

    text: str
    calls: list[tuple[str, str, str]]
    cached: int
    total: int
    biplane: dict[str, Any]


@dataclass
class ChatAgent:
    """Most agents: /v1/chat/completions."""

    path: str = "/v1/chat/completions"
    head: str = RULES
    history: list[dict[str, Any]] = field(default_factory=list)

    def asks(self, text: str) -> None:
        self.history.append({"role": "user", "content": text})

    def body(self) -> dict[str, Any]:
        tools = [
            {"type": "function", "function": {"name": name, "parameters": SCHEMA}} for name in NAMES
        ]
        system = {"role": "system", "content": self.head}
        return {"model": "m", "messages": [system, *self.history], "tools": tools, "n": 1}

    def heard(self, said: dict[str, Any]) -> Turn:
        message, usage = said["choices"][0]["message"], said["usage"]
        self.history.append({k: message.get(k) for k in ("role", "content", "tool_calls")})
        return Turn(
            message["content"] or "",
            [
                (call["id"], call["function"]["name"], call["function"]["arguments"])
                for call in message.get("tool_calls", ())
            ],
            usage["prompt_tokens_details"]["cached_tokens"],
            usage["prompt_tokens"] + usage["completion_tokens"],
            usage["biplane"],
        )

    def answers(self, call: str, text: str) -> None:
        self.history.append({"role": "tool", "tool_call_id": call, "content": text})


@dataclass
class ResponsesAgent(ChatAgent):
    """An agent that speaks only /v1/responses and sends tools that no other server has."""

    path: str = "/v1/responses"

    def body(self) -> dict[str, Any]:
        tools: list[dict[str, Any]] = [
            {"type": "function", "name": name, "parameters": SCHEMA, "strict": False}
            for name in NAMES
        ]
        return {
            "model": "m",
            "instructions": self.head,
            "input": self.history,
            "tools": [*tools, {"type": "web_search"}, {"type": "image_generation"}],
            "tool_choice": "auto",
            "parallel_tool_calls": True,
            "store": False,
            "include": ["reasoning.encrypted_content"],
            "prompt_cache_key": "a-session",
        }

    def heard(self, said: dict[str, Any]) -> Turn:
        usage = said["usage"]
        self.history += said["output"]
        texts = [item["content"][0]["text"] for item in said["output"] if item["type"] == "message"]
        return Turn(
            "".join(texts),
            [
                (item["call_id"], item["name"], item["arguments"])
                for item in said["output"]
                if item["type"] == "function_call"
            ],
            usage["input_tokens_details"]["cached_tokens"],
            usage["total_tokens"],
            usage["biplane"],
        )

    def answers(self, call: str, text: str) -> None:
        self.history.append({"type": "function_call_output", "call_id": call, "output": text})


@dataclass
class MessagesAgent(ChatAgent):
    """An agent that speaks /v1/messages, with system blocks and marks for the cache."""

    path: str = "/v1/messages?beta=true"

    def body(self) -> dict[str, Any]:
        return {
            "model": "m",
            "system": [{"type": "text", "text": self.head, "cache_control": {"type": "ephemeral"}}],
            "messages": self.history,
            "tools": [{"name": name, "input_schema": SCHEMA} for name in NAMES],
            "max_tokens": 400,
            "metadata": {"user_id": "somebody"},
        }

    def heard(self, said: dict[str, Any]) -> Turn:
        usage = said["usage"]
        self.history.append({"role": "assistant", "content": said["content"]})
        texts = [block["text"] for block in said["content"] if block["type"] == "text"]
        return Turn(
            "".join(texts),
            [
                (block["id"], block["name"], json.dumps(block["input"]))
                for block in said["content"]
                if block["type"] == "tool_use"
            ],
            usage["cache_read_input_tokens"],
            sum(count for name, count in usage.items() if name != "biplane"),
            usage["biplane"],
        )

    def answers(self, call: str, text: str) -> None:
        block = {"type": "tool_result", "tool_use_id": call, "content": text}
        self.history.append({"role": "user", "content": [block]})


AGENTS: tuple[Callable[[], ChatAgent], ...] = (ChatAgent, ResponsesAgent, MessagesAgent)
