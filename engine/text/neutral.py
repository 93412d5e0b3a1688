"""Texts that say nothing, for what a template writes whatever it is told.

Some templates put their control tokens together from pieces, as `<|` and a role. Those are in plain
letters when the template has run, as what a person pasted is. Only such that it writes as well
around texts without any letters are its own.
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
# A noncharacter, of which no control token is made.
_NOTHING = "\ufdd0"
# By which templates find their way in a tool.
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
    """As long as the message, without a letter of it."""
    # Field names are the program's own.
    calls = tuple({k: _neutral(v) for k, v in call.items()} for call in message.tool_calls)
    return replace(
        message,
        content=_neutral(message.content),
        thinking=_neutral(message.thinking),
        tool_calls=calls,
    )


def neutral_options(options: PromptOptions) -> PromptOptions:
    """With tools of the same form, without a letter of what they say."""
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
