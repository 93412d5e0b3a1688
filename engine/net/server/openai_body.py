"""Parses the bodies of /v1/chat/completions and /v1/completions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

import msgspec

from engine.field_check import is_whole, misfit
from engine.message import Message
from engine.net.server.asked import Asked, Tools
from engine.net.server.fields import check_fields, unsupported
from engine.net.server.formats import format_of
from engine.net.server.problem import Refused, wrong
from engine.net.wire import (
    MOST_ANSWERS,
    Body,
    Call,
    ChatBody,
    ChatMessage,
    Content,
    Function,
    Sampling,
    TextBody,
)

T = TypeVar("T")
TEXT_PARTS = (None, "text", "input_text", "output_text", "refusal")
# Sent for "no limit".
_LIMITS = ("max_tokens", "max_completion_tokens", "n_predict")
NO_PARAMETERS: dict[str, Any] = {"type": "object", "properties": {}}


def read(given: object, shape: type[T], path: str = "") -> T:
    """Decode a body, or a part of one that sentences call `path`. Raises Refused."""
    if not path and isinstance(given, dict):
        check_fields(given, shape.__struct_fields__)  # type: ignore[attr-defined]
        # Some clients write 20.0.
        given = {
            name: int(value) if isinstance(value, float) and value.is_integer() else value
            for name, value in given.items()
            if not (name in _LIMITS and value == -1)
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
    messages = in_order(_message(*one) for one in each(body.messages, ChatMessage, "messages"))
    if not messages:
        raise wrong("messages", "messages is empty: send at least one message.")
    if body.top_logprobs and not body.logprobs:
        raise wrong("top_logprobs", "top_logprobs needs logprobs to be true.")
    scores = body.top_logprobs or 0 if body.logprobs else body.n_probs or None
    most = body.max_completion_tokens or body.max_tokens or body.n_predict
    return Asked(
        messages=tuple(messages),
        sampling=sampling_of(body, most, scores),
        tools=tools_of(body),
        format=format_of(body, body.response_format, "response_format"),
        thinking=_thinking(body),
        keeps_thinking=_stated(body, "preserve_thinking"),
        stream=bool(body.stream),
        include_usage=_includes_usage(body),
        prediction=text_of(body.prediction.content, "prediction.content")
        if body.prediction
        else "",
        n=body.n or 1,
    )


def _thinking(body: ChatBody) -> bool | None:
    for name in body.chat_template_kwargs or ():
        if name not in ("enable_thinking", "preserve_thinking"):
            raise unsupported(name, "chat_template_kwargs")
    stated = _stated(body, "enable_thinking")
    kind = body.thinking and body.thinking.type
    for said in (stated, body.enable_thinking, kind and kind != "disabled"):
        if said is not None:
            return bool(said)
    return thinking_by(body.reasoning_effort)


def _stated(body: ChatBody, name: str) -> bool | None:
    """A field of `chat_template_kwargs`; `preserve_thinking` is what newer templates call it."""
    stated = (body.chat_template_kwargs or {}).get(name)
    if stated is not None and not isinstance(stated, bool):
        param = f"chat_template_kwargs.{name}"
        raise wrong(param, f"{param} must be true or false.")
    return stated


def completion_asked(given: dict[str, Any]) -> Asked:
    """A body of /v1/completions: texts that the model continues as they are. Raises Refused."""
    body = read(given, TextBody)
    prompts = _prompts(body.prompt)
    if len(prompts) * (body.n or 1) > MOST_ANSWERS:
        raise wrong("prompt", f"prompt and n ask for more than {MOST_ANSWERS} answers.")
    scores = body.n_probs or None if body.logprobs is None else body.logprobs
    if body.echo and scores is not None:
        raise wrong(
            "echo", "Biplane does not report the probabilities of a prompt: leave echo out."
        )
    return Asked(
        prompts=prompts,
        sampling=sampling_of(body, body.max_tokens or body.n_predict, scores),
        stream=bool(body.stream),
        include_usage=_includes_usage(body),
        n=body.n or 1,
        format=format_of(body, body.response_format, "response_format"),
        echo=bool(body.echo),
    )


def _includes_usage(body: ChatBody | TextBody) -> bool:
    return body.stream_options is not None and bool(body.stream_options.include_usage)


def sampling_of(body: Sampling, most: int | None, scores: int | None = None) -> dict[str, object]:
    """The sampling options in the body.

    Args:
        most: maximum tokens of the answer.
        scores: how many of the likeliest tokens to report; None: not even the one that was drawn.
    """
    found = {name: getattr(body, name) for name in Sampling.__struct_fields__} | {
        "seed": None if body.seed == -1 else body.seed,
        "top_k": body.top_k and max(body.top_k, 0),
        "repetition_penalty": body.repetition_penalty or body.repeat_penalty,
        "logit_bias": _biases(body.logit_bias),
        "stop_ids": None if body.stop_token_ids is None else tuple(body.stop_token_ids),
        "ignore_end": body.ignore_eos,
        "max_tokens": most,
        "stop": stops_of(body.stop, "stop") or None,
        "scores": scores,
    }
    return {name: value for name, value in found.items() if value is not None}


def _biases(given: dict[str, Any] | list[Any] | None) -> tuple[tuple[int, float], ...] | None:
    pairs = given.items() if isinstance(given, dict) else given or ()
    found: dict[int, float] = {}
    for pair in pairs:
        match pair:
            case (str() | int() as token, False) if str(token).isdecimal():
                found[int(token)] = -100.0
            case (str() | int() as token, int() | float() as bias) if (
                str(token).isdecimal() and -100 <= bias <= 100
            ):
                found[int(token)] = float(bias)
            case _:
                raise wrong(
                    "logit_bias", "logit_bias must hold numbers from -100 to 100 by token id."
                )
    return tuple(found.items()) or None


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
    offered = Offered()
    for at, tool in enumerate(body.tools or ()):
        # Agents also send kinds that only other servers support; omit those.
        if (tool.get("type") or default) == "function":
            path, inner = f"tools[{at}]", tool.get("function")
            path, inner = (path, tool) if inner is None else (f"{path}.function", inner)
            function = read(inner, Function, path)
            schema = function.parameters
            offered.add(function, NO_PARAMETERS if schema is None else schema, f"{path}.parameters")
    chosen = _chosen(tuple(offered.described), body.tool_choice)
    return offered.tools(chosen, body.parallel_tool_calls)


class Offered:
    """Collects the tools of a body.

    Attributes:
        described: in the form the template takes.
    """

    def __init__(self) -> None:
        self.described: list[dict[str, Any]] = []
        self._paths: list[str] = []
        self._strict: set[str] = set()

    def add(self, tool: Function, schema: dict[str, Any], path: str) -> None:
        """`path`: of the schema in the body."""
        self.described.append(described_tool(tool, schema))
        self._paths.append(path)
        if tool.strict:
            self._strict.add(tool.name)

    def tools(self, chosen: Tools, several: bool | None) -> Tools:
        """All of them; `chosen` says which may be called."""
        return replace(
            chosen, several=several, strict=frozenset(self._strict), paths=tuple(self._paths)
        )


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
    return "".join(
        (part.refusal if part.type == "refusal" else part.text) or "" for part in content or ()
    )


def not_text(kind: str, path: str) -> Refused:
    """The error for a part of a content that is not text."""
    return wrong(f"{path}.type", f"{path}.type is {kind[:40]!r}, but Biplane reads only text.")


def _prompts(given: str | list[Any] | None) -> tuple[str | tuple[int, ...], ...]:
    """One text, a list of token ids, or a list of either."""
    several = isinstance(given, list) and not (given and is_whole(given[0]))
    prompts = given if several else [given]
    assert isinstance(prompts, list)
    if not prompts:
        raise wrong("prompt", "prompt is empty: send a text, or token ids.")
    return tuple(
        _raw(one, f"prompt[{at}]" if several else "prompt") for at, one in enumerate(prompts)
    )


def _raw(prompt: object, path: str) -> str | tuple[int, ...]:
    if isinstance(prompt, str) and prompt:
        return prompt
    if isinstance(prompt, list) and prompt and all(is_whole(one) and one >= 0 for one in prompt):
        return tuple(prompt)
    raise wrong(path, f"{path} must be a text or a list of token ids, and not be empty.")
