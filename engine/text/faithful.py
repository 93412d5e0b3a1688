"""Puts generated ids back into the prompt where the template repeats their text."""

from __future__ import annotations

import codecs
import re
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import accumulate

from engine.message import Message
from engine.text.control_tokens import PromptText
from engine.text.layout import Place
from engine.text.pieces import Piece
from engine.text.prompt_tokens import RawSpan
from engine.text.think_splitter import CLOSE_TAG, OPEN_TAG
from engine.text.token_bytes import TokenBytes


@dataclass(frozen=True, slots=True)
class Faithful:
    """Which ids could be put back.

    Attributes:
        raw: spans of the prompt text and their ids, in order.
        edited: messages whose content differs from their ids.
        missed: (message, ids) of visible ids without a place.
    """

    raw: tuple[RawSpan, ...]
    edited: tuple[int, ...]
    missed: tuple[tuple[int, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class _Generated:
    """Generated ids, their text, and for each id how many characters are complete after it."""

    ids: tuple[int, ...]
    text: str
    ends: tuple[int, ...]

    def cut(self, start: int, end: int) -> _Generated | None:
        """The ids of text[start:end]; None if a token straddles either border."""
        first = bisect_right(self.ends, start) if start else 0
        last = bisect_right(self.ends, end)
        if first >= last or (start and self.ends[first - 1] != start) or self.ends[last - 1] != end:
            return None
        ends = tuple(e - start for e in self.ends[first:last])
        return _Generated(self.ids[first:last], self.text[start:end], ends)


class FaithfulTokens:
    """Puts ids back; caches the decoded ids of recent messages."""

    def __init__(self, token_bytes: TokenBytes) -> None:
        self._bytes = token_bytes
        self._read = lru_cache(maxsize=512)(partial(_read, token_bytes))

    def put_back(
        self, messages: Sequence[Message], text: PromptText, places: Sequence[Place] | None
    ) -> Faithful:
        """Find the place of every assistant message's ids in the prompt `text`.

        `places` None means that the layout is unknown: then nothing is put back.
        """
        raw: list[RawSpan] = []
        edited: list[int] = []
        missed: list[tuple[int, tuple[int, ...]]] = []
        for index, message in enumerate(messages):
            if message.role != "assistant" or not message.token_ids:
                continue
            visible = self._visible(message)
            if visible is None:
                edited.append(index)
                continue
            start = raw[-1].end if raw else 0
            parts = _parts(self._read(message.token_ids), message)
            span = _locate(parts, text, places, index, start)
            if span is not None:
                raw.append(span)
            elif visible:
                missed.append((index, visible))
        return Faithful(tuple(raw), tuple(edited), tuple(missed))

    def _visible(self, message: Message) -> tuple[int, ...] | None:
        """The ids of the answer alone, as far as separable; None if it was edited."""
        shown = [i for i in message.token_ids if i not in self._bytes.special]
        content = message.content.strip()
        # Earlier versions showed a character that was only begun.
        half = content.endswith("\ufffd")
        text = self._bytes.text(shown, half=half)
        thought = text.strip().removeprefix(OPEN_TAG).strip()
        if not content and not message.tool_calls and thought == message.thinking.strip():
            # Stopped while still thinking: no part of it was an answer.
            return ()
        if _answer_start(text, message) is None:
            return None
        parts = _parts(self._read(message.token_ids), message)
        return parts[-1].ids if parts else message.token_ids


def contains(ids: Sequence[int], part: Sequence[int]) -> bool:
    """Whether `part` occurs in `ids` verbatim."""
    haystack, needle = array("q", ids).tobytes(), array("q", part).tobytes()
    at = haystack.find(needle)
    while at >= 0 and at % 8:
        at = haystack.find(needle, at + 1)
    return at >= 0


def _locate(
    parts: Sequence[_Generated],
    text: PromptText,
    places: Sequence[Place] | None,
    index: int,
    start: int,
) -> RawSpan | None:
    """All of the generation if its thinking is repeated too, else its answer alone."""
    body = places[index].body if places is not None else None
    if places is None or body is None:
        return None
    later = (place.body[0] for place in places[index + 1 :] if place.body is not None)
    limit = next(later, len(text.plain))
    start = max(start, places[index].start)
    for part in parts:
        # It must cover every text of the message, or part of it would appear twice.
        at = text.plain.find(part.text, max(start, body[1] - len(part.text)), limit)
        end = at + len(part.text)
        if 0 <= at <= body[0] and not (text.divides_token(at) or text.divides_token(end)):
            return RawSpan(at, end, Piece(part.ids, part.ends))
    return None


def _parts(generated: _Generated | None, message: Message) -> list[_Generated]:
    """The parts of a generation that a template may repeat, longest first."""
    if generated is None:
        return []
    text = generated.text
    end = len(text.rstrip())
    answer = _answer_start(text, message)
    if answer is None:
        answer = _answer_starts(text)[-1]
    start = answer + len(text[answer:]) - len(text[answer:].lstrip())
    parts = [(0, len(text)), (0, end), (start, len(text)), (start, end)]
    cuts = [generated.cut(first, last) for first, last in dict.fromkeys(parts) if first < last]
    return [part for part in cuts if part is not None]


def _answer_start(text: str, message: Message) -> int | None:
    """Where the answer starts in a generation; None if the message differs."""
    content = message.content.strip()
    for start in reversed(_answer_starts(text)):
        answer = text[start:].strip()
        if answer.startswith(content) if message.tool_calls else answer == content:
            return start
    return None


def _answer_starts(text: str) -> list[int]:
    """Where an answer may start: thinking and answers may both spell out the closing tag."""
    return [0, *(match.end() for match in re.finditer(re.escape(CLOSE_TAG), text))]


def _read(token_bytes: TokenBytes, ids: tuple[int, ...]) -> _Generated | None:
    """None if the ids do not decode to characters; the last one may be incomplete."""
    pieces = [token_bytes[token_id] for token_id in ids]
    data = b"".join(pieces)
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(data)
    except UnicodeDecodeError:
        return None
    sizes = accumulate(map(len, pieces))
    if len(text) == len(data):
        return _Generated(ids, text, tuple(sizes))
    # A token that ends inside a character is complete only with that character.
    complete = [0]
    for char in text:
        complete += [complete[-1] + 1] * len(char.encode())
    # An answer may be cut inside a character.
    complete += [complete[-1]] * (len(data) + 1 - len(complete))
    return _Generated(ids, text, tuple(complete[size] for size in sizes))
