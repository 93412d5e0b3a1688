"""Bytes of one tier over time, from the journal's entries. Without Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.debugger.timeline.logic.growing import Floats, Growing, Ints
from engine.cache.journal import changes as ch

# From the bottom of the stack: bytes held by the tree and by requests, for each plane.
LAYERS = ("kv_cached", "kv_live", "state_cached", "state_live")


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """Bytes of one tier; each row holds until the next one.

    Attributes:
        time: `[points]` seconds.
        index: `[points]` of the entry.
        stack: `[points, 4]` bytes, in the order of LAYERS, each on top of those before it.
        budgets: `[changes, 3]`: seconds, and from then on the bytes of the KV and the state pool.
        top: the maximum of bytes in use and budgets.
        padded: `stack` with one more row, of arbitrary values.
    """

    time: Floats
    index: Ints
    stack: Ints
    budgets: Floats
    top: int
    padded: Ints

    def __len__(self) -> int:
        return len(self.time)

    def at(self, time: float) -> int:
        """The row that holds at a time, -1 before the first."""
        return int(np.searchsorted(self.time, time, side="right")) - 1

    def bytes_at(self, time: float) -> int:
        """All bytes in use at a time."""
        row = self.at(time)
        return int(self.stack[row, -1]) if row >= 0 else 0

    def peak(self, start: float, end: float) -> int:
        """The most bytes in use in [start, end]."""
        first = max(self.at(start), 0)
        return int(self.stack[first : self.at(end) + 1, -1].max(initial=0))


class TierLevels:
    """Follows the entries of one tier."""

    def __init__(self) -> None:
        self._spans: dict[int, tuple[int, int]] = {}
        self._held: set[int] = set()
        self._tokens = 0
        self._live = (0, 0)
        self._own = 0
        self._slots = (0, 0)
        self._slot_bytes = (0, 0)
        self._rows = Growing(5, "q")
        self._times = Growing(1, "d")
        self._budgets = Growing(3, "d")
        self._top = 0

    def levels(self) -> Levels:
        """All rows so far."""
        rows, padded = self._rows.rows, self._rows.padded
        times, budgets = self._times.rows[:, 0], self._budgets.rows
        return Levels(times, rows[:, 0], rows[:, 1:], budgets, self._top, padded[:, 1:])

    def follow(self, index: int, time: float, what: Any) -> None:
        """Apply an entry; entries that change no bytes are ignored."""
        change = CHANGES.get(type(what))
        if change is None:
            return
        change(self, what)
        if type(what) in _SIZES:
            self._allow(time)
        self._note(index, time)

    def _note(self, index: int, time: float) -> None:
        """Record the bytes in use."""
        kv, state = self._slot_bytes
        cached = self._tokens * kv
        in_kv = cached + self._live[0] * kv
        stored = in_kv + len(self._held) * state
        total = stored + self._live[1] * state
        self._times.add((time,))
        self._rows.add((index, cached, in_kv, stored, total))
        self._top = max(self._top, total)

    def _allow(self, time: float) -> None:
        """Record the pools' sizes."""
        (kv_slots, state_slots), (kv_bytes, state_bytes) = self._slots, self._slot_bytes
        kv, state = kv_slots * kv_bytes, state_slots * state_bytes
        self._budgets.add((time, kv, state))
        self._top = max(self._top, kv + state + self._own * state_bytes)

    def _split(self, what: ch.NodeSplit) -> None:
        """Move tokens from the lower part to the upper one; total bytes do not change."""
        start, end = self._spans.get(what.node, (what.position, what.position))
        self._spans[what.upper] = (start, what.position)
        self._spans[what.node] = (what.position, end)

    def _open(self, what: ch.CacheOpened) -> None:
        self._spans.clear()
        self._held.clear()
        self._tokens, self._live, self._own = 0, (0, 0), 0
        self._slots = (what.kv_slots, what.state_slots)
        self._slot_bytes = (what.kv_slot_bytes, what.state_slot_bytes)

    def _find(self, what: ch.CacheFound) -> None:
        self._open(what.opened)
        # A live request's own slot counts for the state plane, but not for its budget.
        self._own = what.own_states
        self._resize(ch.PoolsResized(*self._slots))
        self._count_live(ch.SlotsLive(what.live_kv, what.live_states))
        for node in what.nodes:
            self._spans[node.id] = (node.start, node.end)
            if node.checkpoint is not None:
                self._held.add(node.id)
        self._tokens = sum(end - start for start, end in self._spans.values())

    def _resize(self, what: ch.PoolsResized) -> None:
        self._slots = (what.kv_slots, what.state_slots)

    def _count_live(self, what: ch.SlotsLive) -> None:
        self._live = (what.kv, what.states + self._own)

    def _add(self, what: ch.NodeAdded) -> None:
        self._spans[what.node] = (what.start, what.end)
        self._tokens += what.end - what.start

    def _remove(self, what: ch.NodeRemoved) -> None:
        start, end = self._spans.pop(what.node, (0, 0))
        self._tokens -= end - start
        self._held.discard(what.node)

    def _store(self, what: ch.CheckpointStored) -> None:
        self._held.add(what.node)

    def _drop(self, what: ch.CheckpointDropped) -> None:
        self._held.discard(what.node)


CHANGES: dict[type, Callable[[TierLevels, Any], None]] = {
    ch.CacheOpened: TierLevels._open,
    ch.CacheFound: TierLevels._find,
    ch.PoolsResized: TierLevels._resize,
    ch.SlotsLive: TierLevels._count_live,
    ch.NodeAdded: TierLevels._add,
    ch.NodeSplit: TierLevels._split,
    ch.NodeRemoved: TierLevels._remove,
    ch.CheckpointStored: TierLevels._store,
    ch.CheckpointDropped: TierLevels._drop,
}
_SIZES = frozenset((ch.CacheOpened, ch.CacheFound, ch.PoolsResized))
