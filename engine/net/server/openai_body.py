"""Parses the bodies of /v1/chat/completions and /v1/completions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

import msgspec

from engine.field_check import is_whole, misfit
from engine.message import Message
from engine.net.server.asked import Asked, Tools
from engine.net.server.problem import Refused, wrong
from engine.net.wire import (
    Body,
    Call,
    ChatBody,
    ChatMessage,
    Content,
    Function,
    Sampling,
)

T = TypeVar("T")
TEXT_PARTS = (None, "text", "input_text", "output_text", "refusal")
ONE_ANSWER = (
    "Biplane writes one answer at a time: leave {name} out or send 1, and ask again for more."
)
NO_SCORES = "Biplane does not report the probabilities of tokens: leave {name} out."
# Unsupported options are refused, not ignored.
REFUSED = {
    "logprobs": NO_SCORES,
    "top_logprobs": NO_SCORES,
    "logit_bias": "Biplane cannot favour single tokens: leave {name} out.",
    "frequency_penalty": "Biplane has no {name}: use presence_penalty or repetition_penalty.",
}
REFUSED_OF_TEXT = {
    "suffix": "Biplane cannot write into the middle of a text: leave {name} out.",
    "echo": "Biplane does not repeat the prompt: leave {name} out.",
}
NO_PARAMETERS: dict[str, Any] = {"type": "object", "properties": {}}


def read(given: object, shape: type[T], path: str = "") -> T:
    """Decode a body, or a part of one that sentences call `path`. Raises Refused."""
    if not path and isinstance(given, dict):
        # Some clients write 20.0.
        given = {
            name: int(value) if isinstance(value, float) and value.is_integer() else value
            for name, value in given.items()
        }
    try:
        return msgspec.convert(given, shape)
    except msgspec.ValidationError as error:
        param, clause = misfit(error, path)
        raise wrong(param, f"{param} {clause}.") from None


def each(given: list[Any] | None, shape: type[T], path: str) -> Iterator[tuple[str, T]]:
    """The items of a list with their paths, one by one, so that other threads run in between."""
    for at, item in enumerate(given or ()):
        yield f"{path}[{at}]", read(item, shape, f"{path}[{at}]")


def chat_asked(given: dict[str, Any]) -> Asked:
    """A body of /v1/chat/completions. Raises Refused."""
    body = read(given, ChatBody)
    _refuse(given, REFUSED, "n")
    messages = in_order(_message(*one) for one in each(body.messages, ChatMessage, "messages"))
    if not messages:
        raise wrong("messages", "messages is empty: send at least one message.")
    template = body.chat_template_kwargs
    thinking = template.enable_thinking if template else None
    return Asked(
        messages=tuple(messages),
        sampling=sampling_of(body, body.max_completion_tokens or body.max_tokens),
        tools=tools_of(body),
        thinking=thinking_by(body.reasoning_effort) if thinking is None else thinking,
        stream=bool(body.stream),
        include_usage=_includes_usage(body),
        prediction=text_of(body.prediction.content, "prediction.content")
        if body.prediction
        else "",
    )


def completion_asked(given: dict[str, Any]) -> Asked:
    """A body of /v1/completions: text that the model continues as it is. Raises Refused."""
    body = read(given, ChatBody)
    _refuse(given, REFUSED | REFUSED_OF_TEXT, "n", "best_of")
    return Asked(
        raw=_raw(body.prompt),
        sampling=sampling_of(body, body.max_tokens),
        stream=bool(body.stream),
        include_usage=_includes_usage(body),
    )


def _includes_usage(body: ChatBody) -> bool:
    return body.stream_options is not None and bool(body.stream_options.include_usage)


def sampling_of(body: Sampling, most: int | None) -> dict[str, object]:
    """The sampling options in the body; `most`: maximum tokens of the answer."""
    found = {name: getattr(body, name) for name in Sampling.__struct_fields__} | {
        "seed": body.seed and abs(body.seed),
        "top_k": body.top_k and max(body.top_k, 0),
        "max_tokens": most,
        "stop": stops_of(body.stop, "stop") or None,
    }
    return {name: value for name, value in found.items() if value is not None}


def stops_of(given: str | list[Any] | None, path: str) -> tuple[str, ...]:
    """Stop strings: one, or a list of them."""
    stops = [given] if isinstance(given, str) else given or []
    if not all(isinstance(one, str) for one in stops):
        raise wrong(path, f"{path} must be a string or a list of strings.")
    return tuple(filter(None, stops))


def thinking_by(effort: str | None) -> bool | None:
    """Whether the model is to think, from OpenAI's reasoning effort."""
    return effort not in ("none", "minimal") if effort else None


def tools_of(body: Body, default: str = "function") -> Tools:
    """The tools and which of them may be called; `default`: the type of a tool without one."""
    described = []
    for at, tool in enumerate(body.tools or ()):
        # Agents also send kinds that only other servers support; omit those.
        if (tool.get("type") or default) == "function":
            path, inner = f"tools[{at}]", tool.get("function")
            path, inner = (path, tool) if inner is None else (f"{path}.function", inner)
            function = read(inner, Function, path)
            schema = function.parameters
            described.append(described_tool(function, NO_PARAMETERS if schema is None else schema))
    return _chosen(tuple(described), body.tool_choice)


def described_tool(tool: Function, schema: dict[str, Any]) -> dict[str, Any]:
    """A tool in the form the template takes."""
    function = {"name": tool.name, "description": tool.description or "", "parameters": schema}
    return {"type": "function", "function": function}


def _chosen(described: tuple[dict[str, Any], ...], choice: object) -> Tools:
    """`tool_choice` in OpenAI's forms. Raises Refused."""
    match choice:
        case None | "auto":
            return Tools(described)
        case "none":
            return Tools(described, "none")
        case "required":
            return named(described, "")
        case {"function": {"name": str(name)}} | {"name": str(name)} if name:
            return named(described, name)
    raise wrong(
        "tool_choice", 'tool_choice must be "none", "auto", "required", or name a function.'
    )


def named(described: tuple[dict[str, Any], ...], name: str) -> Tools:
    """Force a call of one tool or ("") any. Raises Refused."""
    if not described:
        raise wrong("tool_choice", "tool_choice asks for a call, but the request offers no tool.")
    if name and all(tool["function"]["name"] != name for tool in described):
        raise wrong("tool_choice", "tool_choice names a tool that the request does not offer.")
    return Tools(described, "named" if name else "required", name)


def in_order(messages: Iterable[Message]) -> list[Message]:
    """Merge leading system messages; later ones, which templates refuse, become user messages."""
    system: list[str] = []
    found: list[Message] = []
    for message in messages:
        if message.role != "system":
            found.append(message)
        elif found:
            found.append(Message("user", message.content))
        else:
            system.append(message.content)
    return [Message("system", "\n\n".join(system)), *found] if system else found


def _message(path: str, said: ChatMessage) -> Message:
    text = text_of(said.content, f"{path}.content")
    match said.role:
        case "system" | "developer":
            return Message("system", text)
        case "user":
            return Message("user", text)
        case "tool" | "function":
            return Message("tool", text)
        case "assistant":
            calls = tuple(called(one.function) for one in said.tool_calls or ())
            return Message("assistant", text, said.reasoning_content or said.reasoning or "", calls)
    raise wrong(f"{path}.role", f'{path}.role must be "system", "user", "assistant" or "tool".')


def called(call: Call) -> dict[str, Any]:
    """A call in the form the template takes."""
    return {"name": call.name, "arguments": arguments_of(call.arguments)}


def arguments_of(given: object) -> dict[str, Any]:
    """A call's arguments; anything but a JSON object is wrapped under a name of its own."""
    if isinstance(given, dict):
        return given
    if given is None or given == "":
        return {}
    try:
        value = json.loads(given) if isinstance(given, str) else given
    except (ValueError, RecursionError):
        value = given
    return value if isinstance(value, dict) else {"arguments": value}


def text_of(content: Content, path: str) -> str:
    """A content: a string, or a list of text parts. Raises Refused."""
    if isinstance(content, str):
        return content
    for at, part in enumerate(content or ()):
        if part.type not in TEXT_PARTS:
            raise not_text(part.type, f"{path}[{at}]")
    return "\n".join(
        (part.refusal if part.type == "refusal" else part.text) or "" for part in content or ()
    )


def not_text(kind: str, path: str) -> Refused:
    """The error for a part of a content that is not text."""
    return wrong(f"{path}.type", f"{path}.type is {kind[:40]!r}, but Biplane reads only text.")


def _raw(prompt: str | list[Any] | None) -> str | tuple[int, ...]:
    if isinstance(prompt, list) and len(prompt) == 1 and not is_whole(prompt[0]):
        prompt = prompt[0]
    if isinstance(prompt, str) and prompt:
        return prompt
    if isinstance(prompt, list) and prompt and all(is_whole(one) and one >= 0 for one in prompt):
        return tuple(prompt)
    raise wrong("prompt", "prompt must be one text, or one list of token ids, and not be empty.")


def _refuse(given: dict[str, Any], sentences: dict[str, str], *counts: str) -> None:
    """Raises Refused if a field requests something unsupported; `counts`: of answers."""
    sentences = sentences | {name: ONE_ANSWER for name in counts if given.get(name) != 1}
    for name, sentence in sentences.items():
        if given.get(name):
            raise wrong(name, sentence.format(name=name))
    form = given.get("response_format")
    if form and (form.get("type") or "text") != "text":
        raise wrong(
            "response_format",
            "Biplane cannot force a format on the answer: leave response_format out and ask for "
            "the format in the prompt.",
        )
