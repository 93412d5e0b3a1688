"""Finds where a template put each message, by rendering the conversation once with marks.

Every text of a message is replaced by a short private-use mark. If filling the marks in again
yields the real prompt, the place of each text is known exactly; if the template treats marks
differently from text, no place is reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.errors import PromptError
from engine.message import Message

Render = Callable[[Sequence[Message], bool], str]
"""(messages, add_generation_prompt) to sealed text; raises PromptError."""

_MARK = re.compile("\ue0f0([ctn])([0-9]+)\ue0f1")


@dataclass(frozen=True, slots=True)
class MessagePlace:
    """Where message `index` appears, in characters of the prompt.

    Attributes:
        start, end: the whole message with its header and end marker.
        thinking, content: its texts, None if the template omitted them (or they are empty).
        body: from the first to the last of its texts, including a tool call's name.
    """

    index: int
    start: int
    end: int
    thinking: tuple[int, int] | None = None
    content: tuple[int, int] | None = None
    body: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Closings:
    """The text a template puts after the texts of a message ("" if unknown).

    Attributes:
        by_role: after the last text of a message.
        of_thinking: between the thinking and the text of an assistant's last message.
    """

    by_role: dict[str, str]
    of_thinking: str = ""

    @classmethod
    def probe(cls, render: Render) -> Closings:
        """Determine it by rendering tiny conversations."""
        system, user, again = (
            Message(role, _mark("c", n)) for n, role in enumerate(("system", "user", "user"))
        )
        answer = Message("assistant", _mark("c", 3))
        call = replace(answer, content="", tool_calls=({"name": "look", "arguments": {}},))
        tool = Message("tool", _mark("c", 4))
        closings = {
            "user": _after(render, [user]),
            "assistant": _after(render, [user, answer]),
            "tool": _after(render, [user, call, tool]),
        }
        opening = _between(render, [user, answer, again]).removeprefix(closings["assistant"])
        gap = _between(render, [system, user])
        closings["system"] = gap.removesuffix(opening) if gap.endswith(opening) else ""
        thought = replace(answer, thinking=_mark("t", 3))
        return cls(closings, _between(render, [user, thought], "t"))


def find_places(
    render: Render, messages: Sequence[Message], text: str, closings: Closings
) -> list[MessagePlace] | None:
    """The place of every message in `text` (the real prompt), or None if marks mislead."""
    try:
        marked = render([_marked(i, message) for i, message in enumerate(messages)], True)
    except PromptError:
        return None
    found = _match(marked, messages, text)
    if found is None:
        return None
    texts: dict[int, dict[str, tuple[int, int]]] = {}
    for index, kind, span in found:
        texts.setdefault(index, {}).setdefault(kind, span)
    return _bounded(messages, text, texts, closings)


def _bounded(
    messages: Sequence[Message],
    text: str,
    texts: dict[int, dict[str, tuple[int, int]]],
    closings: Closings,
) -> list[MessagePlace]:
    """Place the borders between adjacent messages: after the closing of the earlier one."""
    places: list[MessagePlace] = []
    start = 0
    shown = [index for index in range(len(messages)) if index in texts]
    for index in range(len(messages)):
        spans = texts.get(index)
        if spans is None:
            places.append(MessagePlace(index, start, start))
            continue
        body = (min(a for a, _ in spans.values()), max(b for _, b in spans.values()))
        later = [other for other in shown if other > index]
        following = min(a for a, _ in texts[later[0]].values()) if later else len(text)
        closing = closings.by_role.get(messages[index].role, "")
        gap = text[body[1] : following]
        at = gap.rfind(closing) if messages[index].tool_calls else gap.find(closing)
        end = body[1] + (at + len(closing) if at >= 0 else 0)
        places.append(MessagePlace(index, start, end, spans.get("t"), spans.get("c"), body))
        start = end
    return places


def _match(
    marked: str, messages: Sequence[Message], text: str
) -> list[tuple[int, str, tuple[int, int]]] | None:
    """Match `text` against `marked`; None if they disagree."""
    found = []
    cursor = 0
    literals = _MARK.split(marked)
    if not text.startswith(literals[0]):
        return None
    cursor = len(literals[0])
    for at in range(1, len(literals), 3):
        kind, index, literal = literals[at], int(literals[at + 1]), literals[at + 2]
        for value in _ways(messages, index, kind):
            after = cursor + len(value)
            last = at + 3 >= len(literals)
            if text.startswith(value, cursor) and text.startswith(literal, after):
                if last and after + len(literal) != len(text):
                    continue
                found.append((index, kind, (cursor, after)))
                cursor = after + len(literal)
                break
        else:
            return None
    return found


def _ways(messages: Sequence[Message], index: int, kind: str) -> list[str]:
    """The forms in which templates write a text: verbatim, or trimmed."""
    if index >= len(messages):
        return []
    message = messages[index]
    if kind == "n":
        return [str(call.get("name", "")) for call in message.tool_calls[-1:]]
    value = message.content if kind == "c" else message.thinking
    forms = [value, value.strip(), value.rstrip(), value.lstrip(), value.strip("\n")]
    return list(dict.fromkeys(forms))


def _mark(kind: str, index: int) -> str:
    return f"\ue0f0{kind}{index}\ue0f1"


def _marked(index: int, message: Message) -> Message:
    calls: tuple[dict[str, Any], ...] = message.tool_calls
    if calls:
        calls = (*calls[:-1], {**calls[-1], "name": _mark("n", index)})
    return replace(
        message,
        content=_mark("c", index) if message.content.strip() else message.content,
        thinking=_mark("t", index) if message.thinking.strip() else message.thinking,
        tool_calls=calls,
    )


def _after(render: Render, messages: list[Message]) -> str:
    """The text after the last mark; "" if the template refuses."""
    try:
        return str(_MARK.split(render(messages, False))[-1])
    except PromptError:
        return ""


def _between(render: Render, messages: list[Message], kind: str = "c") -> str:
    """The text before the last mark, up to the previous mark, which is of that kind."""
    try:
        parts = _MARK.split(render(messages, False))
    except PromptError:
        return ""
    return str(parts[-4]) if len(parts) >= 7 and parts[-6] == kind else ""
