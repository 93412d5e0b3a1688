"""What the entries of a tape tell of whose sequences are whose, and of the running request's."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from engine.cache.journal.changes import Disowned, Owned, RequestBegan
from engine.cache.journal.journal import Entry
from engine.snapshot import LiveView, Speech
from engine.trace.piece_owners import OwnedBook, Sequences
from engine.trace.token_text import TokenText

if TYPE_CHECKING:
    from engine.trace.tape import TapedRequest

# The kinds of entries that it follows, besides the requests.
OWNING = frozenset({Owned, Disowned, RequestBegan})


@dataclass(frozen=True, slots=True)
class _Running:
    """A request that began: index of that entry; its prompt's number if it was told."""

    index: int
    request: int
    owner: int
    sequence: int | None


class ToldOwners:
    """Follows the entries of a tape.

    Attributes:
        book: whose the sequences are at each moment.
    """

    def __init__(self, sequences: Sequences, words: TokenText) -> None:
        self.book = OwnedBook()
        self._sequences, self._words = sequences, words
        # Of entries that tell of a sequence that no request here ran: its number, by index.
        self._told: dict[int, int] = {}
        self._running: _Running | None = None
        # Who speaks in the prompt of the sequence that was asked for last.
        self._spoken: tuple[int, tuple[Speech, ...]] | None = None

    def follow(self, index: int, what: object) -> None:
        """One entry of those in OWNING."""
        if isinstance(what, RequestBegan):
            number = None
            if what.tokens:
                number = self._own(index, what.owner, what.tokens, what.request)
            self._running = _Running(index, what.request, what.owner, number)
        elif isinstance(what, Owned):
            self._told[index] = self._own(index, what.owner, what.tokens, what.request)
        elif isinstance(what, Disowned):
            self.book.drop(index, what.owner)

    def ended(self, taped: TapedRequest) -> None:
        """A request has ended; from its begin on, what it added was its conversation's."""
        running, self._running = self._running, None
        ran, index = taped.bare, taped.index
        if not ran.reuse:
            return
        if running is not None and running.request == ran.request and running.sequence is None:
            index = running.index
        self.book.add(index, ran.owner, taped.sequence, taped.tokens, ran.request)

    def whole(self, index: int, entry: Entry) -> Entry:
        """An entry with the tokens that `light` took from it."""
        if not isinstance(entry.what, Owned):
            return entry
        tokens = self._sequences.data(self._told[index])
        return entry._replace(what=entry.what._replace(tokens=tokens))

    def told_live(self, index: int, requests: Sequence[TapedRequest], live: LiveView) -> LiveView:
        """The request that ran at a moment, with whose it was and who speaks in its prompt.

        Args:
            requests: of the tape.
        """
        at = bisect_left(requests, index, key=lambda request: request.index)
        ended = requests[at] if at < len(requests) else None
        running = self._running
        if ended is not None and ended.bare.request == live.request:
            owner, number = ended.bare.owner, ended.sequence
        elif running is None or running.request != live.request:
            return live
        elif running.sequence is None:
            return replace(live, owner=running.owner)
        else:
            owner, number = running.owner, running.sequence
        if self._spoken is None or self._spoken[0] != number:
            prompt = self._sequences.data(number)[: 4 * live.total]
            self._spoken = number, self._words.speech(prompt)
        return replace(live, owner=owner, speech=self._spoken[1])

    def _own(self, index: int, owner: int, tokens: bytes, request: int) -> int:
        """Keep a sequence of a conversation; returns its number."""
        ids = np.frombuffer(tokens, "<i4").astype(np.int64)
        number = self._sequences.add(ids)
        self.book.add(index, owner, number, ids, request)
        return number


def light(entry: Entry) -> Entry:
    """An entry without the tokens that are kept elsewhere."""
    what = entry.what
    if isinstance(what, Owned | RequestBegan) and what.tokens:
        return entry._replace(what=what._replace(tokens=b""))
    return entry
