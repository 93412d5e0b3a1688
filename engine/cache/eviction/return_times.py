"""When chats come back, learned from when they did: the hazard by age, against a first guess."""

from __future__ import annotations

BUCKETS = 24
# The first guess, a hyperbola over so many matches, counts as so many returns in every bucket.
FIRST_RETURNS = 6.0
MEMORY_RETURNS = 200.0
MOST, LEAST = 8.0, 0.125


class Returns:
    """Counts returns and time spent waiting by age in matches; ages are told apart by doubling.

    Attributes:
        ratios: by `age.bit_length()`, how much likelier than guessed a return at that age is.
    """

    def __init__(self, half_life: int) -> None:
        self._half_life = half_life
        self._returns = [0.0] * BUCKETS
        self._guessed = [0.0] * BUCKETS
        self._seen = 0.0
        self.ratios = [1.0] * BUCKETS

    def returned(self, age: int) -> None:
        """A chat that was left at its end was taken up again after so many matches."""
        self._waited(age)
        self._returns[min(age.bit_length(), BUCKETS - 1)] += 1.0
        self._seen += 1.0
        if self._seen > MEMORY_RETURNS:
            self._seen /= 2
            self._returns = [count / 2 for count in self._returns]
            self._guessed = [count / 2 for count in self._guessed]
        self._learn()

    def given_up(self, age: int) -> None:
        """Nobody came back to one for so long, and now it is evicted."""
        self._waited(age)

    def _waited(self, age: int) -> None:
        """Count the returns that the guess expects in a wait of so many matches."""
        for bucket in range(min(age.bit_length(), BUCKETS - 1) + 1):
            first = (1 << bucket) >> 1
            last = min(age, (1 << bucket) - 1)
            self._guessed[bucket] += (last - first + 1) / (self._half_life + (first + last) / 2)

    def _learn(self) -> None:
        for bucket, (seen, guessed) in enumerate(zip(self._returns, self._guessed, strict=True)):
            ratio = (seen + FIRST_RETURNS) / (guessed + FIRST_RETURNS)
            self.ratios[bucket] = min(max(ratio, LEAST), MOST)
