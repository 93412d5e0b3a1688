"""Every node names the conversations that have tokens of it, whenever they come, go or change."""

from __future__ import annotations

import random

import numpy as np
import pytest

from engine.cache.journal.changes import (
    CacheOpened,
    Disowned,
    NodeAdded,
    NodeRemoved,
    NodeSplit,
    Owned,
)
from engine.cache.journal.journal import Entry
from engine.cache.owners import Owners
from engine.cache.tree import as_tokens, common_prefix
from engine.journal.lines import TraceEntry
from engine.journal.tape import Follower, Tape
from engine.snapshot import CacheSnapshot


class Day:
    """Random sequences in a tree of which parts come, are split and go, and who owns them."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.tape, self.owners = Tape(), Owners()
        self.paths: dict[int, tuple[int, tuple[int, ...]]] = {0: (-1, ())}
        self._sequences: list[tuple[int, ...]] = [()]
        self._node = 0
        self._tell(CacheOpened("lru", 1000, 9, 1, 1))

    def step(self) -> None:
        if self.chance.random() < 0.5:
            self._own()
        elif self.chance.random() < 0.2:
            owner = self.chance.randint(1, 4)
            self.owners.drop(owner)
            self._tell(Disowned(owner))
        elif self.chance.random() < 0.7:
            self._grow()
        else:
            self._lose()

    def _own(self) -> None:
        start = self.chance.choice(self._sequences)
        start = start[: self.chance.randint(0, len(start))]
        whole = (*start, *(self.chance.randint(1, 3) for _ in range(self.chance.randint(1, 9))))
        self._sequences.append(whole)
        owner, request = self.chance.randint(1, 4), self.chance.randint(0, 99)
        self.owners.add(owner, whole, request)
        self._tell(Owned(owner, request, np.array(whole, "<i4").tobytes()))

    def _grow(self) -> None:
        """Insert a beginning of a sequence, as the tree would."""
        whole = self.chance.choice(self._sequences)
        whole = whole[: self.chance.randint(0, len(whole))]
        at, known = 0, 0
        while known < len(whole):
            below = (n for n, (above, path) in self.paths.items() if above == at)
            child = next((n for n in below if self.paths[n][1][known] == whole[known]), None)
            if child is None:
                self._node += 1
                self.paths[self._node] = at, whole
                tokens = np.array(whole[known:], "<i4").tobytes()
                self._tell(NodeAdded(self._node, at, known, len(whole), tokens))
                return
            shared = common_prefix(as_tokens(self.paths[child][1]), as_tokens(whole))
            if shared < len(self.paths[child][1]):
                self._node += 1
                self.paths[self._node] = at, whole[:shared]
                self.paths[child] = self._node, self.paths[child][1]
                self._tell(NodeSplit(child, self._node, shared))
                child = self._node
            at, known = child, shared

    def _lose(self) -> None:
        inner = {above for above, _ in self.paths.values()}
        leaves = [node for node in self.paths if node and node not in inner]
        if leaves:
            gone = self.chance.choice(leaves)
            del self.paths[gone]
            self._tell(NodeRemoved(gone, "kv pressure"))

    def _tell(self, what: object) -> None:
        self.tape.add(TraceEntry(Entry(len(self.tape) + 1, 0.0, "device", what)))  # type: ignore[arg-type]

    def check(self, shown: CacheSnapshot) -> None:
        """Against the answer for each node alone."""
        nodes = {node.id: node for node in shown.nodes}
        assert nodes.keys() == self.paths.keys()
        for node, (_, path) in self.paths.items():
            start = nodes[node].start
            alone = tuple(one.owner for one in self.owners.of(as_tokens(path), start))
            assert nodes[node].owners == (alone if node else ())


@pytest.mark.parametrize("seed", range(12))
def test_they_are_those_of_each_node_asked_alone(seed: int) -> None:
    day = Day(seed)
    follower = Follower(day.tape)
    day.check(follower.snapshot())
    named = 0
    for _ in range(120):
        day.step()
        if day.chance.random() < 0.5:
            shown = follower.snapshot()
            day.check(shown)
            named += any(node.owners for node in shown.nodes)
    day.check(day.tape.snapshot(len(day.tape)))
    assert named > 20
