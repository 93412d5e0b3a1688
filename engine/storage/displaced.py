"""Segments that were evicted for lack of room: they wait until they are used again."""

from __future__ import annotations

# How many are remembered, the last ones.
MOST_REMEMBERED = 4096


class Displaced:
    """Remembers when each one was last used, so that an idle engine does not write it again."""

    def __init__(self) -> None:
        self._used: dict[str, float] = {}

    def add(self, key: str, used: float) -> None:
        """A segment was evicted; `used`: seconds since 1970."""
        self._used.pop(key, None)
        self._used[key] = used
        if len(self._used) > MOST_REMEMBERED:
            del self._used[next(iter(self._used))]

    def since(self, key: str, used: float) -> bool:
        """Whether a segment that was last used then was evicted and not used since."""
        return used <= self._used.get(key, -1.0)

    def forget(self, key: str) -> None:
        """It is stored again."""
        self._used.pop(key, None)

    def clear(self) -> None:
        self._used.clear()
