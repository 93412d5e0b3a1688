"""Puts the ids a model generated back into the prompt where the template repeats their text."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import accumulate

from engine.message import Message
from engine.text.layout import Place
from engine.text.pieces import Piece
from engine.text.prompt_tokens import RawSpan
from engine.text.think_splitter import CLOSE_TAG, OPEN_TAG
from engine.text.token_bytes import TokenBytes


@dataclass(frozen=True, slots=True)
class Faithful:
    """What could be put back.

    Attributes:
        raw: spans of the prompt text and their ids, in order.
        edited: messages whose content is not what their ids say.
        missed: (message, ids) of visible ids that found no place.
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
        """The ids of text[start:end]; None where a token straddles either border."""
        first = bisect_right(self.ends, start) if start else 0
        last = bisect_right(self.ends, end)
        if first >= last or (start and self.ends[first - 1] != start) or self.ends[last - 1] != end:
            return None
        ends = tuple(e - start for e in self.ends[first:last])
        return _Generated(self.ids[first:last], self.text[start:end], ends)


class FaithfulTokens:
    """Puts ids back; remembers how it read the ids of recent messages."""

    def __init__(self, token_bytes: TokenBytes) -> None:
        self._bytes = token_bytes
        self._read = lru_cache(maxsize=512)(partial(_read, token_bytes))

    def put_back(
        self, messages: Sequence[Message], text: str, places: Sequence[Place] | None
    ) -> Faithful:
        """Finds the place of every assistant message's ids in the prompt `text`.

        `places` None means that the layout is not known: then nothing is put back.
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
            generated = self._read(message.token_ids)
            span = _locate(generated, text, places, index, start) if generated else None
            if span is not None:
                raw.append(span)
            elif visible:
                missed.append((index, visible))
        return Faithful(tuple(raw), tuple(edited), tuple(missed))

    def _read(token_bytes: TokenBytes, ids: tuple[int, ...]) -> _Generated | None:
    """None where the ids do not spell whole characters."""
    pieces = [token_bytes[token_id] for token_id in ids]
    data = b"".join(pieces)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    if len(text) == len(data):
        return _Generated(ids, text, tuple(accumulate(map(len, pieces))))
    # A token that ends inside a character is complete only with that character.
    complete = [0]
    for char in text:
        width = len(char.encode())
        complete += [complete[-1] + 1] * width
    ends = tuple(complete[at] for at in accumulate(map(len, pieces)))
    return _Generated(ids, text, ends)
