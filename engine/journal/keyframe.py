"""A whole cache state, packed: where a tape starts from to rebuild an earlier moment."""

from __future__ import annotations

import marshal
import zlib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Any

from msgspec.structs import replace

from engine.cache.journal import changes
from engine.cache.journal.changes import DiskOpened
from engine.cache.journal.journal import Entry
from engine.cache.journal.request_ran import RequestRan
from engine.cache.node import ROOT_ID
from engine.errors import TraceError
from engine.journal.disk_state import DiskState
from engine.journal.spans import HeldState, Span
from engine.journal.tier_state import CannotUndo, Sizes, TierState, Undo, Watcher
from engine.snapshot import Evicted, LiveView
from engine.stored_state import StoredState

DISK = "disk"


class CacheState:
    """Applies entries, and undoes them in reverse order.

    Attributes:
        seq, time: of the last entry.
        version: of the tiers: equal ones mean equal trees and pools.
        tiers: those whose records describe nodes, by name, in the order of their first record.
        disk: the tier whose records describe segments.
        running: the running requests, oldest first.
        quarantined: checkpoints that an audit found wrong.
    """

    def __init__(self, watcher_of: Callable[[str], Watcher | None] = lambda tier: None) -> None:
        """watcher_of: the watcher to notify of a tier's changes."""
        self.seq = self.version = 0
        self.time = 0.0
        self.tiers: dict[str, TierState] = {}
        self.disk = DiskState(watcher_of(DISK))
        self.running: tuple[LiveView, ...] = ()
        self.quarantined = 0
        self._watcher_of = watcher_of

    @property
    def live(self) -> LiveView | None:
        """The oldest of the running requests."""
        return self.running[0] if self.running else None

    def tier(self, name: str) -> TierState:
        """The tier called `name`, created at its first record."""
        found = self.tiers.get(name)
        if found is None:
            # A file may claim nodes on the disk tier; those are not drawn.
            watcher = None if name == DISK else self._watcher_of(name)
            found = self.tiers[name] = TierState(watcher)
        return found

    @property
    def size(self) -> int:
        """The number of nodes and segments."""
        return self.disk.size + sum(tier.size for tier in self.tiers.values())

    def about_to_go(self, entry: Entry) -> Evicted | None:
        """What an entry will evict, before it is applied; None if nothing.

        Raises TraceError if it does not fit the state.
        """
        what = entry.what
        if isinstance(what, changes.SegmentRemoved):
            return _segment_gone(entry, what)
        if not isinstance(what, changes.NodeRemoved | changes.CheckpointDropped):
            return None
        tier = self.tier(entry.tier)
        kv_bytes, state_bytes = tier.slot_bytes
        span, stays = tier.span(what.node), isinstance(what, changes.CheckpointDropped)
        held = span.held is not None
        return Evicted(
            seq=entry.seq,
            time=entry.time,
            tier=entry.tier,
            node=what.node,
            above=span.parent or ROOT_ID,
            start=span.start,
            end=span.end,
            plane="state" if stays else "both" if held else "kv",
            cause=what.cause,
            kv_bytes=0 if stays else kv_bytes * (span.end - span.start),
            state_bytes=state_bytes if stays or held else 0,
            provenance="" if span.held is None else span.held.state.provenance,
            copy=what.copy,
            cached_to=span.start,
        )

    def apply(self, entry: Entry) -> None:
        """Apply one entry. Raises TraceError if it does not fit the state."""
        follow = _LIVE.get(type(entry.what))
        if follow is not None:
            self.version += follow(self, entry)
        elif entry.tier == DISK:
            self.version += self.disk.apply(entry.time, entry.what)
        else:
            # The effects of records that are not a tier's change have records of their own.
            self.version += self.tier(entry.tier).apply(entry.time, entry.what)
        self.seq = entry.seq
        if entry.time > self.time:
            self.time = entry.time

    def apply_undoable(self, entry: Entry) -> Undo | None:
        """Apply one entry; returns its undo actions, None if it cannot be undone."""
        notes = self.disk.undo if entry.tier == DISK else self.tier(entry.tier).undo
        undo: Undo = [
            partial(setattr, self, "seq", self.seq),
            partial(setattr, self, "version", self.version),
            partial(setattr, self, "time", self.time),
            partial(setattr, self, "running", self.running),
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

    # Each returns whether it changed a tier's tree or pools.

    def _begin(self, entry: Entry) -> bool:
        what = entry.what
        assert isinstance(what, changes.RequestBegan)
        begun = LiveView(what.request, 0, what.reused, what.reused, what.replayed, what.total)
        self.running = (*self._others(what.request), begun)
        return False

    def _go_on(self, entry: Entry) -> bool:
        what = entry.what
        assert isinstance(what, changes.RequestAt)
        if all(one.request != what.request for one in self.running):
            raise TraceError(f"Request {what.request} continues without having started.")
        self.running = tuple(
            replace(one, node=what.node, position=what.position)
            if one.request == what.request
            else one
            for one in self.running
        )
        return False

    def _end(self, entry: Entry) -> bool:
        what = entry.what
        assert isinstance(what, RequestRan)
        self.running = self._others(what.request)
        return False

    def _others(self, request: int) -> tuple[LiveView, ...]:
        return tuple(one for one in self.running if one.request != request)

    def _stamp(self, entry: Entry) -> bool:
        what, tier = entry.what, self.tier(entry.tier)
        assert isinstance(what, changes.Stamped)
        tier.apply(entry.time, what)
        found = what.status == "quarantined" and not what.inherited
        self.quarantined += found and tier.opened is not None
        return True

    def _remember(self, entry: Entry) -> bool:
        self.tier(entry.tier).apply(entry.time, entry.what)
        return False

    def _find(self, entry: Entry) -> bool:
        what = entry.what
        assert isinstance(what, changes.CacheFound)
        self.tier(entry.tier).apply(entry.time, what)
        self.quarantined += what.quarantined
        return True


def _segment_gone(entry: Entry, what: changes.SegmentRemoved) -> Evicted:
    return Evicted(
        seq=entry.seq,
        time=entry.time,
        tier=entry.tier,
        node=ROOT_ID,
        above=ROOT_ID,
        start=what.start,
        end=what.end,
        plane="both",
        cause=what.cause,
        kv_bytes=what.kv_bytes,
        state_bytes=what.bytes - what.kv_bytes,
        provenance=what.provenance,
        cached_to=what.start,
    )


_LIVE: Mapping[type, Callable[[CacheState, Entry], bool]] = {
    changes.RequestBegan: CacheState._begin,
    changes.RequestAt: CacheState._go_on,
    RequestRan: CacheState._end,
    changes.Stamped: CacheState._stamp,
    changes.CacheFound: CacheState._find,
    changes.ModelMemory: CacheState._remember,
}


@dataclass(frozen=True, slots=True, eq=False)
class _Tier:
    """One tier: its totals, its nodes as packed numbers, and data shared with other frames."""

    opened: Any
    evicted: dict[str, int]
    skipped: int
    sizes: Sizes
    live: Sizes
    own_states: int
    memory: changes.ModelMemory
    numbers: bytes
    tokens: list[bytes]
    states: list[StoredState]


@dataclass(frozen=True, slots=True, eq=False)
class _Disk:
    """The disk tier, likewise."""

    opened: DiskOpened
    damaged: int
    trouble: str
    waiting: frozenset[int]
    numbers: bytes
    tokens: list[bytes]
    states: list[StoredState]


@dataclass(frozen=True, slots=True, eq=False)
class Keyframe:
    """The state after a number of entries. Immutable; shares nothing mutable."""

    seq: int
    version: int
    time: float
    running: tuple[LiveView, ...]
    quarantined: int
    tiers: dict[str, _Tier]
    disk: _Disk | None

    @classmethod
    def of(cls, state: CacheState) -> Keyframe:
        tiers = {name: _packed(tier) for name, tier in state.tiers.items()}
        disk = _packed_disk(state.disk)
        now = state.seq, state.version, state.time
        return cls(*now, state.running, state.quarantined, tiers, disk)

    def restore(self, state: CacheState) -> None:
        """Load into a fresh state, whose watchers are notified of every node."""
        state.seq, state.version, state.time = self.seq, self.version, self.time
        state.running, state.quarantined = self.running, self.quarantined
        for name, packed in self.tiers.items():
            _unpack(packed, state.tier(name))
        if self.disk is not None:
            _unpack_disk(self.disk, state.disk)

    @property
    def nbytes(self) -> int:
        """Its own bytes; tokens and states are shared with other frames."""
        parts = (*self.tiers.values(), *(() if self.disk is None else (self.disk,)))
        return sum(len(part.numbers) + 8 * (len(part.tokens) + len(part.states)) for part in parts)


def _packed(tier: TierState) -> _Tier:
    spans = tier.in_order()
    return _Tier(
        opened=tier.opened,
        evicted=dict(tier.evicted),
        skipped=tier.skipped,
        sizes=tier.sizes,
        live=tier.live_slots,
        own_states=tier.own_states,
        memory=tier.memory,
        numbers=_numbers(spans),
        tokens=[span.tokens for span in spans],
        states=_states(spans),
    )


def _unpack(packed: _Tier, tier: TierState) -> None:
    tier.opened, tier.evicted, tier.skipped = packed.opened, Counter(packed.evicted), packed.skipped
    tier.sizes, tier.live_slots = packed.sizes, packed.live
    tier.own_states, tier.memory = packed.own_states, packed.memory
    tier.restore(_spans(packed))


def _packed_disk(disk: DiskState) -> _Disk | None:
    if disk.opened is None:
        return None
    spans = disk.in_order()
    return _Disk(
        opened=disk.opened,
        damaged=disk.damaged,
        trouble=disk.trouble,
        waiting=frozenset(span.id for span in spans if disk.waits(span)),
        numbers=_numbers(spans),
        tokens=[span.tokens for span in spans],
        states=_states(spans),
    )


def _unpack_disk(packed: _Disk, disk: DiskState) -> None:
    disk.damaged, disk.trouble = packed.damaged, packed.trouble
    spans = _spans(packed)
    for span in spans:
        # Restoring counts them again.
        span.children = 0
    disk.restore(packed.opened, spans, set(packed.waiting))


def _numbers(spans: list[Span]) -> bytes:
    """The fields of all spans, column by column, which restores fastest."""
    fields = [[get(span) for span in spans] for get in _OF_SPAN]
    held = [(place, span.held) for place, span in enumerate(spans) if span.held is not None]
    places = [place for place, _ in held]
    points = [[get(point) for _, point in held] for get in _OF_STATE]
    return zlib.compress(marshal.dumps((fields, places, points)), 1)


def _states(spans: list[Span]) -> list[StoredState]:
    return [span.held.state for span in spans if span.held is not None]


def _spans(packed: _Tier | _Disk) -> list[Span]:
    fields, places, points = marshal.loads(zlib.decompress(packed.numbers))
    held: list[HeldState | None] = [None] * len(packed.tokens)
    for place, point in zip(places, map(HeldState, packed.states, *points), strict=True):
        held[place] = point
    *known, children = fields
    return list(map(Span, *known, held, children, packed.tokens))


# In the argument order of Span and HeldState.
_OF_SPAN = tuple(
    attrgetter(name)
    for name in (
        "id",
        "parent",
        "start",
        "end",
        "created",
        "last_used",
        "hits",
        "kv_lock",
        "state_lock",
        "pinned",
        "children",
    )
)
_OF_STATE = tuple(attrgetter(name) for name in ("slot", "created", "last_used", "hits", "nbytes"))
