"""When chats resume, learned from past returns: the hazard by age, relative to a prior."""

from __future__ import annotations

BUCKETS = 24
# The prior, a hyperbola with a half-life in matches, counts as this many returns in every bucket.
FIRST_RETURNS = 6.0
MEMORY_RETURNS = 200.0
MOST, LEAST = 8.0, 0.125


class Returns:
    """Counts returns and time spent waiting by age in matches, in buckets that double in width.

    Attributes:
        ratios: by `age.bit_length()`, how much likelier a return at that age is than by the prior.
    """

    def __init__(self, half_life: int) -> None:
        self._half_life = half_life
        self._returns = [0.0] * BUCKETS
        self._expected = [0.0] * BUCKETS
        self._seen = 0.0
        self.ratios = [1.0] * BUCKETS

    def returned(self, age: int) -> None:
        """A chat that was left at its end was resumed after `age` matches."""
        self._waited(age)
        self._returns[min(age.bit_length(), BUCKETS - 1)] += 1.0
        self._seen += 1.0
        if self._seen > MEMORY_RETURNS:
            self._seen /= 2
            self._returns = [count / 2 for count in self._returns]
            self._expected = [count / 2 for count in self._expected]
        self._learn()

    def given_up(self, age: int) -> None:
        """A chat was not resumed for `age` matches, and now it is evicted."""
        self._waited(age)

    def _waited(self, age: int) -> None:
        """Count the returns that the prior expects in a wait of `age` matches."""
        for bucket in range(min(age.bit_length(), BUCKETS - 1) + 1):
            first = (1 << bucket) >> 1
            last = min(age, (1 << bucket) - 1)
            self._expected[bucket] += (last - first + 1) / (self._half_life + (first + last) / 2)

    def _learn(self) -> None:
        for bucket, (seen, expected) in enumerate(zip(self._returns, self._expected, strict=True)):
            ratio = (seen + FIRST_RETURNS) / (expected + FIRST_RETURNS)
            self.ratios[bucket] = min(max(ratio, LEAST), MOST)
