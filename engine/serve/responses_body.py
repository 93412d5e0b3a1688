"""Reads the body of /v1/responses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.message import Message
from engine.serve.asked import Asked
from engine.serve.openai_body import (
    Fields,
    arguments_of,
    chosen,
    function_tool,
    in_order,
    sampling_of,
    text_of,
)
from engine.serve.problem import Refused, wrong


def responses_asked(body: dict[str, Any]) -> Asked:
    """A body of /v1/responses. Raises Refused."""
    fields = Fields(body)
    for name in ("previous_response_id", "conversation"):
        if fields.get(name):
            raise Refused(
                "invalid_request_error",
                f"Biplane does not keep answers for {name}: send the whole conversation as input. "
                "What was computed of it is in the cache.",
                name,
                "unsupported_parameter",
            )
    form = fields.object("text").object("format")
    if form.text("type", "text") != "text":
        raise wrong("text.format", "Biplane cannot force a format on the answer: ask for it.")
    tools = (tool for tool in map(_tool, fields.objects("tools")) if tool is not None)
    effort = fields.object("reasoning").text("effort")
    return Asked(
        messages=_messages(fields),
        sampling=sampling_of(fields, "max_output_tokens"),
        tools=chosen(tuple(tools), fields),
        thinking=effort not in ("none", "minimal") if effort else None,
        stream=fields.flag("stream"),
    )


def _tool(fields: Fields) -> dict[str, Any] | None:
    """Tools that only OpenAI's servers run are left out: agents send them along."""
    return function_tool(fields) if fields.text("type") == "function" else None


def _messages(fields: Fields) -> tuple[Message, ...]:
    given = [Message("system", fields.text("instructions"))] if fields.get("instructions") else []
    value = fields.get("input")
    if isinstance(value, str):
        given.append(Message("user", value))
    else:
        for item in fields.objects("input"):
            _add(given, item)
    messages = in_order(given)
    if not any(message.role != "system" for message in messages):
        # Agents probe with nothing at all to see whether somebody answers.
        messages.append(Message("user", ""))
    return tuple(messages)


def _add(given: list[Message], item: Fields) -> None:
    """One more item: what an assistant does between two turns is one message."""
    match item.text("type", "message"):
        case "message":
            _say(given, item)
        case "function_call":
            name = item.text("name")
            if not name:
                raise wrong(item.name("name"), f"{item.name('name')} is missing.")
            call = {"name": name, "arguments": arguments_of(item.get("arguments"))}
            last = _assistant_of(given)
            given[-1] = replace(last, tool_calls=(*last.tool_calls, call))
        case "function_call_output":
            given.append(Message("tool", text_of(item, "output")))
        case "reasoning":
            parts = item.objects("content") or item.objects("summary")
            # A thought begins a turn of its own.
            given.append(Message("assistant", "", "\n".join(part.text("text") for part in parts)))
        case "item_reference":
            raise wrong(item.name("type"), "Biplane keeps no items: send them whole.")
        # Steps of tools that only other servers run are left out.


def _say(given: list[Message], item: Fields) -> None:
    role, text = item.text("role"), text_of(item, "content")
    if role == "assistant":
        last = _assistant_of(given)
        given[-1] = replace(last, content=f"{last.content}\n{text}" if last.content else text)
    elif role in ("system", "developer"):
        given.append(Message("system", text))
    elif role == "user":
        given.append(Message("user", text))
    else:
        raise wrong(
            item.name("role"), f'{item.name("role")} must be "system", "user" or "assistant".'
        )


def _assistant_of(given: list[Message]) -> Message:
    """The assistant's turn at the end of the conversation, begun if there is none."""
    if not given or given[-1].role != "assistant":
        given.append(Message("assistant", ""))
    return given[-1]
