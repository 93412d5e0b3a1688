"""How many tokens to draft: what is likely to stay, by what its rows cost.

Both are counted while the model runs. Whether the next token is the one that followed the same
ending before is also seen when nothing was drafted, so it costs nothing to learn that drafts would
pay again. What a row costs is known from passes that ran; until then rows are assumed cheap, as
beside weights that must be read anyway.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import Iterable

# The least length of an ending in each class, and the first guess of how often it goes on alike.
CLASSES = ((3, 0.3), (4, 0.4), (6, 0.55), (10, 0.75), (20, 0.85), (40, 0.9))
# The first guess counts as so many tokens, and older tokens fade.
GUESS_WEIGHT, MEMORY = 4.0, 200.0
# A further row's first guess, as a part of a pass of one.
ROW_COST = 0.1
# Rows of a pass at most; as many as the kernels take.
MOST_ROWS = 16
# Passes of each number of rows that are remembered; the shortest counts, as others were disturbed.
REMEMBERED = 8
# A single pass may have been disturbed: with so many, the shortest is believed.
BELIEVED = 2
# What drafts must promise: a small gain is within the error of both counts.
LEAST_GAIN = 1.06


class Depth:
    """Chances and costs of one model on this machine."""

    def __init__(self) -> None:
        self._starts = [start for start, _ in CLASSES]
        self._hits = [guess * GUESS_WEIGHT for _, guess in CLASSES]
        self._seen = [GUESS_WEIGHT for _ in CLASSES]
        self._passes = defaultdict[int, deque[float]](lambda: deque(maxlen=REMEMBERED))

    def chance(self, length: int) -> float:
        """How likely the token is that followed an ending of this length, at least 3 tokens."""
        at = bisect_right(self._starts, length) - 1
        return self._hits[at] / self._seen[at]

    def saw(self, length: int, hit: bool) -> None:
        """The token after such an ending was the one that followed before, or another."""
        at = bisect_right(self._starts, length) - 1
        fade = 1 - 1 / MEMORY
        self._hits[at] = self._hits[at] * fade + hit
        self._seen[at] = self._seen[at] * fade + 1

    def took(self, rows: int, seconds: float) -> None:
        """A pass of so many rows, tokens and their drafts."""
        self._passes[rows].append(seconds)

    def costs(self, shortest: Iterable[tuple[int, float]]) -> None:
        """Passes cost what was recorded; see `shortest`."""
        self._passes.clear()
        for rows, seconds in shortest:
            self._passes[rows].extend([seconds] * BELIEVED)

    def best(self, length: int, most: int, beside: int = 0) -> int:
        """How many tokens to draft after an ending of this length: 0 to `most`.

        beside: rows of other sequences in the pass, each of which brings a token.
        """
        best, gain = 0, LEAST_GAIN
        stay = expected = 1.0
        for count in range(1, most + 1):
            stay *= self.chance(length + count - 1)
            expected += stay
            if stay < 0.02:
                break
            found = (beside + expected) / (beside + 1)
            found *= self.cost(beside + 1) / self.cost(beside + count + 1)
            if found > gain:
                best, gain = count, found
        return best

    def shortest(self) -> tuple[tuple[int, float], ...]:
        """The shortest pass of each number of rows that ran, in seconds."""
        return tuple((rows, min(took)) for rows, took in sorted(self._passes.items()))

    def cost(self, rows: int) -> float:
        """A pass of so many rows, in passes of one."""
        one = self._passes.get(1)
        if rows == 1 or one is None:
            return 1 + ROW_COST * (rows - 1)
        alone = min(one)
        if self._known(rows):
            return min(self._passes[rows]) / alone
        # From the nearest number that ran, rows cost alike.
        known = [near for near in sorted(self._passes) if near > 1 and self._known(near)]
        if not known:
            return 1 + ROW_COST * (rows - 1)
        near = min(known, key=lambda other: abs(other - rows))
        slope = (min(self._passes[near]) / alone - 1) / (near - 1)
        return 1 + max(slope, 0.0) * (rows - 1)

    def _known(self, rows: int) -> bool:
        return len(self._passes.get(rows, ())) >= BELIEVED
