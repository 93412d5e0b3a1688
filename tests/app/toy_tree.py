"""A toy of the two-plane tree: enough of its rules that the pane moves as it does in earnest."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from engine.snapshot import (
    CacheSnapshot,
    CheckpointView,
    Evicted,
    LiveView,
    MemoryView,
    NodeView,
    PoolView,
)
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
    hits: int = 0
    provenance: Provenance | Literal[""] = ""
    slot: int = 0
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
    """Tokens in, nodes out; slots are only counted."""

    def __init__(self, kv_slots: int = 40_000, state_slots: int = 24) -> None:
        self.kv_slots = kv_slots
        self.state_slots = state_slots
        self.version = 0
        self.evicted: dict[str, int] = {}
        self._went: list[Evicted] = []
        self._told = itertools.count(1)
        self.locked: set[int] = set()
        self._numbers = itertools.count(1)
        self._slots = itertools.count(1)
        self.nodes = {0: ToyNode(0, None, 0, [], 0.0, 0.0)}

    @property
    def kv_used(self) -> int:
        return sum(len(node.tokens) for node in self.nodes.values())

    @property
    def checkpoints(self) -> int:
        return sum(bool(node.provenance) for node in self.nodes.values())

    def match(self, tokens: Sequence[int], now: float = 0.0, *, touch: bool = False) -> ToyMatch:
        node, at = self.nodes[0], 0
        resume, checkpoint = 0, None
        while True:
            if touch:
                node.last_used, node.hits = now, node.hits + 1
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
        self.version += 1
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
            node.provenance, node.slot = provenance, next(self._slots)

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
            node.hits,
        )
        parent.children[parent.children.index(node.id)] = upper.id
        upper.children = [node.id]
        node.parent, node.start, node.tokens = upper.id, upper.end, node.tokens[length:]
        self.nodes[upper.id] = upper
        if node.id in self.locked:
            self.locked.add(upper.id)
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
            self._tell(oldest, "state", "state pressure")
            oldest.provenance = ""
            self.version += 1

    def _drop(self, node: ToyNode, cause: str) -> None:
        assert node.parent is not None
        self._tell(node, "both" if node.provenance else "kv", cause)
        self.nodes[node.parent].children.remove(node.id)
        del self.nodes[node.id]
        self.version += 1

    def _tell(self, node: ToyNode, plane: str, cause: str) -> None:
        self.evicted[cause] = self.evicted.get(cause, 0) + 1
        stays = plane == "state"
        self._went.append(
            Evicted(
                seq=next(self._told),
                time=node.last_used,
                tier="device",
                node=node.id,
                above=node.parent or 0,
                start=node.start,
                end=node.end,
                plane=plane,
                cause=cause,
                kv_bytes=0 if stays else len(node.tokens) * KV_BYTES,
                state_bytes=STATE_BYTES if node.provenance else 0,
                provenance=node.provenance,
                cached_to=node.start,
                node_before=node.id,
                node_now=node.id if stays else None,
            )
        )

    def drop_all(self) -> None:
        for node in sorted(self.nodes.values(), key=lambda n: -n.start):
            if node.id and not node.children and node.id not in self.locked:
                self._drop(node, "dropped by user")

    def snapshot(
        self, now: float, texts: dict[int, str], live: LiveView | None, live_tokens: int = 0
    ) -> CacheSnapshot:
        nodes = tuple(self._view(node, texts) for node in self.nodes.values())
        held = sum(len(self.nodes[number].tokens) for number in self.locked)
        used, points = self.kv_used, self.checkpoints
        live_tokens = min(live_tokens, self.kv_slots - used)
        locked_points = sum(view.state_lock > 0 and view.checkpoint is not None for view in nodes)
        kv = PoolView(
            self.kv_slots, self.kv_slots - used - live_tokens, live_tokens, used, held, KV_BYTES
        )
        total = self.state_slots + 1
        state = PoolView(total, total - points - 1, 1, points, locked_points, STATE_BYTES)
        memory = MemoryView(WEIGHTS, self.kv_slots * KV_BYTES, total * STATE_BYTES, WORKSPACE)
        went, self._went = tuple(self._went), []
        evicted = tuple(self.evicted.items())
        return CacheSnapshot(
            self.version, now, nodes, kv, state, memory, live, evicted, 0, evictions=went
        )

    def _view(self, node: ToyNode, texts: dict[int, str]) -> NodeView:
        point = None
        if node.provenance:
            point = CheckpointView(
                StoredState(node.end, node.provenance),
                node.slot,
                STATE_BYTES,
                node.created,
                node.last_used,
                node.hits,
            )
        held = int(node.id in self.locked)
        return NodeView(
            node.id,
            node.parent,
            node.start,
            node.end,
            held,
            0,
            len(node.tokens) * KV_BYTES,
            node.created,
            node.last_used,
            node.hits,
            point,
            "".join(texts[token] for token in node.tokens[:24]),
        )


def _common(first: Sequence[int], second: Sequence[int]) -> int:
    same = 0
    for a, b in zip(first, second, strict=False):
        if a != b:
            break
        same += 1
    return same
