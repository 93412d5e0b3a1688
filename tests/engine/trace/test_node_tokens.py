"""The tokens of a tape's nodes, whole, split, and as a late listener found them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.cache.journal.changes import CacheFound, CacheOpened, NodeAdded, NodeSplit
from engine.cache.journal.journal import Entry
from engine.snapshot import NodeView
from engine.trace.lines import TraceEntry
from engine.trace.node_tokens import NodeTokens
from engine.trace.tape import Tape

OPENED = CacheOpened("lru", 100, 8, 10, 1000)
FIRST = NodeView(1, 0, 0, 6, 0, 0, 60, 0.0, 0.0, 0, None)
ROOT = NodeView(0, None, 0, 0, 0, 0, 0, 0.0, 0.0, 0, None)


def packed(*tokens: int) -> bytes:
    return np.array(tokens, "<i4").tobytes()


def told(*changes: object) -> NodeTokens:
    tape = Tape()
    lines = [
        TraceEntry(Entry(number, float(number), "device", change), None)  # type: ignore[arg-type]
        for number, change in enumerate(changes, 1)
    ]
    tape.append(lines)
    made = NodeTokens(tape)
    list(made.follow())
    return made


def of(made: NodeTokens, node: NodeView) -> list[int] | None:
    found = made.of(node)
    return None if found is None else found.tolist()


class TestNodeTokens:
    def test_a_node_and_the_halves_of_a_split_one(self) -> None:
        made = told(OPENED, NodeAdded(1, 0, 0, 6, packed(5, 6, 7, 8, 9, 4)), NodeSplit(1, 2, 4))
        assert of(made, replace(FIRST, start=4)) == [9, 4]
        assert of(made, replace(FIRST, id=2, end=4)) == [5, 6, 7, 8]
        # Before the split, it was one.
        assert of(made, FIRST) == [5, 6, 7, 8, 9, 4]

    def test_what_a_late_listener_found(self) -> None:
        found = CacheFound(OPENED, (ROOT, FIRST), 0, 0, (), 0, (b"", packed(1, 2, 3, 4, 5, 6)))
        assert of(told(found), FIRST) == [1, 2, 3, 4, 5, 6]

    def test_what_is_not_known_is_not_guessed(self) -> None:
        made = told(OPENED, NodeAdded(1, 0, 0, 6))
        assert made.of(FIRST) is None
        assert made.of(replace(FIRST, id=77)) is None

    def test_it_goes_on_where_it_stopped(self) -> None:
        made = told(OPENED)
        added = Entry(2, 2.0, "device", NodeAdded(1, 0, 0, 2, packed(3, 4)))
        made.tape.append([TraceEntry(added, None)])
        assert made.of(replace(FIRST, end=2)) is None
        list(made.follow())
        assert of(made, replace(FIRST, end=2)) == [3, 4]
