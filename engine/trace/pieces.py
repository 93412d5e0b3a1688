"""The text of token ids, told once for each id that a listener has not met yet."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.cache.journal.changes import CacheFound, NodeAdded, Owned, Pieces, RequestBegan
from engine.cache.journal.journal import Entry
from engine.cache.journal.request_ran import RequestRan, TokenArray
from engine.cache.journal.segments import SegmentAdded

# More than any vocabulary has. Hashes are larger, and so is what stands in for untold tokens.
MOST_IDS = 1 << 22
# The bytes of a token id.
PieceOf = Callable[[int], bytes]


class PieceBook:
    """Which ids a listener knows the bytes of."""

    def __init__(self, piece: PieceOf) -> None:
        self._piece = piece
        self._known = np.zeros(0, bool)

    def fresh(self, entry: Entry) -> Pieces | None:
        """The ids of an entry that were in none before it; None if there are none."""
        what = entry.what
        if isinstance(what, RequestRan):
            return self._fresh(what.sequence)
        if isinstance(what, NodeAdded | SegmentAdded | Owned | RequestBegan):
            return self._fresh(np.frombuffer(what.tokens, "<i4").astype(np.int64))
        if isinstance(what, CacheFound):
            return self._fresh(np.frombuffer(b"".join(what.tokens), "<i4").astype(np.int64))
        return None

    def _fresh(self, tokens: TokenArray) -> Pieces | None:
        tokens = tokens[tokens < MOST_IDS]
        if not len(tokens):
            return None
        most = int(tokens.max())
        if most >= len(self._known):
            self._known = np.concatenate([self._known, np.zeros(most + 1, bool)])
        new = tokens[~self._known[tokens]]
        if not len(new):
            return None
        self._known[new] = True
        return Pieces(tuple((one, self._piece(one)) for one in np.unique(new).tolist()))
