"""Locks: what a running request reads cannot be evicted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.cache.journal.changes import KvLocked, KvUnlocked, StateLocked, StateUnlocked
from engine.cache.journal.journal import LogChange, silent
from engine.cache.node import Node
from engine.cache.tree import Tree
from engine.errors import InvariantError


@dataclass(frozen=True, slots=True)
class Lock:
    """A handle; its taker owns it and releases it once."""

    id: int


@dataclass(slots=True)
class Held:
    """What one lock holds: KV from node `kv` to the root, and the checkpoint of node `state`."""

    kv: int
    state: int | None


class LockTable:
    """Counts the locks on each node and remembers what each lock holds.

    A split copies the KV count to the upper half and leaves the state count on the lower one, so
    locks need not follow splits: a lock names the node whose end it reaches.
    """

    def __init__(self, tree: Tree, log_change: LogChange = silent) -> None:
        self._tree = tree
        self._log_change = log_change
        self._next = 1
        self.held: dict[int, Held] = {}

    def take(self, kv: Node, state: Node | None) -> Lock:
        """Lock the KV of [0, kv.end) and the checkpoint of `state`, a node on that path."""
        self._lock(self._tree.up(kv))
        self._log_change(KvLocked(kv.id, None))
        if state is not None:
            assert state.checkpoint is not None, "a state lock needs a checkpoint"
            self._tree.locked_states += not state.state_lock
            state.state_lock += 1
            self._log_change(StateLocked(state.id))
        lock = Lock(self._next)
        self._next += 1
        self.held[lock.id] = Held(kv.id, state.id if state is not None else None)
        return lock

    def extend(self, lock: Lock, node: Node) -> None:
        """Extend the KV lock down to `node`, on the lock's path or below its end.

        Does nothing if the lock already covers the node: a lock never shrinks.
        """
        held = self.holding(lock)
        end = self._tree.node(held.kv)
        if node is end or (node.end <= end.end and node in self._tree.up(end)):
            return
        below: list[Node] = []
        for above in self._tree.up(node):
            if above.id == held.kv:
                break
            below.append(above)
        else:
            raise InvariantError(f"lock {lock.id} does not reach down to node {node.id}")
        self._lock(below)
        self._log_change(KvLocked(node.id, held.kv))
        held.kv = node.id

    def covers(self, lock: Lock) -> frozenset[int]:
        """The ids of the nodes whose KV `lock` holds."""
        return frozenset(n.id for n in self._tree.up(self._tree.node(self.holding(lock).kv)))

    def release_state(self, lock: Lock) -> None:
        """Release the checkpoint and keep the KV."""
        held = self.holding(lock)
        if held.state is not None:
            node = self._tree.node(held.state)
            node.state_lock -= 1
            self._tree.locked_states -= not node.state_lock
            self._log_change(StateUnlocked(held.state))
            held.state = None

    def release(self, lock: Lock) -> Node:
        """Release everything; returns the node the KV lock ended at."""
        held = self.holding(lock)
        self.release_state(lock)
        del self.held[lock.id]
        end = self._tree.node(held.kv)
        for node in self._tree.up(end):
            node.kv_lock -= 1
            if not node.kv_lock:
                self._tree.locked -= len(node.tokens)
        self._log_change(KvUnlocked(end.id))
        return end

    def _lock(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            if not node.kv_lock:
                self._tree.locked += len(node.tokens)
            node.kv_lock += 1

    def holding(self, lock: Lock) -> Held:
        """Raises InvariantError if the lock was already released."""
        held = self.held.get(lock.id)
        if held is None:
            raise InvariantError(f"double unlock: lock {lock.id} is not held")
        return held
