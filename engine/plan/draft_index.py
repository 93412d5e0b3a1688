"""Where drafts are read from: what followed the longest ending seen before.

One index over everything that may repeat: the cached paths, a given prediction, and the
conversation itself, which grows by a token at a time. Endings are found by their last three tokens:
those of the past in a sorted array, those of the answer in a dictionary, so that a token costs the
same in a long conversation as in a short one.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from engine.cache.lines import Line
from engine.cache.node import Tokens
from engine.drafted import Source

# Tokens of an ending that is looked up.
ORDER = 3
# Endings are compared so far back; longer ones count as equal.
LONGEST = 64
# Of many places with one ending the last ones are compared.
MOST_PLACES = 16
# Of more tokens in a tier, the most recently used are in the index.
MOST_LINES_TOKENS = 1 << 16
# Wider than any vocabulary: three tokens fit a number of 64 bits.
_SHIFT = 21
MOST_VOCAB = 1 << _SHIFT
_GAP, _KEY = -1, (1 << ORDER * _SHIFT) - 1
# An odd number without pattern, after the golden ratio.
_MIX, _WORD = 0x9E3779B97F4A7C15, (1 << 64) - 1
_NO_ENDINGS = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True)
class Place:
    """A place of the index whose last tokens are those of the conversation.

    Attributes:
        at: of the last of these tokens.
        length: how many are equal, at most LONGEST.
    """

    at: int
    length: int


class DraftIndex:
    """Finds the longest ending of a conversation that was seen before.

    Attributes:
        count: tokens in it, gaps between its parts included; the conversation is the last part.
    """

    def __init__(
        self, tree: Mapping[Source, Sequence[Line]], given: Iterable[Tokens], prompt: Tokens
    ) -> None:
        """tree: the cached paths; given: predictions. Of equal endings the later one counts."""
        gap = np.array([_GAP], np.int32)
        parts: list[Tokens] = []
        self._lines = [(source, line) for source, lines in tree.items() for line in lines]
        for _, line in self._lines:
            parts += (line.tokens, gap)
        # Where each line begins, then the prediction.
        self._starts = [0, *accumulate(len(line.tokens) + 1 for _, line in self._lines)]
        for run in given:
            parts += (run, gap)
        self._begin = sum(map(len, parts))
        parts.append(np.asarray(prompt, np.int32))
        self._tokens = np.concatenate(parts)
        self.count = len(self._tokens)
        self._past = _Endings(self._tokens)
        self._recent: dict[int, list[int]] = {}
        self._key = 0
        for token in self._tokens[max(self._begin, self.count - ORDER) :].tolist():
            self._key = _next_key(self._key, token)

    def append(self, token: int) -> None:
        """The conversation goes on."""
        if self.count == len(self._tokens):
            more = np.empty(max(self.count // 2, 1024), np.int32)
            self._tokens = np.concatenate((self._tokens, more))
        # The newest ending itself is entered with the next token: nothing follows it yet.
        if self.count - self._begin >= ORDER:
            self._recent.setdefault(self._key, []).append(self.count - 1)
        self._tokens[self.count] = token
        self._key = _next_key(self._key, token)
        self.count += 1

    def find(self) -> Place | None:
        """The place of the longest ending, of several the last; None if there is none."""
        if self.count - self._begin < ORDER:
            return None
        places = [*self._past.places(self._key), *self._recent.get(self._key, ())[-MOST_PLACES:]]
        best: Place | None = None
        for at in reversed(places):
            # The end of the prompt is in the sorted array, too.
            if at == self.count - 1 or self._tokens[at + 1] == _GAP:
                continue
            length = self._common(at)
            if length >= ORDER and (best is None or length > best.length):
                best = Place(at, length)
                if length == LONGEST:
                    break
        return best

    def next(self, place: Place) -> Place | None:
        """The place after one whose next token the conversation went on with."""
        at = place.at + 1
        if at + 1 >= self.count or self._tokens[at + 1] == _GAP:
            return self.find()
        return Place(at, min(place.length + 1, LONGEST))

    def after(self, place: Place, count: int) -> list[int]:
        """Up to `count` tokens that followed a place; where those end, they begin anew."""
        first = place.at + 1
        found: list[int] = self._tokens[first : min(first + count, self.count)].tolist()
        if _GAP in found:
            return found[: found.index(_GAP)]
        # What follows the conversation's own end is what the draft itself says of it.
        period = self.count - first
        while len(found) < count:
            found.append(found[len(found) - period])
        return found

    def source(self, place: Place) -> tuple[Source, int, int]:
        """Where the token after a place is: its source, node and position; see Draft."""
        at = place.at + 1
        if at >= self._begin:
            return "text", 0, at - self._begin
        number = bisect_right(self._starts, at) - 1
        offset = at - self._starts[number]
        if number == len(self._lines):
            return "prediction", 0, offset
        source, line = self._lines[number]
        return source, *line.place(offset)

    def _common(self, at: int) -> int:
        """How many tokens up to `at` are those of the conversation's end."""
        most = min(LONGEST, at + 1, self.count - self._begin)
        here = self._tokens[at + 1 - most : at + 1]
        there = self._tokens[self.count - most : self.count]
        differ = np.flatnonzero(here != there)
        return most - 1 - int(differ[-1]) if len(differ) else most


def _next_key(key: int, token: int) -> int:
    """Of the last three tokens, when one is added."""
    return (key << _SHIFT | token) & _KEY


class _Endings:
    """All endings of three tokens of the past, and their places.

    A mixture of the ending and the place are one number each, and numbers alone sort several times
    faster than with their order. Endings with one mixture are told apart by their tokens.
    """

    def __init__(self, tokens: Tokens) -> None:
        self._place_bits = len(tokens).bit_length()
        self._drop = 64 - (62 - self._place_bits)
        self._sorted = _NO_ENDINGS if len(tokens) < ORDER else np.sort(self._numbers(tokens))
        # Looked up one by one, where a number of Python's is found faster than one of numpy's.
        self._known = self._sorted.data

    def places(self, key: int) -> list[int]:
        """The last places of an ending, in order, perhaps among those of another."""
        mixed = (key * _MIX & _WORD) >> self._drop
        first = bisect_left(self._known, mixed << self._place_bits)
        end = bisect_left(self._known, mixed + 1 << self._place_bits, lo=first)
        found = self._sorted[max(first, end - MOST_PLACES) : end]
        places: list[int] = (found & ((1 << self._place_bits) - 1)).tolist()
        return places

    def _numbers(self, tokens: Tokens) -> npt.NDArray[np.int64]:
        wide = tokens.astype(np.uint64)
        keys = (wide[:-2] << 2 * _SHIFT) | (wide[1:-1] << _SHIFT) | wide[2:]
        gaps = tokens == _GAP
        places = np.flatnonzero(~(gaps[:-2] | gaps[1:-1] | gaps[2:]))
        mixed = (keys[places] * np.uint64(_MIX) >> self._drop).astype(np.int64)
        return (mixed << self._place_bits) | (places + ORDER - 1)
