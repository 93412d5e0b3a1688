"""Reads the body of /v1/responses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.message import Message
from engine.serve.asked import Asked
from engine.serve.fields import Fields
from engine.serve.openai_body import (
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
            given = _added(given, item)
    messages = in_order(given)
    if not any(message.role != "system" for message in messages):
        # Agents probe with nothing at all to see whether somebody answers.
        messages.append(Message("user", ""))
    return tuple(messages)


def _added(given: list[Message], item: Fields) -> list[Message]:
    """The conversation with one more item: what an assistant does between two turns is one."""
    match item.text("type", "message"):
        case "message":
            return _said(given, item)
        case "function_call":
            name = item.text("name")
            if not name:
                raise wrong(item.name("name"), f"{item.name('name')} is missing.")
            call = {"name": name, "arguments": arguments_of(item.get("arguments"))}
            *before, last = _with_assistant(given)
            return [*before, replace(last, tool_calls=(*last.tool_calls, call))]
        case "function_call_output":
            return [*given, Message("tool", text_of(item, "output"))]
        case "reasoning":
            parts = item.objects("content") or item.objects("summary")
            thinking = "\n".join(part.text("text") for part in parts)
            # A thought begins a turn of its own.
            return [*given, Message("assistant", "", thinking)]
        case "item_reference":
            raise wrong(item.name("type"), "Biplane keeps no items: send them whole.")
    # Steps of tools that only other servers run.
    return given


def _said(given: list[Message], item: Fields) -> list[Message]:
    role, text = item.text("role"), text_of(item, "content")
    if role == "assistant":
        *before, last = _with_assistant(given)
        said = f"{last.content}\n{text}" if last.content else text
        return [*before, replace(last, content=said)]
    if role in ("system", "developer"):
        return [*given, Message("system", text)]
    if role == "user":
        return [*given, Message("user", text)]
    raise wrong(item.name("role"), f'{item.name("role")} must be "system", "user" or "assistant".')


def _with_assistant(given: list[Message]) -> list[Message]:
    """The conversation with the assistant's turn at its end, begun if there is none."""
    if given and given[-1].role == "assistant":
        return given
    return [*given, Message("assistant", "")]
