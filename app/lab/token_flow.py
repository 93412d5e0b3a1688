"""Tokens as a flowing text: where each stands, which make a word, where one is found. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

Span = tuple[int, int]
# As many as the engine takes for a needle.
MOST_TOKENS = 16


@dataclass(frozen=True, slots=True)
class Place:
    """Where a token stands: its line, and its left edge and width in pixels."""

    line: int
    left: float
    width: float


def flow(texts: Sequence[str], widths: Sequence[float], room: float) -> tuple[Place, ...]:
    """Lines of at most `room` pixels; a line break in a token ends its line."""
    places, line, left = [], 0, 0.0
    for text, width in zip(texts, widths, strict=True):
        if left and left + width > room:
            line, left = line + 1, 0.0
        places.append(Place(line, left, min(width, room)))
        left += width
        if "\n" in text:
            line, left = line + 1, 0.0
    return tuple(places)


def word_at(texts: Sequence[str], index: int) -> Span:
    """The tokens of the word that a token is part of; a token without letters is alone."""
    if not _inside(texts[index]):
        return index, index + 1
    first, end = index, index + 1
    while first > 0 and _goes_on(texts[first]) and _inside(texts[first - 1]):
        first -= 1
    while end < len(texts) and _goes_on(texts[end]):
        end += 1
    return max(first, index - MOST_TOKENS // 2), min(end, max(first, index) + MOST_TOKENS // 2)


def find(texts: Sequence[str], wanted: str, after: int) -> Span | None:
    """The next tokens that hold a text, in any case, beginning after a token; None if none do.

    Goes on at the beginning. What needs more tokens than a needle may have is not found.
    """
    found = occurrences(texts, wanted)
    later = [span for span in found if span[0] > after]
    return next(iter(later or found), None)


def occurrences(texts: Sequence[str], wanted: str) -> list[Span]:
    """All tokens that hold a text, in any case, and not too many to be a needle."""
    wanted = wanted.strip().lower()
    if not wanted:
        return []
    whole = "".join(texts).lower()
    ends = list(accumulate(len(text.lower()) for text in texts))
    found: list[Span] = []
    at = whole.find(wanted)
    while at >= 0:
        first = next(i for i, end in enumerate(ends) if end > at)
        last = next(i for i, end in enumerate(ends) if end >= at + len(wanted))
        if last + 1 - first <= MOST_TOKENS:
            found.append((first, last + 1))
        at = whole.find(wanted, at + 1)
    return found


def _inside(text: str) -> bool:
    """It ends inside a word."""
    return bool(text) and text[-1].isalnum()


def _goes_on(text: str) -> bool:
    """It continues the word before it."""
    return bool(text) and text[0].isalnum() and text.isalnum()
