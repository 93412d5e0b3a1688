"""The current rate of tokens."""

from __future__ import annotations

from collections import deque

WINDOW_S = 1.0


class RateMeter:
    """Tokens per second over the last second of one request.

    Attributes:
        value: None before two readings.
    """

    def __init__(self) -> None:
        self.value: float | None = None
        self._request: int | None = None
        self._readings: deque[tuple[float, int]] = deque()
        self._mean: float | None = None

    def read(self, request: int, time: float, tokens: int) -> None:
        """Record how many tokens a request had generated at a time, in seconds."""
        if request != self._request:
            self._request = request
            self._readings.clear()
        self._readings.append((time, tokens))
        while len(self._readings) > 2 and time - self._readings[0][0] > WINDOW_S:
            self._readings.popleft()
        first_time, first_tokens = self._readings[0]
        if time > first_time:
            self.value = (tokens - first_tokens) / (time - first_time)

    def take(self) -> float | None:
        """For the plot: `value`, and once after each request its mean, however short it was."""
        mean, self._mean = self._mean, None
        return mean if self.value is None else self.value

    def stop(self, mean: float | None = None) -> None:
        """The request ended, at `mean` tokens per second overall."""
        self.value = None
        self._mean = mean
        self._request = None
        self._readings.clear()
