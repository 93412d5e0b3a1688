"""One tier rebuilt from its records, with the same views as the live tree, and undo."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import groupby, islice, zip_longest
from operator import attrgetter
from typing import Any, Protocol

from engine.cache.journal import changes
from engine.cache.node import ROOT_ID
from engine.errors import TraceError
from engine.journal.fields import verdict_of
from engine.journal.spans import HeldState, Span, node_view, pool_view, span_of
from engine.snapshot import NodeView, PoolView
from engine.stored_state import TierName

HERE: TierName = "device"
# Slots of KV and of states.
Sizes = tuple[int, int]
NO_MODEL = changes.ModelMemory(0, 0)
# Actions in the order of the changes, to be run in reverse.
Undo = list[Callable[[], object]]


class Watcher(Protocol):
    """Observes a tier's tree, for example to draw it."""

    def cleared(self) -> None: ...

    def added(self, span: Span) -> None: ...

    def restored(self, spans: list[Span]) -> None:
        """The tree is now all of these, parents first; it was empty before."""

    def split(self, upper: Span, lower: Span) -> None:
        """`upper` took the tokens before `lower.start`, and is now its parent."""

    def joined(self, upper: Span, lower: Span) -> None:
        """The inverse: `lower` has all its tokens again, and `upper` was removed."""

    def removed(self, span: Span) -> None: ...

    def changed(self, span: Span) -> None:
        """A displayed field changed."""


class Nobody:
    """A watcher that ignores everything."""

    def cleared(self) -> None: ...

    def added(self, span: Span) -> None: ...

    def restored(self, spans: list[Span]) -> None: ...

    def split(self, upper: Span, lower: Span) -> None: ...

    def joined(self, upper: Span, lower: Span) -> None: ...

    def removed(self, span: Span) -> None: ...

    def changed(self, span: Span) -> None: ...


class CannotUndo(Exception):
    """The change discards everything before it."""


class UndoNotes:
    """Notes how to undo the current change.

    Attributes:
        actions: a list while undo is wanted; None: nothing is noted.
    """

    __slots__ = ("actions",)

    def __init__(self) -> None:
        self.actions: Undo | None = None

    def note(self, action: Callable[..., object], *given: object) -> None:
        """Calling `action` with `given` undoes the change."""
        if self.actions is not None:
            self.actions.append(partial(action, *given))

    def keep(self, owner: object, name: str) -> None:
        """Note an attribute of `owner` before it changes."""
        if self.actions is not None:
            self.actions.append(partial(setattr, owner, name, getattr(owner, name)))

    def refuse(self) -> None:
        """The change cannot be undone. Raises CannotUndo if undo is wanted."""
        if self.actions is not None:
            raise CannotUndo


class TierState:
    """Applies the changes of one tier.

    Attributes:
        opened: the cache's settings; None before its first record.
        evicted: counts by cause.
        skipped: checkpoints that were not taken.
        sizes, live_slots: slots of the pools, and of those the ones that requests hold.
        own_states: state slots that the engine holds outside the cache.
        memory: the model's memory besides the cache; zeros for a cache without one.
        undo: notes how to undo changes, while that is wanted.
    """

    def __init__(self, watcher: Watcher | None = None) -> None:
        self._watcher = watcher or Nobody()
        self.undo = UndoNotes()
        self.opened: changes.CacheOpened | None = None
        self.evicted: Counter[str] = Counter()
        self.skipped = 0
        self._spans: dict[int, Span] = {}
        self.sizes: Sizes = (0, 0)
        self.live_slots: Sizes = (0, 0)
        self.own_states = 0
        self.memory = NO_MODEL
        self._tokens = 0
        self._states = 0
        # Every node with a lock, and perhaps others: far fewer than all nodes.
        self._lockable: set[int] = set()
        self._follow: dict[type, Callable[[float, Any], None]] = {
            changes.CacheOpened: self._open,
            changes.CacheFound: self._find,
            changes.ModelMemory: self._remember,
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
        """Apply one change; False if it is not one of a tier.

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
        kv_bytes, state_bytes = self.slot_bytes
        return tuple(node_view(span, kv_bytes, state_bytes) for span in self.in_order())

    @property
    def size(self) -> int:
        """The number of nodes."""
        return len(self._spans)

    def in_order(self) -> list[Span]:
        """Every node, parents before children."""
        return sorted(self._spans.values(), key=lambda span: span.end)

    def kv_pool(self) -> PoolView:
        """The KV pool in slots."""
        locked = sum(s.end - s.start for s in self._locked() if s.kv_lock)
        (total, _), (live, _), (nbytes, _) = self.sizes, self.live_slots, self.slot_bytes
        return pool_view(total, live, self._tokens, locked, nbytes)

    def state_pool(self) -> PoolView:
        """The state pool in slots."""
        locked = sum(1 for s in self._locked() if s.state_lock)
        (_, total), (_, live), (_, nbytes) = self.sizes, self.live_slots, self.slot_bytes
        return pool_view(total, live, self._states, locked, nbytes)

    def path(self, node: int) -> tuple[int, ...]:
        """Node ids from the root (included) down to `node`."""
        return tuple(span.id for span in self._up(node))[::-1]

    # ---- the whole

    def _open(self, time: float, change: changes.CacheOpened) -> None:
        self.undo.refuse()
        self._watcher.cleared()
        self.opened = change
        self.evicted.clear()
        self.skipped = 0
        root = Span(ROOT_ID, None, 0, 0, time, time)
        self._spans = {ROOT_ID: root}
        self._watcher.added(root)
        self.sizes = (change.kv_slots, change.state_slots)
        self.live_slots = (0, 0)
        self.own_states, self.memory = 0, NO_MODEL
        self._tokens = self._states = 0

    def restore(self, spans: list[Span]) -> None:
        """Take over nodes, parents first."""
        self._spans = {span.id: span for span in spans}
        self._tokens = sum([span.end - span.start for span in spans])
        self._states = sum([span.held is not None for span in spans])
        self._lockable = {span.id for span in spans if span.kv_lock or span.state_lock}
        self._watcher.restored(spans)

    def _find(self, time: float, change: changes.CacheFound) -> None:
        self._open(time, change.opened)
        self.evicted.update(dict(change.evicted))
        self.skipped = change.skipped
        self.live_slots = (change.live_kv, change.live_states)
        self.own_states = change.own_states
        self.memory = changes.ModelMemory(change.weights, change.workspace)
        self._spans = {}
        self._watcher.cleared()
        for view, tokens in zip_longest(change.nodes, change.tokens, fillvalue=b""):
            assert isinstance(view, NodeView), "every span is a node"
            self._put(view, tokens)
        if ROOT_ID not in self._spans:
            raise TraceError("The trace holds a cache without a root.")

    def _put(self, view: NodeView, tokens: bytes) -> None:
        if view.id in self._spans or (view.parent is None) != (view.id == ROOT_ID):
            raise TraceError(f"The trace holds a cache with node {view.id} where it cannot be.")
        if view.parent is not None:
            above = self._span(view.parent)
            if above.end != view.start or view.end < view.start + (view.parent != ROOT_ID):
                raise TraceError(f"Node {view.id} cannot be below node {view.parent}.")
            above.children += 1
        span = self._spans[view.id] = span_of(view, tokens)
        self._watch_locks(span)
        self._watcher.added(span)
        self._tokens += view.end - view.start
        self._states += span.held is not None

    def _remember(self, time: float, change: changes.ModelMemory) -> None:
        self.undo.keep(self, "memory")
        self.memory = change

    def _resize(self, time: float, change: changes.PoolsResized) -> None:
        self.undo.keep(self, "sizes")
        self.sizes = (change.kv_slots, change.state_slots)

    def _live_slots(self, time: float, change: changes.SlotsLive) -> None:
        self.undo.keep(self, "live_slots")
        self.live_slots = (change.kv, change.states)

    # ---- nodes

    def _add(self, time: float, change: changes.NodeAdded) -> None:
        parent = self._span(change.parent)
        # A span without tokens represents an engine, below the root.
        least = change.start + (change.parent != ROOT_ID)
        if change.node in self._spans or change.start != parent.end or change.end < least:
            raise TraceError(f"Node {change.node} cannot be added below node {change.parent}.")
        span = Span(change.node, change.parent, change.start, change.end, time, time)
        span.tokens = change.tokens
        self._insert(span)
        self.undo.note(self._take_out, span)

    def _insert(self, span: Span) -> None:
        assert span.parent is not None
        self._spans[span.id] = span
        self._spans[span.parent].children += 1
        self._tokens += span.end - span.start
        self._states += span.held is not None
        self._watch_locks(span)
        self._watcher.added(span)

    def _take_out(self, span: Span) -> None:
        assert span.parent is not None
        self._states -= span.held is not None
        self._tokens -= span.end - span.start
        self._spans[span.parent].children -= 1
        del self._spans[span.id]
        self._watcher.removed(span)

    def _split(self, time: float, change: changes.NodeSplit) -> None:
        lower = self._span(change.node)
        if lower.parent is None or not lower.start < change.position < lower.end:
            raise TraceError(f"Node {change.node} cannot be split at {change.position}.")
        if change.upper in self._spans:
            raise TraceError(f"Node {change.upper} already exists.")
        upper = self._spans[change.upper] = lower.cut(change.upper, change.position)
        self._watch_locks(upper)
        self._watcher.split(upper, lower)
        self.undo.note(self._join, upper, lower)

    def _join(self, upper: Span, lower: Span) -> None:
        lower.join(upper)
        del self._spans[upper.id]
        self._watcher.joined(upper, lower)

    def _remove(self, time: float, change: changes.NodeRemoved) -> None:
        span = self._span(change.node)
        if span.parent is None or span.children:
            raise TraceError(f"Node {change.node} is not a leaf and cannot be removed.")
        self._take_out(span)
        self._count(change.cause)
        self.undo.note(self._insert, span)

    def _touch(self, time: float, change: changes.Touched) -> None:
        self._use(change.node, time, 1)
        if change.checkpoint is not None:
            held = self._edit(change.checkpoint)
            held.last_used = time
            held.hits += 1

    def _refresh(self, time: float, change: changes.Refreshed) -> None:
        self._use(change.node, time, 0)
        self._edit(change.node).last_used = time

    def _use(self, node: int, time: float, hits: int) -> None:
        """Mark the path down to a node as used."""
        path = list(self._up(node))
        if self.undo.actions is not None:
            # Nodes used together are noted together: a path has many nodes and few distinct times.
            runs = [(used, len(list(run))) for used, run in groupby(path, attrgetter("last_used"))]
            self.undo.note(self._use_back, node, runs, hits)
        for span in path:
            span.last_used = time
            span.hits += hits
            self._watcher.changed(span)

    def _use_back(self, node: int, runs: list[tuple[float, int]], hits: int) -> None:
        """Undo `_use`. `runs`: times and how many nodes had each, upwards."""
        path = self._up(node)
        for used, length in runs:
            for span in islice(path, length):
                span.last_used = used
                span.hits -= hits
                self._watcher.changed(span)

    # ---- checkpoints

    def _store(self, time: float, change: changes.CheckpointStored) -> None:
        span = self._span(change.node)
        if span.held is not None or span.end != change.state.position:
            raise TraceError(f"Node {change.node} cannot take a state at {change.state.position}.")
        # A tier's own views do not mention other tiers.
        state = change.state.on(HERE)
        self._keep(span)
        span.held = HeldState(state, change.slot, time, time, change.hits)
        self._count_states(1)

    def _drop(self, time: float, change: changes.CheckpointDropped) -> None:
        self._held(change.node)
        span = self._span(change.node)
        self._keep(span)
        span.held = None
        self._count_states(-1)
        self._count(change.cause)

    def _skip(self, time: float, change: changes.CheckpointSkipped) -> None:
        self.undo.keep(self, "skipped")
        self.skipped += 1

    def _move_slot(self, time: float, change: changes.StateSlotMoved) -> None:
        self._edit(change.node).slot = change.slot

    def _stamp(self, time: float, change: changes.Stamped) -> None:
        if self.opened is None:
            # A verdict from before the recording, kept for a replay.
            return
        verdict = verdict_of(change, time)
        if verdict is None:
            raise TraceError(f'"{change.status}" is not a known verdict.')
        held = self._edit(change.node)
        held.state = replace(held.state, verdict=verdict)

    # ---- locks

    def _lock_kv(self, time: float, change: changes.KvLocked) -> None:
        self._lock_path(change.node, change.below, 1)

    def _unlock_kv(self, time: float, change: changes.KvUnlocked) -> None:
        self._lock_path(change.node, None, -1)

    def _lock_path(self, node: int, below: int | None, more: int) -> None:
        """Add KV locks to a node and its ancestors, up to but excluding `below`."""
        for span in self._up(node):
            if span.id == below:
                break
            span.kv_lock += more
            self._lock_changed(span)
        self.undo.note(self._lock_path, node, below, -more)

    def _lock_state(self, time: float, change: changes.StateLocked) -> None:
        self._lock(self._span(change.node), 1)

    def _unlock_state(self, time: float, change: changes.StateUnlocked) -> None:
        self._lock(self._span(change.node), -1)

    def _lock(self, span: Span, more: int) -> None:
        span.state_lock += more
        self._lock_changed(span)
        self.undo.note(self._lock, span, -more)

    def _lock_changed(self, span: Span) -> None:
        """A lock of a span changed, or was undone."""
        self._lockable.add(span.id)
        self._watcher.changed(span)

    def _watch_locks(self, span: Span) -> None:
        """Track a span that may have locks from the start."""
        if span.kv_lock or span.state_lock:
            self._lockable.add(span.id)

    def _locked(self) -> list[Span]:
        """The nodes with a lock."""
        known = map(self._spans.get, self._lockable)
        locked = [s for s in known if s is not None and (s.kv_lock or s.state_lock)]
        self._lockable.intersection_update([span.id for span in locked])
        return locked

    # ---- pins

    def _pin(self, time: float, change: changes.Pinned) -> None:
        self._held(change.node)
        self._put_pin(change.node, True)

    def _unpin(self, time: float, change: changes.Unpinned) -> None:
        self._put_pin(change.node, False)

    def _put_pin(self, node: int, pinned: bool) -> None:
        span = self._span(node)
        self._keep(span)
        span.pinned = pinned

    # ---- inside

    def span(self, node: int) -> Span:
        """Raises TraceError if there is no such node."""
        return self._span(node)

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

    def _edit(self, node: int) -> HeldState:
        """The state of a node, about to change."""
        held = self._held(node)
        span = self._span(node)
        self._keep(span)
        # The previous object may be needed for undo.
        span.held = HeldState(held.state, held.slot, held.created, held.last_used, held.hits)
        return span.held

    def _keep(self, span: Span) -> None:
        """Note a span's fields before one changes."""
        self._watcher.changed(span)
        if self.undo.actions is not None:
            self.undo.note(self._watcher.changed, span)
            self.undo.note(span.restorer())

    def _count(self, cause: str) -> None:
        self.evicted[cause] += 1
        self.undo.note(self.evicted.subtract, (cause,))

    def _count_states(self, more: int) -> None:
        self.undo.keep(self, "_states")
        self._states += more

    def _up(self, node: int) -> Iterator[Span]:
        at: int | None = node
        while at is not None:
            span = self._span(at)
            yield span
            at = span.parent

    @property
    def slot_bytes(self) -> Sizes:
        """Bytes of KV per token and of a state."""
        opened = self.opened
        return (opened.kv_slot_bytes, opened.state_slot_bytes) if opened is not None else (0, 0)
