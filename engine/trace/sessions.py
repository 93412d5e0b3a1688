"""Guesses which conversation a request belongs to, for trace readers that group by it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cache.journal.request_ran import TokenArray

REMEMBERED = 64


@dataclass(slots=True)
class Session:
    id: int
    turns: int
    prompt: TokenArray


class SessionGuess:
    """A request continues the session whose last prompt it shares most, at least half.

    The cache does not need sessions; they only label the lines of a trace.
    """

    def __init__(self) -> None:
        self._known: list[Session] = []
        self._next = 0

    def place(self, prompt: TokenArray) -> tuple[int, int]:
        """The session and the turn of the next request. Mutates the guess."""
        best, most = None, 0
        for session in self._known:
            shared = shared_tokens(session.prompt, prompt)
            if shared > most and 2 * shared >= len(session.prompt):
                best, most = session, shared
        if best is None:
            best = Session(self._next, 0, prompt)
            self._next += 1
        else:
            self._known.remove(best)
        # The most recently used one is forgotten last.
        self._known.append(best)
        del self._known[:-REMEMBERED]
        best.prompt, turn = prompt, best.turns
        best.turns += 1
        return best.id, turn


def shared_tokens(a: TokenArray, b: TokenArray) -> int:
    """The number of leading tokens that are equal."""
    length = min(len(a), len(b))
    same = a[:length] == b[:length]
    return length if same.all() else int(same.argmin())
