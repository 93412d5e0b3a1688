"""Parses the body of /v1/responses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.message import Message
from engine.net.server.asked import Asked
from engine.net.server.formats import format_of
from engine.net.server.openai_body import (
    called,
    in_order,
    read,
    sampling_of,
    text_of,
    thinking_by,
    tools_of,
)
from engine.net.server.problem import wrong
from engine.net.wire import Call, Item, Options, ResponsesBody, Thought

# What an answer repeats of its request, and what it says where that says nothing.
REPEATED: dict[str, Any] = {
    "instructions": None,
    "max_output_tokens": None,
    "metadata": {},
    "parallel_tool_calls": True,
    "reasoning": None,
    "store": True,
    "temperature": None,
    "text": {"format": {"type": "text"}},
    "tool_choice": "auto",
    "tools": [],
    "top_p": None,
    "truncation": "disabled",
    "user": None,
}


def responses_asked(given: dict[str, Any]) -> Asked:
    """A body of /v1/responses. Raises Refused."""
    body = read(given, ResponsesBody)
    return Asked(
        messages=_messages(body),
        sampling=sampling_of(body, body.max_output_tokens),
        tools=tools_of(body, default=""),
        format=format_of(body, body.text.format if body.text else None, "text.format"),
        thinking=thinking_by(body.reasoning.effort if body.reasoning else None),
        stream=bool(body.stream),
        repeated=REPEATED | {name: given[name] for name in REPEATED if given.get(name) is not None},
    )


def _messages(body: ResponsesBody) -> tuple[Message, ...]:
    given = [Message("system", body.instructions)] if body.instructions else []
    if isinstance(body.input, str):
        given.append(Message("user", body.input))
    else:
        for at, item in enumerate(body.input or ()):
            _add(given, item, f"input[{at}]")
    messages = in_order(given)
    if not any(message.role != "system" for message in messages):
        # Agents send empty requests to probe whether the server is up.
        messages.append(Message("user", ""))
    return tuple(messages)


def _add(given: list[Message], raw: object, path: str) -> None:
    """Add one item; everything an assistant does between two turns is one message."""
    match read(raw, Options, path).type or "message":
        case "message":
            _say(given, read(raw, Item, path), path)
        case "function_call":
            last = _assistant_of(given)
            call = called(read(raw, Call, path))
            given[-1] = replace(last, tool_calls=(*last.tool_calls, call))
        case "function_call_output":
            given.append(Message("tool", text_of(read(raw, Item, path).output, f"{path}.output")))
        case "reasoning":
            thought = read(raw, Thought, path)
            parts = thought.content or thought.summary or ()
            # A thought starts a new turn.
            given.append(Message("assistant", "", "\n".join(part.text or "" for part in parts)))
        case "item_reference":
            raise wrong(f"{path}.type", "Biplane keeps no items: send them whole.")
        # Steps of tools that only other servers run are ignored.


def _say(given: list[Message], item: Item, path: str) -> None:
    text = text_of(item.content, f"{path}.content")
    match item.role:
        case "assistant":
            last = _assistant_of(given)
            given[-1] = replace(last, content=f"{last.content}\n{text}" if last.content else text)
        case "system" | "developer":
            given.append(Message("system", text))
        case "user":
            given.append(Message("user", text))
        case _:
            raise wrong(f"{path}.role", f'{path}.role must be "system", "user" or "assistant".')


def _assistant_of(given: list[Message]) -> Message:
    """The assistant's turn at the end of the conversation; starts one if there is none."""
    if not given or given[-1].role != "assistant":
        given.append(Message("assistant", ""))
    return given[-1]
