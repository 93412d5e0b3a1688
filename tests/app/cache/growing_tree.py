"""A tree that changes at random as the engine's does: grown, split, evicted, used by others."""

from __future__ import annotations

import random
from typing import Literal

from msgspec.structs import replace

from engine.snapshot import CacheSnapshot, LiveView, NodeView, Speech
from engine.stored_state import Provenance
from tests.app.samples import node, snapshot

_ROLES = ("system", "user", "thinking", "tool", "assistant", "")
_PROVENANCES: tuple[Provenance | Literal[""], ...] = ("", "prefill", "decode", "branch")


class GrowingTree:
    """Nodes by id; a node that nothing happens to keeps its record, as in a snapshot."""

    def __init__(self, seed: int, *, talks: bool = True) -> None:
        """talks: nodes say who speaks in them."""
        self.rng = random.Random(seed)
        self.talks = talks
        self.nodes: dict[int, NodeView] = {}
        self.number = 0
        self.version = 0
        self.live: LiveView | None = None

    def snapshot(self) -> CacheSnapshot:
        self.version += 1
        return snapshot(*self.nodes.values(), live=self.live, version=self.version)

    def change(self) -> None:
        """One thing happens."""
        happens = (
            self.grow, self.grow, self.grow, self.grow, self.branch, self.branch,
            self.split, self.evict, self.drop, self.use, self.run, self.rest, self.shuffle,
        )  # fmt: skip
        self.rng.choice(happens)()

    def grow(self) -> None:
        """A leaf goes on."""
        self._add(self.rng.choice([*self._leaves(), 0]))

    def branch(self) -> None:
        self._add(self.rng.choice([0, *self.nodes]))

    def split(self) -> None:
        """The upper half of a node is a node of its own: it has the new id."""
        long = [one for one in self.nodes.values() if one.end - one.start > 3]
        if not long:
            return
        whole = self.rng.choice(long)
        at = self.rng.randint(whole.start + 1, whole.end - 1)
        upper = replace(
            node(self._next(), whole.parent, whole.start, at), created=whole.created,
            owners=whole.owners, speech=tuple(one for one in whole.speech if one.start < at),
        )  # fmt: skip
        cut = [one for one in whole.speech if one.start <= at][-1:]
        head = tuple(replace(one, start=at, opens=one.opens and one.start == at) for one in cut)
        rest = head + tuple(one for one in whole.speech if one.start > at)
        self.nodes[upper.id] = upper
        self.nodes[whole.id] = replace(whole, parent=upper.id, start=at, speech=rest)

    def evict(self) -> None:
        """A leaf goes."""
        leaves = [one for one in self._leaves() if self.live is None or one != self.live.node]
        if leaves:
            del self.nodes[self.rng.choice(leaves)]

    def drop(self) -> None:
        """A checkpoint goes."""
        if self.nodes:
            one = self.rng.choice(list(self.nodes.values()))
            self.nodes[one.id] = replace(one, checkpoint=None)

    def use(self) -> None:
        """A path is used by a conversation."""
        self._own(self.rng.choice([0, *self.nodes]), self.rng.randint(1, 4))

    def _own(self, at: int, owner: int) -> None:
        """All nodes down to one are used by a conversation."""
        while at:
            one = self.nodes[at]
            owners = (owner, *(other for other in one.owners if other != owner))
            self.nodes[at] = replace(one, owners=owners, last_used=float(self.version))
            at = one.parent or 0

    def run(self) -> None:
        """A request runs below a node."""
        at = self.rng.choice([0, *self.nodes])
        end = self.nodes[at].end if at else 0
        ahead = self.rng.choice((0, 5, 200))
        said = (Speech(end // 2, "thinking", "", opens=True),) if self.talks else ()
        self.live = LiveView(7, at, end + ahead, end, 0, end + ahead, said, self.rng.randint(0, 3))

    def rest(self) -> None:
        self.live = None

    def shuffle(self) -> None:
        """The snapshot lists the nodes in another order."""
        moved = list(self.nodes.items())
        at = self.rng.randrange(len(moved) + 1)
        self.nodes = dict(moved[at:] + moved[:at])

    def _add(self, parent: int) -> None:
        number = self._next()
        start = self.nodes[parent].end if parent else 0
        end = start + self.rng.randint(1, 300)
        made = node(number, parent, start, end, self.rng.choice(_PROVENANCES))
        self.nodes[number] = replace(
            made, created=float(number), speech=self._speech(start, end),
            pinned=self.rng.random() < 0.02,
        )  # fmt: skip
        if owner := self.rng.randint(0, 3):
            self._own(number, owner)

    def _speech(self, start: int, end: int) -> tuple[Speech, ...]:
        if not self.talks or self.rng.random() < 0.1:
            return ()
        inside = sorted(
            self.rng.sample(range(start, end), min(end - start, self.rng.randint(1, 3)))
        )
        inside[0] = start
        return tuple(
            Speech(at, self.rng.choice(_ROLES), f"text {at}", self.rng.random() < 0.7)
            for at in inside
        )

    def _leaves(self) -> list[int]:
        parents = {one.parent for one in self.nodes.values()}
        return [number for number in self.nodes if number not in parents]

    def _next(self) -> int:
        self.number += 1
        return self.number
