"""Neutral texts, to find what a template writes regardless of its input.

Some templates compose their control tokens from pieces, such as `<|` and a role. In the output
those are plain letters, like what a user pasted. Only those that the template also writes around
texts without any letters are its own.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any

from engine.errors import PromptError
from engine.message import Message, PromptOptions
from engine.text.control_tokens import is_encodable
from engine.text.template import TOO_DEEP

_SAID = re.compile(r"\S+")
# A noncharacter, which no control token contains.
_NOTHING = "\ufdd0"
# The keys by which templates navigate a tool.
_FORM = frozenset({"type", "function", "name", "description", "parameters"})


def refuse_halves(messages: Iterable[Message], options: PromptOptions) -> None:
    """Raises PromptError if a text cannot be encoded, or is nested too deeply."""
    try:
        said = [[m.role, m.content, m.thinking, m.tool_calls] for m in messages]
        if not all(map(is_encodable, chain(_texts(said), _texts(options.tools)))):
            raise PromptError(
                "The conversation contains half of a surrogate pair; delete it and try again."
            )
    except RecursionError:
        raise PromptError(TOO_DEEP) from None


def neutral_message(message: Message) -> Message:
    """A message of the same length without any of its letters."""
    # Field names are the program's own.
    calls = tuple({k: _neutral(v) for k, v in call.items()} for call in message.tool_calls)
    return replace(
        message,
        content=_neutral(message.content),
        thinking=_neutral(message.thinking),
        tool_calls=calls,
    )


def neutral_options(options: PromptOptions) -> PromptOptions:
    """Options with tools of the same form, without any of their texts."""
    return replace(options, tools=tuple(_neutral(tool, _FORM) for tool in options.tools))


def _neutral(value: Any, kept: Container[str] = ()) -> Any:
    if isinstance(value, str):
        return value if value in kept else _SAID.sub(lambda word: _NOTHING * len(word[0]), value)
    if isinstance(value, Mapping):
        return {_neutral(name, kept): _neutral(part, kept) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_neutral(part, kept) for part in value]
    return value


def _texts(value: Any) -> Iterator[str]:
    """Every text in a nested value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, part in value.items():
            yield from _texts(name)
            yield from _texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)
