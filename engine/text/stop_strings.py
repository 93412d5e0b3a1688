"""Ends an answer at a stop string, even if the string arrives in pieces."""

from __future__ import annotations

from collections.abc import Sequence


class StopStrings:
    """Passes text through, holding back only what may be the start of a stop string.

    Attributes:
        hit: the stop string that was found, "" until then.
    """

    def __init__(self, stops: Sequence[str]) -> None:
        self._stops = tuple(stop for stop in stops if stop)
        self._held = ""
        self.hit = ""

    def feed(self, text: str) -> str:
        """The part of the text so far that is safe to show; "" once a stop string was hit."""
        if self.hit:
            return ""
        self._held += text
        found = [(at, stop) for stop in self._stops if (at := self._held.find(stop)) >= 0]
        if found:
            # The one that completes first, as if the text arrived letter by letter.
            at, self.hit = min(found, key=lambda pair: (pair[0] + len(pair[1]), pair[0]))
            shown, self._held = self._held[:at], ""
            return shown
        cut = len(self._held) - held_back(self._held, self._stops)
        shown, self._held = self._held[:cut], self._held[cut:]
        return shown

    def resume(self, text: str) -> str:
        """Take up an answer that was cut after `text`; returns all but what is held back of it.

        A stop string inside `text` did not end it; one may have begun at its end.
        """
        cut = len(text) - held_back(text, self._stops)
        self._held = text[cut:]
        return text[:cut]

    def finish(self) -> str:
        """The text still held back at the end of the answer."""
        rest, self._held = self._held, ""
        return rest


def held_back(text: str, marks: Sequence[str]) -> int:
    """How many characters at the end of `text` could be the start of one of `marks`."""
    longest = max((len(mark) for mark in marks), default=0)
    for keep in range(min(longest - 1, len(text)), 0, -1):
        tail = text[-keep:]
        if any(mark.startswith(tail) for mark in marks):
            return keep
    return 0
