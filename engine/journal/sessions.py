"""Guesses which conversation a request belongs to, for trace readers that group by it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cache.journal.request_ran import NO_TOKENS, TokenArray

REMEMBERED = 64


@dataclass(slots=True)
class Session:
    id: int
    turns: int
    prompt: TokenArray


class SessionGuess:
    """Assigns a request to its owner's session, or to the one whose last prompt it shares most.

    The latter requires sharing at least half of it.

    The cache does not need sessions; they only label the lines of a trace.
    """

    def __init__(self) -> None:
        self._known: list[Session] = []
        self._owned: dict[int, Session] = {}
        self._next = 0

    def place(self, prompt: TokenArray, owner: int = 0) -> tuple[int, int]:
        """The session and the turn of the next request. Mutates the guess.

        Args:
            owner: its conversation, which makes guessing unnecessary; 0 if unknown.
        """
        session = self._of(owner) if owner else self._guess(prompt) or self._new(prompt)
        if not owner:
            # The most recently used session is forgotten last.
            self._known.append(session)
            del self._known[:-REMEMBERED]
        session.prompt, turn = prompt, session.turns
        session.turns += 1
        return session.id, turn

    def of(self, owner: int) -> int:
        """The session of an owner, created if needed. Mutates the guess."""
        return self._of(owner).id

    def _of(self, owner: int) -> Session:
        found = self._owned.get(owner)
        if found is None:
            found = self._owned[owner] = self._new(NO_TOKENS)
        return found

    def _new(self, prompt: TokenArray) -> Session:
        self._next += 1
        return Session(self._next - 1, 0, prompt)

    def _guess(self, prompt: TokenArray) -> Session | None:
        best, most = None, 0
        for session in self._known:
            shared = shared_tokens(session.prompt, prompt)
            if shared > most and 2 * shared >= len(session.prompt):
                best, most = session, shared
        if best is not None:
            self._known.remove(best)
        return best


def shared_tokens(a: TokenArray, b: TokenArray) -> int:
    """The number of leading tokens that are equal."""
    length = min(len(a), len(b))
    same = a[:length] == b[:length]
    return length if same.all() else int(same.argmin())
