"""Where an eviction is on a tape, and in a snapshot: its node, or the nearest above. Without Qt."""

from __future__ import annotations

from collections.abc import Mapping

from engine.snapshot import CacheSnapshot, Evicted, NodeView
from engine.trace.ledger import KnownEviction
from engine.trace.tape import Tape


def place_in(
    known: KnownEviction, snapshot: CacheSnapshot | None, above: Mapping[int, int]
) -> NodeView | None:
    """The node that covers what was evicted, else the nearest one above that is in the snapshot.

    `above`: of each node that was removed since, the node it was below.
    """
    gone = known.evicted
    if snapshot is None or gone.tier != "device":
        return None
    nodes = {node.id: node for node in snapshot.nodes if node.parent is not None}
    node = nodes.get(gone.node)
    # A node that was split keeps only its lower part.
    while node is not None and node.start >= gone.end and node.parent is not None:
        node = nodes.get(node.parent)
    if node is not None and node.end >= gone.end:
        return node
    number, seen = gone.above, set[int]()
    while number not in nodes and number in above and number not in seen:
        seen.add(number)
        number = above[number]
    return nodes.get(number)


def entry_of(gone: Evicted, tape: Tape) -> int | None:
    """The entry that told of an eviction; None if the tape does not have it any more."""
    for taped in reversed(tape.evictions):
        one = taped.evicted
        if (one.tier, one.seq, one.node, one.end) == (gone.tier, gone.seq, gone.node, gone.end):
            return taped.index
    return None
