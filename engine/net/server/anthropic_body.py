"""Parses the bodies of /v1/messages and /v1/messages/count_tokens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from engine.message import Message
from engine.net.server.asked import Asked, Format, Tools
from engine.net.server.formats import format_of
from engine.net.server.openai_body import (
    Offered,
    called,
    each,
    in_order,
    named,
    not_text,
    read,
    sampling_of,
    stops_of,
)
from engine.net.server.problem import Refused, wrong
from engine.net.wire import AnswerFormat, Body, Call, Function, Options, Wire

CLEAR_THINKING = "clear_thinking_20251015"


class _Tool(Function):
    input_schema: dict[str, Any] | None = None


class _Block(Wire):
    type: str | None = None
    text: str | None = None
    thinking: str | None = None
    name: str | None = None
    input: dict[str, Any] | None = None
    content: _Blocks = None


_Blocks = str | list[_Block] | None


class _Said(Wire):
    role: str | None = None
    content: _Blocks = None


class _Edit(Wire):
    type: str | None = None
    keep: str | dict[str, Any] | None = None


class _Managed(Wire):
    edits: list[Any] | None = None


class _Body(Body):
    system: _Blocks = None
    messages: list[Any] | None = None
    tool_choice: Options | None = None
    thinking: Options | None = None
    stop_sequences: str | list[Any] | None = None
    output_config: Options | None = None
    output_format: AnswerFormat | None = None
    context_management: _Managed | None = None


def messages_asked(given: dict[str, Any]) -> Asked:
    """A body of /v1/messages. Raises Refused."""
    body = read(given, _Body)
    if body.max_tokens is None:
        raise wrong("max_tokens", "max_tokens is missing: say how long the answer may become.")
    stops = stops_of(body.stop_sequences, "stop_sequences")
    return replace(
        _asked(body),
        sampling=sampling_of(body, body.max_tokens)
        | ({"stop": stops} if stops else {})
        | _thinking_limit(body),
        stream=bool(body.stream),
    )


def counted(given: dict[str, Any]) -> Asked:
    """A body of /v1/messages/count_tokens. Raises Refused."""
    return _asked(read(given, _Body))


def _asked(body: _Body) -> Asked:
    system = "\n\n".join(_texts(body.system, "system"))
    messages = [Message("system", system)] if system else []
    for path, said in each(body.messages, _Said, "messages"):
        messages += _messages(path, said)
    if not any(message.role != "system" for message in messages):
        raise wrong("messages", "messages is empty: send at least one message.")
    kind = body.thinking and body.thinking.type
    return Asked(
        messages=tuple(in_order(messages)),
        tools=_tools(body),
        format=_format(body),
        thinking=kind != "disabled" if kind else None,
        keeps_thinking=_keeps_thinking(body.context_management),
        # Thinking is left out by the template alone: nothing is edited.
        repeated={"context_management": {"applied_edits": []}} if body.context_management else {},
    )


def _keeps_thinking(managed: _Managed | None) -> bool | None:
    """Whether earlier turns keep their thinking; None: as the server likes."""
    keeps: bool | None = None
    path = "context_management.edits"
    for place, edit in each(managed.edits if managed else None, _Edit, path):
        if edit.type != CLEAR_THINKING:
            raise wrong(
                f"{place}.type",
                f"Biplane clears nothing but thinking ({CLEAR_THINKING}): leave {place} out.",
            )
        keeps = edit.keep == "all"
    return keeps


def _thinking_limit(body: _Body) -> dict[str, object]:
    most = body.thinking and body.thinking.budget_tokens
    return {"thinking_tokens": most} if most else {}


def _format(body: _Body) -> Format | None:
    config = body.output_config
    if body.output_format is None:
        return format_of(body, config.format if config else None, "output_config.format")
    return format_of(body, body.output_format, "output_format")


def _messages(path: str, said: _Said) -> Iterator[Message]:
    blocks = _blocks(said.content, f"{path}.content")
    if said.role == "assistant":
        yield _assistant(blocks)
    elif said.role in ("user", "system"):
        yield from _user(blocks, said.role)
    else:
        raise wrong(f"{path}.role", f'{path}.role must be "user" or "assistant".')


def _user(blocks: Iterator[tuple[str, _Block]], role: str) -> Iterator[Message]:
    """Tool results and what the user says, in order."""
    said: list[str] = []
    for path, block in blocks:
        if block.type == "tool_result":
            if said:
                yield Message(role, "".join(said))
                said = []
            yield Message("tool", "".join(_texts(block.content, f"{path}.content")))
        else:
            said.append(_text(path, block))
    if said:
        yield Message(role, "".join(said))


def _assistant(blocks: Iterator[tuple[str, _Block]]) -> Message:
    said: list[str] = []
    thoughts: list[str] = []
    calls: list[dict[str, Any]] = []
    for path, block in blocks:
        match block.type:
            case "thinking":
                thoughts.append(block.thinking or "")
            case "redacted_thinking":
                continue
            case "tool_use":
                call = {"name": block.name, "arguments": block.input}
                calls.append(called(read(call, Call, path)))
            case _:
                said.append(_text(path, block))
    return Message("assistant", "".join(said), "".join(thoughts), tuple(calls))


def _texts(content: _Blocks, path: str) -> list[str]:
    return [text for block in _blocks(content, path) if (text := _text(*block))]


def _text(path: str, block: _Block) -> str:
    if block.type not in (None, "text"):
        raise not_text(block.type, path)
    return block.text or ""


def _blocks(content: _Blocks, path: str) -> Iterator[tuple[str, _Block]]:
    """A content as blocks with their paths; a string becomes one text block."""
    if isinstance(content, str):
        content = [_Block(text=content)]
    return ((f"{path}[{at}]", block) for at, block in enumerate(content or ()))


def _tools(body: _Body) -> Tools:
    offered = Offered()
    for at, tool in enumerate(body.tools or ()):
        # Kinds that only Anthropic's servers run have a type but no schema.
        if tool.get("input_schema") is not None or (tool.get("type") or "custom") == "custom":
            one = read(tool, _Tool, f"tools[{at}]")
            schema = one.input_schema or {"type": "object"}
            offered.add(one, schema, f"tools[{at}].input_schema")
    choice = body.tool_choice or Options()
    chosen = _chosen(tuple(offered.described), choice)
    disabled = choice.disable_parallel_tool_use
    return offered.tools(chosen, None if disabled is None else not disabled)


def _chosen(described: tuple[dict[str, Any], ...], choice: Options) -> Tools:
    match choice.type:
        case None | "auto":
            return Tools(described)
        case "none":
            return Tools(described, "none")
        case "any":
            return named(described, "")
        case "tool":
            return named(described, choice.name or "")
    raise Refused(
        "invalid_request_error", 'tool_choice.type must be "auto", "any", "tool" or "none".'
    )
