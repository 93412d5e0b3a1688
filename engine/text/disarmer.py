"""Disarms texts for one rendering, so that user text is never read as a control token.

The template is given texts with stand-ins, characters that do not occur in the conversation, for
the characters that control tokens begin and end with. So the template itself sees no marker in a
text either (some split answers at `</think>`), and whatever it cuts out of a text, or puts together
from pieces of it, makes none. What could still become one next to other text, as `think` in a
template's `<` and `>`, is broken by a guard, one more such character. In the template's output the
stand-ins become again what they stand for, and the guards nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from engine.errors import PromptError
from engine.message import Message, PromptOptions
from engine.text.control_tokens import is_encodable

# Unicode's private-use characters, noncharacters first: no text should contain those.
_UNUSED = [chr(code) for code in chain(range(0xFDD0, 0xFDF0), range(0xE000, 0xF900))]
_TOO_DEEP = "A tool or a tool call is nested too deeply."


class Markers:
    """Finds where a text contains, starts or ends a control token, without a conversation.

    Attributes:
        edges: the characters at the ends of control tokens, letters, digits and blanks left out.
    """

    def __init__(self, contents: Sequence[str]) -> None:
        """`contents` are the texts of the control tokens, longest first."""
        self.edges = sorted({edge for content in contents for edge in _edges(content)})
        # In either case, since a template may change the case.
        self._any = re.compile("|".join(map(re.escape, contents)) or "(?!)", re.IGNORECASE)
        # A lookahead, so that overlapping markers are both found.
        self._each = re.compile(f"(?={self._any.pattern})", re.IGNORECASE)
        lower = [content.lower() for content in contents]
        self._heads = {content[:k] for content in lower for k in range(1, len(content))}
        self._tails = {content[k:] for content in lower for k in range(1, len(content))}
        self._inside = "\n".join(content[1:-1] for content in lower)
        self._longest = max(map(len, contents), default=0)
        self._first = {content[0] for content in lower}
        self._last = {content[-1] for content in lower}

    def breaks(self, text: str, whole: bool = False) -> list[int]:
        """The positions that need a guard, in order.

        `whole`: also where all of `text` could be in the middle of a control token, as short words
        can.
        """
        core = text.strip()
        if not core or not self._longest:
            return []
        start = text.index(core[0])
        end = start + len(core)
        longest = min(self._longest - 1, len(core))
        found = set()
        if self._any.search(text):
            found = {match.start() + 1 for match in self._each.finditer(text)}
        tail = core[len(core) - longest :].lower()
        if any(letter in tail for letter in self._first):
            found |= {end - k + 1 for k in range(1, longest + 1) if tail[-k:] in self._heads}
        head = core[:longest].lower()
        if any(letter in head for letter in self._last):
            found |= {start for k in range(1, longest + 1) if head[:k] in self._tails}
        if whole and longest == len(core) and head in self._inside:
            found.add(start)
        return sorted(found)


class Disarmer:
    """Disarms the texts of one conversation and of its probes.

    Attributes:
        stand_ins: what the characters that only the template sees stand for; "" for the guard.
        options: the template's inputs besides the messages.
    """

    def __init__(
        self, markers: Markers, messages: Sequence[Message], options: PromptOptions
    ) -> None:
        """Raises PromptError if a text cannot be encoded."""
        self._breaks = markers.breaks
        self.stand_ins: dict[str, str] = {}
        self._guard = ""
        try:
            self._choose(markers.edges, messages, options)
            self.options = self._harmless(options)
        except RecursionError:
            raise PromptError(_TOO_DEEP) from None

    def message(self, message: Message) -> Message:
        """The message as passed to the template."""
        if not self.stand_ins:
            return message
        try:
            calls = tuple(map(self._call, message.tool_calls))
        except RecursionError:
            raise PromptError(_TOO_DEEP) from None
        return replace(
            message,
            content=self._text(message.content, True),
            thinking=self._text(message.thinking, True),
            tool_calls=calls,
        )

    def _choose(
        self, edges: Iterable[str], messages: Sequence[Message], options: PromptOptions
    ) -> None:
        """Choose the characters that the template is given, as many as are needed."""
        names = list(_texts([[m.role, *map(list, m.tool_calls)] for m in messages]))
        words = list(_texts(options.tools))
        texts = list(_texts([_said(message) for message in messages]))
        if not all(map(is_encodable, chain(names, words, texts))):
            raise PromptError(
                "The conversation contains half of a surrogate pair; delete it and try again."
            )
        unused = _unused([*words, *texts])
        for edge in edges:
            if any(edge in text for text in chain(words, texts)):
                self.stand_ins[next(unused)] = edge
        shown = map(self._replaced, texts)
        if any(map(self._breaks, map(self._replaced, words))) or any(
            self._breaks(text, whole=True) for text in shown
        ):
            self._guard = next(unused)
            self.stand_ins[self._guard] = ""

    def _harmless(self, options: PromptOptions) -> PromptOptions:
        if not self.stand_ins:
            return options
        # Templates compare words of a schema ("object", "array"), so those stay intact.
        return replace(options, tools=tuple(self._value(tool, False) for tool in options.tools))

    def _call(self, call: Mapping[str, Any]) -> dict[str, Any]:
        # Field names are the program's own.
        return {field: self._value(value, True) for field, value in call.items()}

    def _value(self, value: Any, whole: bool) -> Any:
        if isinstance(value, str):
            return self._text(value, whole)
        if isinstance(value, Mapping):
            return {self._value(k, whole): self._value(v, whole) for k, v in value.items()}
        if isinstance(value, list | tuple):
            parts = [self._value(part, whole) for part in value]
            return parts if isinstance(value, list) else tuple(parts)
        return value

    def _text(self, text: str, whole: bool) -> str:
        text = self._replaced(text)
        breaks = self._breaks(text, whole) if self._guard else ()
        parts = [text[a:b] for a, b in zip([0, *breaks], [*breaks, len(text)], strict=True)]
        return self._guard.join(parts)

    def _replaced(self, text: str) -> str:
        for stand_in, edge in self.stand_ins.items():
            if edge:
                text = text.replace(edge, stand_in)
        return text


def _edges(content: str) -> Iterator[str]:
    """The characters of a control token that text is not given with: its ends, or all there are."""
    marks = [letter for letter in content if not (letter.isalnum() or letter.isspace())]
    ends = [letter for letter in (content[0], content[-1]) if letter in marks]
    return iter(ends or marks)


def _unused(texts: Sequence[str]) -> Iterator[str]:
    """Characters that no text contains, not even escaped as JSON or Python would.

    Raises PromptError if there are no more.
    """
    for one in _UNUSED:
        if not any(one in text or ascii(one)[1:-1] in text for text in texts):
            yield one
    raise PromptError("The conversation uses every private-use character; delete some of them.")


def _said(message: Message) -> list[Any]:
    """Everything in a message except its field names."""
    return [message.content, message.thinking, *(list(c.values()) for c in message.tool_calls)]


def _texts(value: Any) -> Iterator[str]:
    """Every text in a nested value."""
    if isinstance(value, str):
        if value:
            yield value
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from _texts(key)
            yield from _texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)
