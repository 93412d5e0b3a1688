"""What went, from which tier, where it stood and why: a listener that reads it off the journal.

The journal tells an eviction by a node's id and its cause. This follows just enough of the other
changes to say what that node was, and holds the last of them until somebody takes them.
"""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Callable
from itertools import islice
from typing import Any

from engine.cache.journal.changes import (
    CacheFound,
    CacheOpened,
    CheckpointDropped,
    CheckpointStored,
    NodeAdded,
    NodeRemoved,
    NodeSplit,
    SegmentRemoved,
)
from engine.cache.journal.journal import Entry, Tell
from engine.cache.node import ROOT_ID, Tokens
from engine.cache.reader import CacheReader
from engine.snapshot import Evicted

# What is held for whoever looks; older ones are counted only.
MOST = 500


class Stretch:
    """A span of a tier's tree, and the one it goes on from; stays whole when its node is gone.

    Attributes:
        tokens: `[end - start] int32`, None where they are not known (in a trace).
        provenance: of the state at `end`, "" where there is none.
    """

    __slots__ = ("above", "end", "node", "provenance", "start", "tokens")

    def __init__(
        self, node: int, above: Stretch | None, start: int, end: int, tokens: Tokens | None
    ) -> None:
        self.node, self.above, self.start, self.end = node, above, start, end
        self.tokens = tokens
        self.provenance = ""


class Departure:
    """One eviction.

    Attributes:
        record: as it was told.
        stretch: where it stood.
        node_before: the node that a snapshot showed for it before it went; None where none did.
    """

    __slots__ = ("node_before", "record", "stretch")

    def __init__(self, record: Evicted, stretch: Stretch) -> None:
        self.record, self.stretch = record, stretch
        self.node_before: int | None = None


class _Tier:
    """The spans of one tier by node."""

    def __init__(self, opened: CacheOpened) -> None:
        self.kv_bytes, self.state_bytes = opened.kv_slot_bytes, opened.state_slot_bytes
        self.stretches = {ROOT_ID: Stretch(ROOT_ID, None, 0, 0, None)}


class Departures:
    """Hears every entry of a journal from its first on; the last evictions wait to be taken.

    Attributes:
        total: evictions since the start.
    """

    def __init__(self, most: int = MOST) -> None:
        self.total = 0
        self._ring: deque[Departure] = deque(maxlen=most)
        self._tiers: dict[str, _Tier] = {}
        # Weak, for the caches hold the journal, which holds this.
        self._caches: dict[str, weakref.ref[CacheReader]] = {}
        self._path: Tokens | None = None

    def look_into(self, tier: str, cache: CacheReader) -> None:
        """Ask `cache` for the tokens of its nodes from now on; a journal alone has none."""
        self._caches[tier] = weakref.ref(cache)

    def on_entry(self, entry: Entry) -> None:
        """Follow one entry."""
        follow = _FOLLOW.get(type(entry.what))
        if follow is not None:
            follow(self, entry, entry.what)

    def tell_segment(self, tell: Tell, change: SegmentRemoved, tokens: Tokens | None) -> None:
        """Tell the journal of a file that went, whose path from the root was `tokens`.

        `[change.end] int32`, None where that is not known. They are for snapshots of this engine
        and go into no trace.
        """
        self._path = tokens
        try:
            tell(change)
        finally:
            self._path = None

    def beyond(self, total: int) -> tuple[Departure, ...]:
        """Those after the first `total`, oldest first, as far as they are still held."""
        fresh = min(self.total - total, len(self._ring))
        return tuple(islice(self._ring, len(self._ring) - fresh, None))

    # ---- the tree, as far as it is needed

    def _opened(self, entry: Entry, opened: CacheOpened) -> None:
        self._tiers[entry.tier] = _Tier(opened)

    def _found(self, entry: Entry, found: CacheFound) -> None:
        tier = self._tiers[entry.tier] = _Tier(found.opened)
        for view in found.nodes:
            if view.parent is not None:
                above = tier.stretches[view.parent]
                made = Stretch(view.id, above, view.start, view.end, None)
                made.provenance = (
                    "" if view.checkpoint is None else view.checkpoint.state.provenance
                )
                tier.stretches[view.id] = made

    def _added(self, entry: Entry, added: NodeAdded) -> None:
        stretches = self._tiers[entry.tier].stretches
        asked = self._caches.get(entry.tier)
        cache = None if asked is None else asked()
        tokens = None if cache is None else cache.tokens_of(added.node)
        above = stretches[added.parent]
        stretches[added.node] = Stretch(added.node, above, added.start, added.end, tokens)

    def _split(self, entry: Entry, split: NodeSplit) -> None:
        stretches = self._tiers[entry.tier].stretches
        lower = stretches[split.node]
        first = last = None
        if lower.tokens is not None:
            at = split.position - lower.start
            first, last = lower.tokens[:at], lower.tokens[at:]
        upper = Stretch(split.upper, lower.above, lower.start, split.position, first)
        stretches[split.upper] = upper
        lower.above, lower.start, lower.tokens = upper, split.position, last

    def _stored(self, entry: Entry, stored: CheckpointStored) -> None:
        self._tiers[entry.tier].stretches[stored.node].provenance = stored.state.provenance

    # ---- what goes

    def _removed(self, entry: Entry, removed: NodeRemoved) -> None:
        gone = self._tiers[entry.tier].stretches.pop(removed.node)
        plane = "both" if gone.provenance else "kv"
        self._hold(entry, gone, plane, removed.cause, removed.copy)

    def _dropped(self, entry: Entry, dropped: CheckpointDropped) -> None:
        left = self._tiers[entry.tier].stretches[dropped.node]
        self._hold(entry, left, "state", dropped.cause, dropped.copy)
        left.provenance = ""

    def _hold(self, entry: Entry, gone: Stretch, plane: str, cause: str, copy: str) -> None:
        tier = self._tiers[entry.tier]
        assert gone.above is not None, "the root stays"
        record = Evicted(
            seq=entry.seq,
            time=entry.time,
            tier=entry.tier,
            node=gone.node,
            above=gone.above.node,
            start=gone.start,
            end=gone.end,
            plane=plane,
            cause=cause,
            kv_bytes=0 if plane == "state" else tier.kv_bytes * (gone.end - gone.start),
            state_bytes=0 if plane == "kv" else tier.state_bytes,
            provenance=gone.provenance,
            copy=copy,
            cached_to=gone.start,
        )
        self._keep(record, gone)

    def _segment(self, entry: Entry, removed: SegmentRemoved) -> None:
        record = Evicted(
            seq=entry.seq,
            time=entry.time,
            tier=entry.tier,
            node=ROOT_ID,
            above=ROOT_ID,
            start=removed.start,
            end=removed.end,
            plane="both",
            cause=removed.cause,
            kv_bytes=removed.kv_bytes,
            state_bytes=removed.bytes - removed.kv_bytes,
            provenance=removed.provenance,
            cached_to=removed.start,
        )
        root = Stretch(ROOT_ID, None, 0, 0, None)
        self._keep(record, Stretch(ROOT_ID, root, 0, removed.end, self._path))

    def _keep(self, record: Evicted, stretch: Stretch) -> None:
        self.total += 1
        self._ring.append(Departure(record, stretch))


class DepartureReader:
    """Takes each departure once, from where it was made on; every reader gets all of them."""

    def __init__(self, departures: Departures) -> None:
        self._departures = departures
        self._taken = departures.total

    def take(self) -> tuple[tuple[Departure, ...], int]:
        """What went since the last call, and how many before those could not be held."""
        departures = self._departures
        since = departures.total - self._taken
        if not since:
            return (), 0
        fresh = departures.beyond(self._taken)
        self._taken = departures.total
        return fresh, since - len(fresh)


_FOLLOW: dict[type, Callable[[Departures, Entry, Any], None]] = {
    CacheOpened: Departures._opened,
    CacheFound: Departures._found,
    NodeAdded: Departures._added,
    NodeSplit: Departures._split,
    NodeRemoved: Departures._removed,
    CheckpointStored: Departures._stored,
    CheckpointDropped: Departures._dropped,
    SegmentRemoved: Departures._segment,
}
