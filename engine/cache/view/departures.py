"""Evictions: what left which tier, where it was and why; a listener that follows the journal.

The journal identifies an eviction by a node's id and its cause. This listener follows just enough
of the other changes to describe that node, and keeps the latest evictions until they are taken.
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
from engine.cache.journal.journal import Entry, LogChange
from engine.cache.node import ROOT_ID, Tokens
from engine.cache.reader import CacheReader
from engine.snapshot import Evicted

# Evictions kept for readers; older ones are only counted.
MAX_HELD = 500


class Stretch:
    """A span of a tier's tree, linked to its parent span; it survives its node.

    Attributes:
        tokens: `[end - start] int32`, None if unknown (in a trace).
        provenance: of the state at `end`, "" if there is none.
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
        record: as it was logged.
        stretch: where it was.
        node_before: the node that represented it in the last snapshot before it; None if none did.
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
    """Follows every entry of a journal from the first; keeps the latest evictions for readers.

    Attributes:
        total: evictions since the start.
    """

    def __init__(self, limit: int = MAX_HELD) -> None:
        self.total = 0
        self._ring: deque[Departure] = deque(maxlen=limit)
        self._tiers: dict[str, _Tier] = {}
        # Weak, since the caches hold the journal, which holds this object.
        self._caches: dict[str, weakref.ref[CacheReader]] = {}
        self._path: Tokens | None = None

    def attach_reader(self, tier: str, cache: CacheReader) -> None:
        """Look up tokens of `tier`'s nodes in `cache` from now on; a journal alone has none."""
        self._caches[tier] = weakref.ref(cache)

    def on_entry(self, entry: Entry) -> None:
        """Follow one entry."""
        follow = _FOLLOW.get(type(entry.what))
        if follow is not None:
            follow(self, entry, entry.what)

    def log_segment_removed(
        self, log_change: LogChange, change: SegmentRemoved, tokens: Tokens | None
    ) -> None:
        """Log the removal of a file whose path from the root was `tokens`.

        `[change.end] int32`, None if unknown. The tokens are for snapshots of this engine only and
        go into no trace.
        """
        self._path = tokens
        try:
            log_change(change)
        finally:
            self._path = None

    def after(self, total: int) -> tuple[Departure, ...]:
        """The evictions after the first `total`, oldest first, as far as they are still held."""
        fresh = min(self.total - total, len(self._ring))
        return tuple(islice(self._ring, len(self._ring) - fresh, None))

    # ---- the tree, as far as needed

    def _opened(self, entry: Entry, opened: CacheOpened) -> None:
        self._tiers[entry.tier] = _Tier(opened)

    def _found(self, entry: Entry, found: CacheFound) -> None:
        tier = self._tiers[entry.tier] = _Tier(found.opened)
        for view in found.nodes:
            if view.parent is not None:
                above = tier.stretches[view.parent]
                new = Stretch(view.id, above, view.start, view.end, None)
                new.provenance = "" if view.checkpoint is None else view.checkpoint.state.provenance
                tier.stretches[view.id] = new

    def _added(self, entry: Entry, added: NodeAdded) -> None:
        stretches = self._tiers[entry.tier].stretches
        reference = self._caches.get(entry.tier)
        cache = None if reference is None else reference()
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

    # ---- evictions

    def _removed(self, entry: Entry, removed: NodeRemoved) -> None:
        stretch = self._tiers[entry.tier].stretches.pop(removed.node)
        plane = "both" if stretch.provenance else "kv"
        self._record_node(entry, stretch, plane, removed.cause, removed.copy)

    def _dropped(self, entry: Entry, dropped: CheckpointDropped) -> None:
        stretch = self._tiers[entry.tier].stretches[dropped.node]
        self._record_node(entry, stretch, "state", dropped.cause, dropped.copy)
        stretch.provenance = ""

    def _record_node(
        self, entry: Entry, stretch: Stretch, plane: str, cause: str, copy: str
    ) -> None:
        tier = self._tiers[entry.tier]
        assert stretch.above is not None, "the root cannot be removed"
        record = Evicted(
            seq=entry.seq,
            time=entry.time,
            tier=entry.tier,
            node=stretch.node,
            above=stretch.above.node,
            start=stretch.start,
            end=stretch.end,
            plane=plane,
            cause=cause,
            kv_bytes=0 if plane == "state" else tier.kv_bytes * (stretch.end - stretch.start),
            state_bytes=0 if plane == "kv" else tier.state_bytes,
            provenance=stretch.provenance,
            copy=copy,
            cached_to=stretch.start,
        )
        self._keep(record, stretch)

    def _segment_removed(self, entry: Entry, removed: SegmentRemoved) -> None:
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
    """Takes each departure since its creation once; every reader gets all of them."""

    def __init__(self, departures: Departures) -> None:
        self._departures = departures
        self._taken = departures.total

    def take(self) -> tuple[tuple[Departure, ...], int]:
        """The departures since the last call, and the number of earlier ones that were lost."""
        departures = self._departures
        since = departures.total - self._taken
        if not since:
            return (), 0
        fresh = departures.after(self._taken)
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
    SegmentRemoved: Departures._segment_removed,
}
# What it follows, and what of that evicts something.
FOLLOWED = frozenset(_FOLLOW)
DEPARTING = frozenset((NodeRemoved, CheckpointDropped, SegmentRemoved))
