"""Reads the bodies of /v1/messages and /v1/messages/count_tokens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.message import Message
from engine.serve.asked import Asked, Tools
from engine.serve.openai_body import Fields, fields_of, in_order, named, sampling_of, stops_of
from engine.serve.problem import Refused, wrong


def messages_asked(body: dict[str, Any]) -> Asked:
    """A body of /v1/messages. Raises Refused."""
    fields = Fields(body)
    if fields.get("max_tokens") is None:
        raise wrong("max_tokens", "max_tokens is missing: say how long the answer may become.")
    sampling = sampling_of(fields, "max_tokens")
    stops = stops_of(fields, "stop_sequences")
    return Asked(
        messages=conversation(fields),
        sampling=sampling | ({"stop": stops} if stops else {}),
        tools=_tools(fields),
        thinking=_thinking(fields),
        stream=fields.flag("stream"),
    )


def counted(body: dict[str, Any]) -> Asked:
    """A body of /v1/messages/count_tokens. Raises Refused."""
    fields = Fields(body)
    return Asked(messages=conversation(fields), tools=_tools(fields), thinking=_thinking(fields))


def conversation(fields: Fields) -> tuple[Message, ...]:
    """System text and messages. Raises Refused."""
    system = "\n\n".join(_texts(fields, "system"))
    given = [Message("system", system)] if system else []
    for one in fields.objects("messages"):
        given += _messages(one)
    if not any(message.role != "system" for message in given):
        raise wrong("messages", "messages is empty: send at least one message.")
    return tuple(in_order(given))


def _messages(fields: Fields) -> Iterator[Message]:
    role = fields.text("role")
    if role == "assistant":
        yield _assistant(fields)
    elif role in ("user", "system"):
        yield from _user(fields, role)
    else:
        raise wrong(fields.name("role"), f'{fields.name("role")} must be "user" or "assistant".')


def _user(fields: Fields, role: str) -> Iterator[Message]:
    """Results of tools and what the user says, in their order."""
    said: list[str] = []
    for block in _blocks(fields, "content"):
        if block.text("type") == "tool_result":
            if said:
                yield Message(role, "\n".join(said))
                said = []
            yield Message("tool", "\n".join(_texts(block, "content")))
        else:
            said.append(_text(block))
    if said:
        yield Message(role, "\n".join(said))


def _assistant(fields: Fields) -> Message:
    said: list[str] = []
    thoughts: list[str] = []
    calls: list[dict[str, Any]] = []
    for block in _blocks(fields, "content"):
        match block.text("type"):
            case "thinking":
                thoughts.append(block.text("thinking"))
            case "redacted_thinking":
                continue
            case "tool_use":
                name = block.text("name")
                if not name:
                    raise wrong(block.name("name"), f"{block.name('name')} is missing.")
                calls.append({"name": name, "arguments": dict(block.object("input").given)})
            case _:
                said.append(_text(block))
    return Message("assistant", "\n".join(said), "\n".join(thoughts), tuple(calls))


def _texts(fields: Fields, key: str) -> list[str]:
    return [text for block in _blocks(fields, key) if (text := _text(block))]


def _text(block: Fields) -> str:
    kind = block.text("type", "text")
    if kind != "text":
        raise wrong(
            block.name("type"),
            f"{block.name('type')} is {kind[:40]!r}, but Biplane reads only text.",
        )
    return block.text("text")


def _blocks(fields: Fields, key: str) -> list[Fields]:
    """A content as blocks; a string is one of text."""
    value = fields.get(key)
    if isinstance(value, str):
        return [fields_of({"type": "text", "text": value}, fields.name(key))]
    return fields.objects(key)


def _thinking(fields: Fields) -> bool | None:
    kind = fields.object("thinking").text("type")
    return kind != "disabled" if kind else None


def _tools(fields: Fields) -> Tools:
    described = []
    for tool in fields.objects("tools"):
        # Kinds that only Anthropic's servers run come with a type and without a schema.
        if tool.get("input_schema") is None and tool.text("type", "custom") != "custom":
            continue
        name = tool.text("name")
        if not name:
            raise wrong(tool.name("name"), f"{tool.name('name')} is missing: give the tool a name.")
        function = {
            "name": name,
            "description": tool.text("description"),
            "parameters": dict(tool.object("input_schema").given) or {"type": "object"},
        }
        described.append({"type": "function", "function": function})
    return _chosen(tuple(described), fields)


def _chosen(described: tuple[dict[str, Any], ...], fields: Fields) -> Tools:
    choice = fields.object("tool_choice")
    kind = choice.text("type", "auto")
    if kind == "auto":
        return Tools(described)
    if kind == "none":
        return Tools(described, "none")
    if kind == "any":
        return named(described, "", "tool_choice")
    if kind == "tool":
        return named(described, choice.text("name"), "tool_choice")
    raise Refused(
        "invalid_request_error", 'tool_choice.type must be "auto", "any", "tool" or "none".'
    )
