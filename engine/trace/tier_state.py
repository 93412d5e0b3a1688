"""One tier rebuilt from its records, with the same views as the live tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, get_args

from engine.cache.journal import changes
from engine.cache.node import ROOT_ID
from engine.errors import TraceError
from engine.snapshot import NodeView, PoolView
from engine.stored_state import TierName
from engine.trace.spans import HeldState, Span, node_view, pool_view
from engine.verdict import Verdict, VerdictStatus

HERE: TierName = "device"


class TierState:
    """Applies the changes of one tier.

    Attributes:
        opened: the cache's settings; None before its first record.
        evicted: counts by cause.
        skipped: checkpoints that were not taken.
    """

    def __init__(self) -> None:
        self.opened: changes.CacheOpened | None = None
        self.evicted: Counter[str] = Counter()
        self.skipped = 0
        self._spans: dict[int, Span] = {}
        self._sizes = (0, 0)
        self._live = (0, 0)
        self._tokens = 0
        self._states = 0
        self._follow: dict[type, Callable[[float, Any], None]] = {
            changes.CacheOpened: self._open,
            changes.CacheFound: self._find,
            changes.PoolsResized: self._resize,
            changes.SlotsLive: self._live_slots,
            changes.NodeAdded: self._add,
            changes.NodeSplit: self._split,
            changes.NodeRemoved: self._remove,
            changes.Touched: self._touch,
            changes.Refreshed: self._refresh,
            changes.CheckpointStored: self._store,
            changes.CheckpointDropped: self._drop,
            changes.CheckpointSkipped: self._skip,
            changes.StateSlotMoved: self._move_slot,
            changes.KvLocked: self._lock_kv,
            changes.KvUnlocked: self._unlock_kv,
            changes.StateLocked: self._lock_state,
            changes.StateUnlocked: self._unlock_state,
            changes.Stamped: self._stamp,
            changes.Pinned: self._pin,
            changes.Unpinned: self._unpin,
        }

    def apply(self, time: float, change: object) -> bool:
        """Apply one change; False if it is not a tier's.

        Raises TraceError if it is impossible in this state.
        """
        follow = self._follow.get(type(change))
        if follow is None:
            return False
        follow(time, change)
        return True

    # ---- views

    def nodes(self) -> tuple[NodeView, ...]:
        """Every node, parents before children."""
        kv_bytes, state_bytes = self._slot_bytes()
        order: list[NodeView] = []
        stack = [ROOT_ID] if ROOT_ID in self._spans else []
        while stack:
            span = self._spans[stack.pop()]
            order.append(node_view(span, kv_bytes, state_bytes))
            stack.extend(span.children)
        return tuple(order)

    def kv_pool(self) -> PoolView:
        """The KV pool in slots."""
        locked = sum(s.end - s.start for s in self._spans.values() if s.kv_lock)
        return pool_view(self._sizes[0], self._live[0], self._tokens, locked, self._slot_bytes()[0])

    def state_pool(self) -> PoolView:
        """The state pool in slots."""
        locked = sum(1 for s in self._spans.values() if s.state_lock)
        return pool_view(self._sizes[1], self._live[1], self._states, locked, self._slot_bytes()[1])

    def path(self, node: int) -> tuple[int, ...]:
        """Node ids from the root (included) down to `node`."""
        return tuple(span.id for span in self._up(node))[::-1]

    # ---- the whole

    def _open(self, time: float, change: changes.CacheOpened) -> None:
        self.opened = change
        self.evicted.clear()
        self.skipped = 0
        self._spans = {ROOT_ID: Span(ROOT_ID, None, 0, 0, time, time)}
        self._sizes = (change.kv_slots, change.state_slots)
        self._live = (0, 0)
        self._tokens = self._states = 0

    def _find(self, time: float, change: changes.CacheFound) -> None:
        self._open(time, change.opened)
        self.evicted.update(dict(change.evicted))
        self.skipped = change.skipped
        self._live = (change.live_kv, change.live_states)
        self._spans = {}
        for view in change.nodes:
            self._put(view)
        if ROOT_ID not in self._spans:
            raise TraceError("The trace holds a cache without a root.")

    def _put(self, view: NodeView) -> None:
        if view.id in self._spans or (view.parent is None) != (view.id == ROOT_ID):
            raise TraceError(f"The trace holds a cache with node {view.id} where it cannot be.")
        if view.parent is not None:
            self._span(view.parent).children[view.id] = None
        held = view.checkpoint
        state = None
        if held is not None:
            state = HeldState(held.state, held.slot, held.created, held.last_used, held.hits)
        self._spans[view.id] = Span(
            id=view.id,
            parent=view.parent,
            start=view.start,
            end=view.end,
            created=view.created,
            last_used=view.last_used,
            hits=view.hits,
            kv_lock=view.kv_lock,
            state_lock=view.state_lock,
            pinned=view.pinned,
            held=state,
        )
        self._tokens += view.end - view.start
        self._states += held is not None

    def _resize(self, time: float, change: changes.PoolsResized) -> None:
        self._sizes = (change.kv_slots, change.state_slots)

    def _live_slots(self, time: float, change: changes.SlotsLive) -> None:
        self._live = (change.kv, change.states)

    # ---- nodes

    def _add(self, time: float, change: changes.NodeAdded) -> None:
        parent = self._span(change.parent)
        if change.node in self._spans or change.start != parent.end or change.end <= change.start:
            raise TraceError(f"Node {change.node} cannot be added below node {change.parent}.")
        self._spans[change.node] = Span(
            change.node, change.parent, change.start, change.end, time, time
        )
        parent.children[change.node] = None
        self._tokens += change.end - change.start

    def _split(self, time: float, change: changes.NodeSplit) -> None:
        lower = self._span(change.node)
        if lower.parent is None or not lower.start < change.position < lower.end:
            raise TraceError(f"Node {change.node} cannot be split at {change.position}.")
        if change.upper in self._spans:
            raise TraceError(f"Node {change.upper} already exists.")
        above = self._span(lower.parent)
        self._spans[change.upper] = Span(
            id=change.upper,
            parent=lower.parent,
            start=lower.start,
            end=change.position,
            created=lower.created,
            last_used=lower.last_used,
            hits=lower.hits,
            kv_lock=lower.kv_lock,
            children={change.node: None},
        )
        del above.children[change.node]
        above.children[change.upper] = None
        lower.start, lower.parent = change.position, change.upper

    def _remove(self, time: float, change: changes.NodeRemoved) -> None:
        span = self._span(change.node)
        if span.parent is None or span.children:
            raise TraceError(f"Node {change.node} is not a leaf and cannot be removed.")
        self._states -= span.held is not None
        self._tokens -= span.end - span.start
        del self._span(span.parent).children[change.node], self._spans[change.node]
        self.evicted[change.cause] += 1

    def _touch(self, time: float, change: changes.Touched) -> None:
        for span in self._up(change.node):
            span.last_used = time
            span.hits += 1
        if change.checkpoint is not None:
            held = self._held(change.checkpoint)
            held.last_used = time
            held.hits += 1

    def _refresh(self, time: float, change: changes.Refreshed) -> None:
        for span in self._up(change.node):
            span.last_used = time
        self._held(change.node).last_used = time

    # ---- checkpoints

    def _store(self, time: float, change: changes.CheckpointStored) -> None:
        span = self._span(change.node)
        if span.held is not None or span.end != change.state.position:
            raise TraceError(f"Node {change.node} cannot take a state at {change.state.position}.")
        # A tier's own views say nothing of the other tiers.
        state = change.state.on(HERE)
        span.held = HeldState(state, change.slot, time, time, change.hits)
        self._states += 1

    def _drop(self, time: float, change: changes.CheckpointDropped) -> None:
        self._held(change.node)
        self._span(change.node).held = None
        self._states -= 1
        self.evicted[change.cause] += 1

    def _skip(self, time: float, change: changes.CheckpointSkipped) -> None:
        self.skipped += 1

    def _move_slot(self, time: float, change: changes.StateSlotMoved) -> None:
        self._held(change.node).slot = change.slot

    def _stamp(self, time: float, change: changes.Stamped) -> None:
        if self.opened is None:
            # A verdict from before the recording, for a replay.
            return
        verdict = verdict_of(change, time)
        if verdict is None:
            raise TraceError(f'"{change.status}" is not a known verdict.')
        held = self._held(change.node)
        held.state = replace(held.state, verdict=verdict)

    # ---- locks

    def _lock_kv(self, time: float, change: changes.KvLocked) -> None:
        for span in self._up(change.node):
            if span.id == change.below:
                return
            span.kv_lock += 1

    def _unlock_kv(self, time: float, change: changes.KvUnlocked) -> None:
        for span in self._up(change.node):
            span.kv_lock -= 1

    def _lock_state(self, time: float, change: changes.StateLocked) -> None:
        self._span(change.node).state_lock += 1

    def _unlock_state(self, time: float, change: changes.StateUnlocked) -> None:
        self._span(change.node).state_lock -= 1

    # ---- pins

    def _pin(self, time: float, change: changes.Pinned) -> None:
        self._held(change.node)
        self._span(change.node).pinned = True

    def _unpin(self, time: float, change: changes.Unpinned) -> None:
        self._span(change.node).pinned = False

    # ---- inside

    def _span(self, node: int) -> Span:
        span = self._spans.get(node)
        if span is None:
            raise TraceError(f"Node {node} is not in the tree.")
        return span

    def _held(self, node: int) -> HeldState:
        held = self._span(node).held
        if held is None:
            raise TraceError(f"Node {node} has no state.")
        return held

    def _up(self, node: int) -> Iterator[Span]:
        at: int | None = node
        while at is not None:
            span = self._span(at)
            yield span
            at = span.parent

    def _slot_bytes(self) -> tuple[int, int]:
        if self.opened is None:
            return 0, 0
        return self.opened.kv_slot_bytes, self.opened.state_slot_bytes


def verdict_of(stamped: changes.Stamped, time: float) -> Verdict | None:
    """The record's verdict; None if it is not a known one."""
    status = next((known for known in get_args(VerdictStatus) if known == stamped.status), None)
    return None if status is None else Verdict(status, stamped.largest, stamped.kl, time)
