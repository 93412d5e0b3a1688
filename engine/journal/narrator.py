"""Adds what only the caches know to a journal's entries: the tokens of new nodes.

The journal itself does not keep them, since its ring would hold those of nodes long removed.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from msgspec.structs import replace

from engine.cache.cache import TwoPlaneCache
from engine.cache.journal.changes import (
    CacheFound,
    Change,
    ModelMemory,
    NodeAdded,
    Owned,
    Pieces,
    RequestBegan,
    SegmentAdded,
)
from engine.cache.journal.journal import Entry, Journal, Listener
from engine.cache.journal.request_ran import RequestRan, TokenArray
from engine.cache.reader import CacheReader

# More than any vocabulary has. Hashes are larger, as are placeholders of withheld tokens.
MOST_IDS = 1 << 22
# The bytes of a token id.
PieceOf = Callable[[int], bytes]


class PieceBook:
    """Which ids' bytes a listener has already received."""

    def __init__(self, piece: PieceOf) -> None:
        self._piece = piece
        self._known = np.zeros(0, bool)

    def fresh(self, entry: Entry) -> Pieces | None:
        """The new ids of an entry with their bytes; None if there are none."""
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


class Segments(Protocol):
    """The disk tier, as a listener of the journal sees it."""

    def told(self) -> Iterator[Change]:
        """What a late listener needs: the tier, then each segment with its tokens."""

    def span_of(self, key: str) -> bytes:
        """The tokens of a segment as a record has them; b"" if it was removed."""


def narrate(
    journal: Journal,
    tiers: Mapping[str, TwoPlaneCache],
    listener: Listener,
    disk: Segments | None = None,
) -> Callable[[], None]:
    """Call `listener` with every entry from now on; returns a function that unregisters it.

    Args:
        tiers: the caches by the names under which they write to the journal.
        disk: the tier below them, if any.
    """
    return journal.listen(_Narrator(tiers, listener, disk).hear)


class _Narrator:
    def __init__(
        self, tiers: Mapping[str, TwoPlaneCache], listener: Listener, disk: Segments | None
    ) -> None:
        # Weak, since the caches hold the journal, which holds this object.
        self._readers = {name: weakref.ref(cache.reader) for name, cache in tiers.items()}
        self._disk = None if disk is None else weakref.ref(disk)
        self._listener = listener

    def hear(self, entry: Entry) -> None:
        what = entry.what
        if type(what) is NodeAdded:
            reader = self._readers[entry.tier]()
            if reader is not None:
                entry = replace(entry, what=replace(what, tokens=span_of(reader, what.node)))
        elif type(what) is SegmentAdded and self._disk is not None:
            disk = self._disk()
            if disk is not None:
                entry = replace(entry, what=replace(what, tokens=disk.span_of(what.key)))
        self._listener(entry)


@dataclass(frozen=True, slots=True)
class Beside:
    """What an engine has besides the device's cache; see CacheFound."""

    own_states: int
    memory: ModelMemory
    quarantined: int

    def added_to(self, what: CacheFound) -> CacheFound:
        return replace(
            what,
            own_states=self.own_states,
            weights=self.memory.weights,
            workspace=self.memory.workspace,
            quarantined=self.quarantined,
        )


def span_of(reader: CacheReader, node: int) -> bytes:
    """The tokens of a node as a record has them."""
    return reader.tokens_of(node).astype("<i4", copy=False).tobytes()


def found(cache: TwoPlaneCache) -> CacheFound:
    """The current state of the cache, for a new listener."""
    kv, states = cache.reader.kv_pool(), cache.reader.state_pool()
    nodes = cache.reader.nodes()
    return CacheFound(
        opened=replace(cache.opened, kv_slots=kv.total, state_slots=states.total),
        nodes=nodes,
        live_kv=kv.live,
        live_states=states.live,
        evicted=tuple(sorted(cache.reader.evicted.items())),
        skipped=cache.skipped,
        tokens=tuple(span_of(cache.reader, node.id) for node in nodes),
    )
