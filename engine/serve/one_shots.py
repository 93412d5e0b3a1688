"""Requests without history: a chat's first turn, or one of the many small ones that never go on.

Front ends ask for titles and summaries, editors for completions, and each would stay in the cache
as if somebody came back to it. So each is somebody of its own in the tree, and only the latest few
stay: of the others, what nobody else uses is removed. A chat that went on uses all of its first
turn, under its client's own number.
"""

from __future__ import annotations

import itertools
from collections import deque

from engine.commands import FIRST_ONE_SHOT, Forget
from engine.serve.book import Book, ClientRecord
from engine.serve.port import Port

KEPT = 4
# One server may follow another on the same cache.
_NUMBERS = itertools.count(FIRST_ONE_SHOT)


class OneShots:
    """Numbers them, and has the cache forget the oldest.

    Attributes:
        kept: the number of each that stays and its client's, the oldest first.
    """

    def __init__(self, book: Book) -> None:
        self._book = book
        self.kept: deque[tuple[int, int]] = deque()

    def owner(self, client: ClientRecord, port: Port) -> int:
        """The number of a new one, for Submit.owner."""
        number = next(_NUMBERS)
        self.kept.append((number, client.owner))
        if len(self.kept) > KEPT:
            oldest, whose = self.kept.popleft()
            # Done once no request runs; what others have in common with it stays.
            port.post(Forget(oldest, (), owner=oldest))
            self._tell(whose)
        self._tell(client.owner)
        return number

    def clear(self) -> None:
        """The cache they were in is closed."""
        self.kept.clear()

    def _tell(self, client: int) -> None:
        self._book.one_shots(client, tuple(n for n, whose in self.kept if whose == client))
