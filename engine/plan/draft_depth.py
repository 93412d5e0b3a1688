"""How many tokens to draft: what is likely to stay, by what its rows cost.

Both are counted while the model runs. Whether the next token is the one that followed the same
ending before is also seen when nothing was drafted, so it costs nothing to learn that drafts would
pay again. What a row costs is known from passes that ran; until then rows are assumed cheap, as
beside weights that must be read anyway.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator

# The least length of an ending in each class, and the first guess of how often it goes on alike.
CLASSES = ((3, 0.3), (4, 0.4), (6, 0.55), (10, 0.75), (20, 0.85), (40, 0.9))
# Likewise of tokens that the model's draft head is so sure of.
SURE = ((0.0, 0.1), (0.3, 0.35), (0.5, 0.55), (0.7, 0.75), (0.9, 0.92))
# The first guess counts as so many tokens, and older tokens fade.
GUESS_WEIGHT, MEMORY = 4.0, 200.0
# Tokens not tried after which a class of the head's is half way back to its first guess, about.
PASSED_OVER = 30
# A further row's first guess, as a part of a pass of one.
ROW_COST = 0.1
# Rows of a pass at most; as many as the kernels take.
MOST_ROWS = 16
# Passes of each number of rows that are remembered; the shortest counts, as others were disturbed.
REMEMBERED = 8
# A single pass may have been disturbed: with so many, the shortest is believed.
BELIEVED = 2
# The first guess of what asking the head once costs, in passes of one row.
HEAD_COST = 0.15
# Where steps with the head bring less, by those without, it is asked at one in RARELY. At one in
# PLAIN it is never asked. Older steps fade.
LEAST_BROUGHT, RARELY, PLAIN, FADE = 1.03, 32, 40, 0.95
# What drafts must promise: a small gain is within the error of both counts.
LEAST_GAIN = 1.06


class Chances:
    """How often drafted tokens were the answer's, by classes of what spoke for them."""

    def __init__(self, classes: Iterable[tuple[float, float]]) -> None:
        """classes: the least value of each, and the first guess of its chance."""
        self._starts, self._guesses = [], []
        for start, guess in classes:
            self._starts.append(start)
            self._guesses.append(guess)
        self._hits = [guess * GUESS_WEIGHT for guess in self._guesses]
        self._seen = [GUESS_WEIGHT for _ in self._guesses]

    def of(self, value: float) -> float:
        """The chance of a token."""
        at = self._class_of(value)
        return self._hits[at] / self._seen[at]

    @property
    def most(self) -> float:
        """The chance of the likeliest class."""
        return max(hits / seen for hits, seen in zip(self._hits, self._seen, strict=True))

    def saw(self, value: float, hit: bool) -> None:
        """Such a token was the answer's, or not."""
        at = self._class_of(value)
        fade = 1 - 1 / MEMORY
        self._hits[at] = self._hits[at] * fade + hit
        self._seen[at] = self._seen[at] * fade + 1

    def passed_over(self, value: float) -> None:
        """Such a token was not tried: with time it deserves its first guess again."""
        at = self._class_of(value)
        first = self._guesses[at] * self._seen[at]
        self._hits[at] += (first - self._hits[at]) / PASSED_OVER

    def _class_of(self, value: float) -> int:
        return bisect_right(self._starts, value) - 1


class Depth:
    """Chances and costs of one model on this machine.

    Attributes:
        endings: chances of the token that followed an ending of so many tokens, at least 3.
        sure: chances of a token that the draft head holds to be so likely.
    """

    def __init__(self) -> None:
        self.endings, self.sure = Chances(CLASSES), Chances(SURE)
        self._passes = defaultdict[int, deque[float]](lambda: deque(maxlen=REMEMBERED))
        self._asked = deque[float](maxlen=REMEMBERED)
        # Of steps without the head and with it: tokens and seconds, the last ones counting most.
        self._rates = ([0.0, 0.0], [0.0, 0.0])
        # Seconds of the step that is going on, and steps where the head might be asked.
        self._spent_s, self._steps = 0.0, 0

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
            stay *= self.endings.of(length + count - 1)
            expected += stay
            if stay < 0.02:
                break
            found = (beside + expected) / (beside + 1)
            found *= self.cost(beside + 1) / self.cost(beside + count + 1)
            if found > gain:
                best, gain = count, found
        return best

    def asks_head(self) -> bool:
        """Whether the draft head is to be asked at this step.

        Where it always pays there would be no passes of one row, by which others are judged.
        """
        self._steps += 1
        if len(self._passes.get(1, ())) < REMEMBERED or self._steps % PLAIN == 0:
            return False
        return self._head_pays or self._steps % RARELY == 1

    def from_head(
        self, predictions: Iterator[tuple[int, float]], most: int, beside: int = 0
    ) -> list[tuple[int, float]]:
        """What to draft of the head's tokens, each with how sure it is: while more is gained."""
        found: list[tuple[int, float]] = []
        stay = expected = gain = 1.0
        for count in range(1, most + 1):
            # Asking costs, too: not where even the surest token would not be worth it.
            hoped = expected + stay * self.sure.most
            if found and self._worth(hoped, count, count, beside) <= gain:
                break
            began = time.perf_counter()
            token, sure = next(predictions)
            self._asked.append(time.perf_counter() - began)
            stay *= self.sure.of(sure)
            expected += stay
            more = self._worth(expected, count, count, beside)
            if more <= gain:
                self.sure.passed_over(sure)
                break
            gain = more
            found.append((token, sure))
        return found

    def spent(self, seconds: float) -> None:
        """Time went into the step that is going on, or into ending it."""
        self._spent_s += seconds

    def over(self, tokens: int, asked: bool | None) -> None:
        """A step is over: what it brought, and whether the head was asked.

        Its whole time counts: what asking costs is more than the head's own. asked: None of steps
        that say nothing about the head: with other drafts, or beside other sequences.
        """
        if asked is not None:
            rate = self._rates[asked]
            rate[0] = rate[0] * FADE + tokens
            rate[1] = rate[1] * FADE + self._spent_s
        self._spent_s = 0.0

    @property
    def _head_pays(self) -> bool:
        (plain, plain_s), (asked, asked_s) = self._rates
        return not asked or asked * plain_s >= LEAST_BROUGHT * plain * asked_s

    def _worth(self, tokens: float, drafted: int, asked: int, beside: int) -> float:
        """What so many tokens of a step are worth, by its cost with the head's drafts."""
        one = self._passes.get(1)
        ask = min(self._asked) / min(one) if one and self._asked else HEAD_COST
        cost = (self.cost(beside + drafted + 1) + ask * asked) / self.cost(beside + 1)
        return (beside + tokens) / (beside + 1) / cost

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
