"""A toy of the two-plane tree: enough of its rules that the pane moves as it does in earnest."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from engine.cache.journal.changes import (
    CacheFound,
    CacheOpened,
    Change,
    CheckpointDropped,
    CheckpointStored,
    KvLocked,
    KvUnlocked,
    NodeAdded,
    NodeRemoved,
    NodeSplit,
    Touched,
)
from engine.cache.journal.journal import Entry
from engine.snapshot import NodeView
from engine.stored_state import Provenance, StoredState

KV_BYTES = 12 * 1024
STATE_BYTES = 19_529_728
WEIGHTS = 1_746_882_752
WORKSPACE = 201_326_592


@dataclass(slots=True)
class ToyNode:
    id: int
    parent: int | None
    start: int
    tokens: list[int]
    created: float
    last_used: float
    provenance: Provenance | Literal[""] = ""
    children: list[int] = field(default_factory=list)

    @property
    def end(self) -> int:
        return self.start + len(self.tokens)


@dataclass(frozen=True, slots=True)
class ToyMatch:
    matched: int
    resume: int
    node: int
    checkpoint: int | None


class ToyCache:
    """Tokens in, nodes out; slots are only counted.

    Attributes:
        log: what happened, for whoever takes it out.
    """

    def __init__(self, kv_slots: int = 40_000, state_slots: int = 24) -> None:
        self.kv_slots = kv_slots
        self.state_slots = state_slots
        self.now = 0.0
        self.seq = 0
        self.log: list[Entry] = []
        self._lock: int | None = None
        self._numbers = itertools.count(1)
        self._slots = itertools.count(1)
        self.nodes = {0: ToyNode(0, None, 0, [], 0.0, 0.0)}

    @property
    def kv_used(self) -> int:
        return sum(len(node.tokens) for node in self.nodes.values())

    @property
    def checkpoints(self) -> int:
        return sum(bool(node.provenance) for node in self.nodes.values())

    @property
    def locked(self) -> set[int]:
        """The nodes that the running request reads."""
        return set() if self._lock is None else set(self.path(self._lock)) - {0}

    def lock(self, node: int | None) -> None:
        """The running request reads down to a node; None: there is none."""
        if self._lock is not None:
            self._log(KvUnlocked(self._lock))
        if node is not None:
            self._log(KvLocked(node, None))
        self._lock = node

    def match(self, tokens: Sequence[int], now: float = 0.0, *, touch: bool = False) -> ToyMatch:
        found = self._match(tokens, now, touch=touch)
        if touch:
            self.now = now
            self._log(Touched(found.node, found.checkpoint))
        return found

    def _match(self, tokens: Sequence[int], now: float, *, touch: bool) -> ToyMatch:
        node, at = self.nodes[0], 0
        resume, checkpoint = 0, None
        while True:
            if touch:
                node.last_used = now
            if node.provenance and node.end < len(tokens):
                resume, checkpoint = node.end, node.id
            child = self._child(node, tokens, at)
            if child is None:
                return ToyMatch(at, resume, node.id, checkpoint)
            same = _common(child.tokens, tokens[at : at + len(child.tokens)])
            at += same
            if same < len(child.tokens):
                return ToyMatch(at, resume, node.id, checkpoint)
            node = child

    def insert(self, tokens: Sequence[int], points: dict[int, Provenance], now: float) -> int:
        """Put a path in, with checkpoints at positions; returns the deepest node."""
        self.now = now
        node, at = self.nodes[0], 0
        while at < len(tokens):
            child = self._child(node, tokens, at)
            if child is None:
                child = self._add(node, at, list(tokens[at:]), now)
            same = _common(child.tokens, tokens[at : at + len(child.tokens)])
            if same < len(child.tokens):
                child = self._split(child, same)
            at, node = child.end, child
        for position in sorted(points):
            self._mark(tokens, position, points[position])
        self._make_room(node.id)
        return node.id

    def _mark(self, tokens: Sequence[int], position: int, provenance: Provenance) -> None:
        node, at = self.nodes[0], 0
        while at < position:
            child = self._child(node, tokens, at)
            assert child is not None
            if child.end > position:
                child = self._split(child, position - at)
            node, at = child, child.end
        if not node.provenance and node.id:
            node.provenance = provenance
            state = StoredState(node.end, provenance)
            self._log(CheckpointStored(node.id, next(self._slots), 0, state))

    def _child(self, node: ToyNode, tokens: Sequence[int], at: int) -> ToyNode | None:
        if at >= len(tokens):
            return None
        for number in node.children:
            if self.nodes[number].tokens[0] == tokens[at]:
                return self.nodes[number]
        return None

    def _add(self, parent: ToyNode, start: int, tokens: list[int], now: float) -> ToyNode:
        node = ToyNode(next(self._numbers), parent.id, start, tokens, now, now)
        self.nodes[node.id] = node
        parent.children.append(node.id)
        data = np.array(tokens, "<i4").tobytes()
        self._log(NodeAdded(node.id, parent.id, start, node.end, data))
        return node

    def _split(self, node: ToyNode, length: int) -> ToyNode:
        """The lower part keeps the number and the checkpoint; the upper one is a tombstone."""
        assert node.parent is not None
        parent = self.nodes[node.parent]
        upper = ToyNode(
            next(self._numbers),
            parent.id,
            node.start,
            node.tokens[:length],
            node.created,
            node.last_used,
        )
        parent.children[parent.children.index(node.id)] = upper.id
        upper.children = [node.id]
        node.parent, node.start, node.tokens = upper.id, upper.end, node.tokens[length:]
        self.nodes[upper.id] = upper
        self._log(NodeSplit(node.id, upper.id, upper.end))
        return upper

    def path(self, node: int) -> list[int]:
        found: list[int] = []
        at: int | None = node
        while at is not None:
            found.append(at)
            at = self.nodes[at].parent
        return found

    def _make_room(self, keep: int) -> None:
        held = set(self.path(keep)) | self.locked
        while self.kv_used > self.kv_slots:
            leaves = [n for n in self.nodes.values() if not n.children and n.id not in held]
            if not leaves:
                return
            self._drop(min(leaves, key=lambda n: n.last_used), "kv pressure")
        while self.checkpoints > self.state_slots:
            points = [n for n in self.nodes.values() if n.provenance and n.id != keep]
            oldest = min(points, key=lambda n: n.last_used)
            if not oldest.children and oldest.id not in held:
                self._drop(oldest, "state pressure")
                continue
            self._log(CheckpointDropped(oldest.id, oldest.end, "state pressure"))
            oldest.provenance = ""

    def _drop(self, node: ToyNode, cause: str) -> None:
        assert node.parent is not None
        self._log(NodeRemoved(node.id, cause))
        self.nodes[node.parent].children.remove(node.id)
        del self.nodes[node.id]

    def drop_all(self) -> None:
        for node in sorted(self.nodes.values(), key=lambda n: -n.start):
            if node.id and not node.children and node.id not in self.locked:
                self._drop(node, "dropped by user")

    def opened(self) -> CacheFound:
        """The cache as it is, for a journal that begins here; call it while nothing is in it."""
        root = NodeView(0, None, 0, 0, 0, 0, 0, 0.0, 0.0, 0, None)
        return CacheFound(
            CacheOpened("lru", self.kv_slots, self.state_slots, KV_BYTES, STATE_BYTES),
            (root,),
            live_kv=0,
            live_states=0,
            evicted=(),
            skipped=0,
            own_states=1,
            weights=WEIGHTS,
            workspace=WORKSPACE,
        )

    def _log(self, change: Change) -> None:
        self.seq += 1
        self.log.append(Entry(self.seq, self.now, "device", change))


def _common(first: Sequence[int], second: Sequence[int]) -> int:
    same = 0
    for a, b in zip(first, second, strict=False):
        if a != b:
            break
        same += 1
    return same
