"""One way to force each kind of eviction, and the journal's own account of the evictions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from engine.cache.eviction.cause import Cause
from engine.cache.journal.changes import CheckpointDropped, NodeRemoved, SegmentRemoved
from engine.cache.journal.journal import Entry
from engine.journal.tier_state import TierState
from engine.stored_state import StoredState
from engine.verdict import Verdict
from tests.engine.cache.tiers.three_tiers import ThreeTiers

WRONG = Verdict("quarantined", 0.9, 3.0, 1.0)
DRIFTED = Verdict("drifted", 0.01, 1e-4, 1.0)
A = tuple(range(100, 140))
B = tuple(range(200, 240))
C = tuple(range(300, 340))
# The tiers below the device: the size of the host and the number of files.
BELOW: dict[str, dict[str, Any]] = {
    "device alone": {"host": None, "files": None},
    "host": {"host": (100, 3), "files": None},
    "disk": {"host": None, "files": 3},
    "host and disk": {"host": (100, 3), "files": 3},
}


class Gone(NamedTuple):
    """The journal's record of one eviction."""

    tier: str
    start: int
    end: int
    plane: str
    cause: str
    time: float


class Account:
    """Listens to a journal and collects evictions, tracking a tree of its own for each tier."""

    def __init__(self) -> None:
        self.gone: Counter[Gone] = Counter()
        self._trees: dict[str, TierState] = {}

    def on_entry(self, entry: Entry) -> None:
        tree = self._trees.setdefault(entry.tier, TierState())
        what = entry.what
        if isinstance(what, SegmentRemoved):
            self.gone[Gone("disk", what.start, what.end, "both", what.cause, entry.time)] += 1
            return
        if isinstance(what, NodeRemoved | CheckpointDropped):
            view = next(node for node in tree.nodes() if node.id == what.node)
            if isinstance(what, CheckpointDropped):
                plane = "state"
            else:
                plane = "kv" if view.checkpoint is None else "both"
            self.gone[Gone(entry.tier, view.start, view.end, plane, what.cause, entry.time)] += 1
        tree.apply(entry.time, what)


Scene = Callable[[ThreeTiers], None]


def kv_pressure(on: ThreeTiers) -> None:
    on.cache.resize(60, 6)
    on.run(A)
    on.run(B)


def state_pressure(on: ThreeTiers) -> None:
    on.cache.resize(400, 2)
    on.run(A, anchors=(20,))
    on.run(B)


def one_shot(on: ThreeTiers) -> None:
    """What nobody is expected to go on from goes before what was used longer ago."""
    on.cache.resize(100, 6)
    on.run(A)
    on.run(B, one_shot=True)
    on.run(C)


def tombstone_chain(on: ThreeTiers) -> None:
    """States are evicted from the top down, and the last takes the remaining tombstones with it."""
    on.run(A, anchors=(10, 20, 30))
    for _ in range(len(on.cache.reader.checkpoints())):
        on.cache.evict_state()


def uncovered_tail(on: ThreeTiers) -> None:
    """Only what a request read is left when it ends."""
    on.run(A, anchors=(20,))
    lock = on.cache.lock(on.cache.match(A[:10]))
    on.cache.evict_state(9)
    on.cache.unlock(lock)


def superseded(on: ThreeTiers) -> None:
    """A state with a known chain replaces one written by decode."""
    on.run(A, decode=(1,))
    whole = (*A, 1)
    lock = on.cache.lock(on.cache.match((*whole, 2)))
    on.cache.release_state(lock)
    slot = on.cache.alloc_state()
    assert slot is not None
    on.bytes.state[slot] = whole
    assert on.cache.donate(lock, slot, StoredState(len(whole), cut_hash=7))
    on.cache.unlock(lock)


def session_dropped(on: ThreeTiers) -> None:
    on.run(A, anchors=(20,))
    on.run(B)
    on.cache.evict_session(on.cache.reader.probe((*A, 1)).node)


def dropped_by_user(on: ThreeTiers) -> None:
    on.run(A, anchors=(20,))
    on.run(B)
    on.tiers.save()
    on.tiers.clear()


def deleted(on: ThreeTiers) -> None:
    on.run(A, anchors=(20,))
    on.run((*A[:20], *B))
    on.tiers.save()
    on.tiers.forget(A[:21])


def quarantined_above(on: ThreeTiers) -> None:
    on.run(A, anchors=(20,))
    on.run((*A, 1, 2))
    first = min((n for n in on.cache.reader.nodes() if n.checkpoint), key=lambda node: node.end)
    on.tiers.stamp(first.id, WRONG)


def drifted_above(on: ThreeTiers) -> None:
    """What derives from an exact state that has drifted beyond rounding."""
    on.run(A, anchors=(20,))
    on.run((*A, 1, 2))
    first = min((n for n in on.cache.reader.nodes() if n.checkpoint), key=lambda node: node.end)
    held = on.cache.reader.holding(first.id).checkpoint
    assert held is not None
    held.state = replace(held.state, cut_hash=7)
    on.tiers.stamp(first.id, DRIFTED)


SCENES: dict[Cause, Scene] = {
    Cause.KV_PRESSURE: kv_pressure,
    Cause.STATE_PRESSURE: state_pressure,
    Cause.ONE_SHOT: one_shot,
    Cause.TOMBSTONE_CHAIN: tombstone_chain,
    Cause.UNCOVERED_TAIL: uncovered_tail,
    Cause.SUPERSEDED: superseded,
    Cause.SESSION_DROPPED: session_dropped,
    Cause.DROPPED_BY_USER: dropped_by_user,
    Cause.DELETED: deleted,
    Cause.QUARANTINED_ABOVE: quarantined_above,
    Cause.DRIFTED_ABOVE: drifted_above,
}
