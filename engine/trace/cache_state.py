"""All tiers after some entries, with nothing else: what a tape restores, changes and shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from engine.cache.journal import changes
from engine.cache.journal.journal import Entry
from engine.cache.journal.request_ran import RequestRan
from engine.errors import TraceError
from engine.snapshot import LiveView
from engine.trace.disk_state import DiskState
from engine.trace.tier_state import TierState
from engine.trace.undo import CannotUndo, Undo
from engine.trace.watcher import Watcher

DISK = "disk"


class CacheState:
    """Follows entries, and takes them back in the opposite order.

    Attributes:
        seq, time: of the last entry.
        tiers: those whose records are of nodes, by name, in the order of their first record.
        disk: the one whose records are of segments.
        live: the running request.
        quarantined: checkpoints that an audit found to be wrong.
    """

    def __init__(self, watcher_of: Callable[[str], Watcher | None] = lambda tier: None) -> None:
        """watcher_of: who is told of the changes of a tier."""
        self.seq = 0
        self.time = 0.0
        self.tiers: dict[str, TierState] = {}
        self.disk = DiskState(watcher_of(DISK))
        self.live: LiveView | None = None
        self.quarantined = 0
        self._watcher_of = watcher_of

    def tier(self, name: str) -> TierState:
        """The tier called `name`, created at its first record."""
        found = self.tiers.get(name)
        if found is None:
            # What a file claims to be nodes of the disk tier is not drawn.
            watcher = None if name == DISK else self._watcher_of(name)
            found = self.tiers[name] = TierState(watcher)
        return found

    @property
    def size(self) -> int:
        """How many nodes and segments there are."""
        return self.disk.size + sum(tier.size for tier in self.tiers.values())

    def apply(self, entry: Entry) -> None:
        """Apply one entry. Raises TraceError if it does not fit the state."""
        follow = _LIVE.get(type(entry.what))
        if follow is not None:
            follow(self, entry)
        elif entry.tier == DISK:
            self.disk.apply(entry.time, entry.what)
        else:
            # What is no change of a tier has records of its own for what follows from it.
            self.tier(entry.tier).apply(entry.time, entry.what)
        self.seq = entry.seq
        if entry.time > self.time:
            self.time = entry.time

    def apply_undoable(self, entry: Entry) -> Undo | None:
        """Apply one entry; returns what takes it back, None if nothing can."""
        notes = self.disk.undo if entry.tier == DISK else self.tier(entry.tier).undo
        undo: Undo = [
            partial(setattr, self, "seq", self.seq),
            partial(setattr, self, "time", self.time),
            partial(setattr, self, "live", self.live),
            partial(setattr, self, "quarantined", self.quarantined),
        ]
        notes.actions = undo
        try:
            self.apply(entry)
        except CannotUndo:
            notes.actions = None
            self.apply(entry)
            return None
        finally:
            notes.actions = None
        return undo

    def _begin(self, entry: Entry) -> None:
        what = entry.what
        assert isinstance(what, changes.RequestBegan)
        self.live = LiveView(what.request, 0, what.reused, what.reused, what.replayed, what.total)

    def _go_on(self, entry: Entry) -> None:
        what = entry.what
        assert isinstance(what, changes.RequestAt)
        if self.live is None or self.live.request != what.request:
            raise TraceError(f"Request {what.request} continues without having started.")
        self.live = replace(self.live, node=what.node, position=what.position)

    def _end(self, entry: Entry) -> None:
        self.live = None

    def _stamp(self, entry: Entry) -> None:
        what, tier = entry.what, self.tier(entry.tier)
        assert isinstance(what, changes.Stamped)
        tier.apply(entry.time, what)
        found = what.status == "quarantined" and not what.inherited
        self.quarantined += found and tier.opened is not None

    def _find(self, entry: Entry) -> None:
        what = entry.what
        assert isinstance(what, changes.CacheFound)
        self.tier(entry.tier).apply(entry.time, what)
        self.quarantined += what.quarantined


_LIVE: Mapping[type, Callable[[CacheState, Entry], None]] = {
    changes.RequestBegan: CacheState._begin,
    changes.RequestAt: CacheState._go_on,
    RequestRan: CacheState._end,
    changes.Stamped: CacheState._stamp,
    changes.CacheFound: CacheState._find,
}
