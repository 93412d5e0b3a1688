"""A tape's evictions, each with its age, its rank, and whether it was needed again.

An eviction's own record says what was removed. The entries before it show its age and its rank by
last use; the requests after it, whether it should have been kept.
"""

from __future__ import annotations

import time
from bisect import bisect_left, insort
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from engine.analysis.needs import Began, Gone, Need, Needs, PlacedState, Stored, Witness
from engine.cache.journal import changes
from engine.cache.journal.journal import Entry
from engine.cache.journal.request_ran import RequestRan
from engine.cache.node import ROOT_ID
from engine.journal.tape import Tape
from engine.snapshot import Evicted

# How many entries are followed between two checks of the clock.
STRIDE = 256


class UseOrder:
    """Nodes by the time of their last use, least recently used first."""

    def __init__(self) -> None:
        self._used: dict[int, float] = {}
        self._order: list[tuple[float, int]] = []

    def __len__(self) -> int:
        return len(self._order)

    def __contains__(self, node: int) -> bool:
        return node in self._used

    def put(self, node: int, used: float) -> None:
        """Insert a node, or change its time."""
        if self._used.get(node) == used:
            return
        self.drop(node)
        self._used[node] = used
        insort(self._order, (used, node))

    def drop(self, node: int) -> None:
        """Remove a node, if present."""
        used = self._used.pop(node, None)
        if used is not None:
            del self._order[bisect_left(self._order, (used, node))]

    def rank(self, node: int) -> int:
        """Its rank, from 1; nodes of the same time share the first one's. 0 if absent."""
        used = self._used.get(node)
        return 0 if used is None else bisect_left(self._order, (used, -1)) + 1


@dataclass(frozen=True, slots=True)
class KnownEviction:
    """An eviction of a tape.

    Attributes:
        index: of its entry on the tape.
        age_s, unused_s: since its creation, and since its last use; None if unknown.
        rank: its place by last use among the leaves of its tier, or of a state among the states
            there, 1 being the least recently used; 0 if there is no such order (files).
        among: how many there were in that order.
        witness: a request whose sequence contains its tokens; None if the tape has none.
    """

    index: int
    evicted: Evicted
    age_s: float | None
    unused_s: float | None
    rank: int
    among: int
    witness: Witness | None

    @property
    def bytes(self) -> int:
        return self.evicted.kv_bytes + self.evicted.state_bytes

    @property
    def request(self) -> RequestRan | None:
        """A request whose sequence contains its tokens, once known."""
        return None if self.witness is None else self.witness.ran


@dataclass(slots=True, eq=False)
class _Held:
    created: float
    used: float
    state: PlacedState


@dataclass(slots=True, eq=False)
class _Node:
    id: int
    parent: int
    start: int
    end: int
    created: float
    used: float
    witness: Witness | None
    children: int = 0
    held: _Held | None = None


class _Tier:
    def __init__(self) -> None:
        self.nodes: dict[int, _Node] = {}
        self.leaves = UseOrder()
        self.holders = UseOrder()


class Ledger:
    """Follows a tape incrementally.

    Attributes:
        evictions: in order.
        broken: the tape contradicts itself, and was followed up to there.
    """

    def __init__(self, tape: Tape) -> None:
        self.evictions: list[KnownEviction] = []
        self.broken = False
        self._tape = tape
        self._at = self._told = 0
        # Evictions that the tape dropped before they were read.
        self._missed = 0
        self._needs = Needs()
        self._tiers: dict[str, _Tier] = {}
        self._witness = Witness()
        self._matched = False
        self._requests = 0
        # New nodes on the host are copies of what the device evicts next.
        self._copied = Witness()
        self._arrivals: list[_Node] = []
        self._follow: dict[type, Callable[[Entry, Any], None]] = {
            changes.CacheOpened: self._opened,
            changes.CacheFound: self._found,
            changes.NodeAdded: self._added,
            changes.NodeSplit: self._split,
            changes.Touched: self._touched,
            changes.Refreshed: self._refreshed,
            changes.CheckpointStored: self._stored,
            changes.CheckpointDropped: self._dropped,
            changes.NodeRemoved: self._removed,
            changes.SegmentRemoved: self._file_removed,
            RequestRan: self._ran,
        }

    def follow(self, budget_s: float | None = None) -> bool:
        """Follow the tape for at most `budget_s`; returns whether its end was reached."""
        ends = None if budget_s is None else time.perf_counter() + budget_s
        if self._at < self._tape.first:
            self._begin_again(self._tape.first)
        while self._at < len(self._tape) and not self.broken:
            for _ in range(min(STRIDE, len(self._tape) - self._at)):
                entry = self._tape.entry(self._at)
                follow = self._follow.get(type(entry.what))
                if follow is not None:
                    try:
                        follow(entry, entry.what)
                    except KeyError:
                        self.broken = True
                        return True
                self._at += 1
            self._needs.settle()
            if ends is not None and time.perf_counter() >= ends:
                break
        return self._at >= len(self._tape)

    def _begin_again(self, first: int) -> None:
        """The tape dropped the next entries: continue from the caches as they were at `first`."""
        self._at, self._requests = first, self._tape.requests_before(first)
        before = bisect_left(self._tape.evictions, first, key=lambda one: one.index)
        self._missed = before - len(self.evictions)
        self._matched = False
        self._witness, self._copied = Witness(), Witness()
        self._arrivals.clear()
        for entry in self._tape.opening():
            assert isinstance(entry.what, changes.CacheFound)
            self._found(entry, entry.what)

    def need(self, number: int) -> Need | None:
        """The first request that needed again what eviction `number` removed."""
        return self._needs.found.get(number)

    @property
    def needs(self) -> Mapping[int, Need]:
        """The needs of all evictions that were needed again, by the eviction's number."""
        return self._needs.found

    def take_needs(self) -> list[int]:
        """The evictions newly found to be needed since the last call. Mutates the ledger."""
        numbers = list(islice(self._needs.found, self._told, None))
        self._told += len(numbers)
        return numbers

    def knows(self, number: int) -> bool:
        """Whether the tape shows if eviction `number` was needed again."""
        files = self.evictions[number].evicted.tier == "disk"
        return not files and number not in self._needs.unknown

    # ---- the tree

    def _opened(self, entry: Entry, opened: changes.CacheOpened) -> None:
        tier = self._tiers[entry.tier] = _Tier()
        tier.nodes[ROOT_ID] = _Node(ROOT_ID, -1, 0, 0, entry.time, entry.time, None)

    def _found(self, entry: Entry, found: changes.CacheFound) -> None:
        tier = self._tiers[entry.tier] = _Tier()
        for view in found.nodes:
            parent = -1 if view.parent is None else view.parent
            node = _Node(view.id, parent, view.start, view.end, view.created, view.last_used, None)
            tier.nodes[view.id] = node
            if view.parent is not None:
                tier.nodes[parent].children += 1
            held = view.checkpoint
            if held is not None:
                state = PlacedState(entry.tier, view.end, held.state.has_hidden, None)
                node.held = _Held(held.created, held.last_used, state)
                tier.holders.put(view.id, held.last_used)
        for node in tier.nodes.values():
            self._rank_leaf(tier, node)

    def _added(self, entry: Entry, added: changes.NodeAdded) -> None:
        tier = self._tiers[entry.tier]
        on_device = entry.tier == "device"
        witness = self._witness if on_device else self._copied
        node = _Node(
            added.node, added.parent, added.start, added.end, entry.time, entry.time, witness
        )
        tier.nodes[added.node] = node
        tier.nodes[added.parent].children += 1
        tier.leaves.drop(added.parent)
        tier.leaves.put(added.node, entry.time)
        if not on_device:
            self._arrivals.append(node)

    def _split(self, entry: Entry, split: changes.NodeSplit) -> None:
        tier = self._tiers[entry.tier]
        lower = tier.nodes[split.node]
        tier.nodes[split.upper] = _Node(
            split.upper,
            lower.parent,
            lower.start,
            split.position,
            lower.created,
            lower.used,
            lower.witness,
            children=1,
        )
        if lower in self._arrivals:
            self._arrivals.append(tier.nodes[split.upper])
        lower.start, lower.parent = split.position, split.upper

    def _touched(self, entry: Entry, touched: changes.Touched) -> None:
        tier = self._tiers[entry.tier]
        self._use(tier, touched.node, entry.time)
        if touched.checkpoint is not None:
            self._use_state(tier, touched.checkpoint, entry.time)
        if entry.tier == "device":
            self._match()

    def _match(self) -> None:
        """A request was matched; if the previous one has not ended, it never will."""
        if self._matched:
            self._end(None)
        self._matched = True
        self._disown_arrivals()
        self._needs.take(Began(self._witness))

    def _refreshed(self, entry: Entry, refreshed: changes.Refreshed) -> None:
        tier = self._tiers[entry.tier]
        self._use(tier, refreshed.node, entry.time)
        self._use_state(tier, refreshed.node, entry.time)

    def _use(self, tier: _Tier, at: int, now: float) -> None:
        while at >= 0:
            node = tier.nodes[at]
            node.used = now
            self._rank_leaf(tier, node)
            at = node.parent

    def _use_state(self, tier: _Tier, at: int, now: float) -> None:
        held = tier.nodes[at].held
        if held is not None:
            held.used = now
            tier.holders.put(at, now)

    def _rank_leaf(self, tier: _Tier, node: _Node) -> None:
        if not node.children and node.id != ROOT_ID:
            tier.leaves.put(node.id, node.used)

    # ---- states

    def _stored(self, entry: Entry, stored: changes.CheckpointStored) -> None:
        tier = self._tiers[entry.tier]
        node = tier.nodes[stored.node]
        state = PlacedState(entry.tier, node.end, stored.state.has_hidden, node.witness)
        node.held = _Held(entry.time, entry.time, state)
        tier.holders.put(node.id, entry.time)
        self._needs.take(Stored(state))

    def _dropped(self, entry: Entry, dropped: changes.CheckpointDropped) -> None:
        tier = self._tiers[entry.tier]
        node, held = tier.nodes[dropped.node], tier.nodes[dropped.node].held
        made = None if held is None else (held.created, held.used)
        self._know(entry, node, tier.holders, made)
        node.held = None
        tier.holders.drop(node.id)

    def _removed(self, entry: Entry, removed: changes.NodeRemoved) -> None:
        tier = self._tiers[entry.tier]
        node = tier.nodes[removed.node]
        # A state evicted for its slot took its leaf along.
        by_state = removed.cause == "state pressure" and node.held is not None
        order = tier.holders if by_state else tier.leaves
        self._know(entry, node, order, (node.created, node.used))
        del tier.nodes[removed.node]
        tier.leaves.drop(removed.node)
        tier.holders.drop(removed.node)
        above = tier.nodes[node.parent]
        above.children -= 1
        self._rank_leaf(tier, above)

    def _know(
        self, entry: Entry, node: _Node, order: UseOrder, made: tuple[float, float] | None
    ) -> None:
        if entry.tier == "device":
            for arrival in self._arrivals:
                self._hand_down(node, arrival)
            self._disown_arrivals()
        number = len(self.evictions)
        evicted = self._tape.evictions[self._missed + number].evicted
        if node.held is not None:
            self._needs.take(Gone(number, node.held.state, evicted.copy))
        self.evictions.append(
            KnownEviction(
                index=self._at,
                evicted=evicted,
                age_s=None if made is None else max(entry.time - made[0], 0.0),
                unused_s=None if made is None else max(entry.time - made[1], 0.0),
                rank=order.rank(node.id),
                among=len(order),
                witness=node.witness,
            )
        )

    def _hand_down(self, source: _Node, copy: _Node) -> None:
        copy.witness = source.witness
        if copy.held is not None:
            copy.held.state.witness = source.witness

    def _disown_arrivals(self) -> None:
        if self._arrivals:
            self._arrivals.clear()
            self._copied.over = True
            self._copied = Witness()

    def _file_removed(self, entry: Entry, removed: changes.SegmentRemoved) -> None:
        evicted = self._tape.evictions[self._missed + len(self.evictions)].evicted
        self.evictions.append(KnownEviction(self._at, evicted, None, None, 0, 0, None))

    # ---- requests

    def _ran(self, entry: Entry, ran: RequestRan) -> None:
        self._witness.number = self._requests
        self._requests += 1
        self._end(ran)

    def _end(self, ran: RequestRan | None) -> None:
        self._witness.ran, self._witness.over = ran, True
        self._witness, self._matched = Witness(), False
