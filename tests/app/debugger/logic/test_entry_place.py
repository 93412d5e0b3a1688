"""Where the entries of a tape are in the tree: at every moment of a day with evictions."""

from __future__ import annotations

import pytest

from app.debugger.logic.entry_place import ENDS, entry_place, last_sight
from engine.cache.journal.changes import NodeAdded, NodeRemoved
from engine.journal.tape import Tape
from tests.engine.journal.taped import TapedCaches
from tests.present import present


@pytest.fixture(scope="module")
def tape() -> Tape:
    caches = TapedCaches(5)
    for _ in range(60):
        caches.ask()
    return caches.tape


def of(tape: Tape, kind: type, tier: str = "device") -> list[int]:
    entries = ((at, tape.entry(at)) for at in range(len(tape)))
    return [at for at, one in entries if isinstance(one.what, kind) and one.tier == tier]


def test_a_node_that_is_there(tape: Tape) -> None:
    shown = tape.snapshot(len(tape))
    here = {one.id for one in shown.nodes}
    born = [at for at in of(tape, NodeAdded) if tape.entry(at).what.node in here]  # type: ignore[union-attr]
    assert born
    for at in born[-5:]:
        found = entry_place(tape, at, shown, len(tape))
        assert (found.node, found.sentence) == (tape.entry(at).what.node, "")  # type: ignore[union-attr]


def test_a_node_that_is_gone(tape: Tape) -> None:
    """What is left of the way to it, with a sentence; and the moment before, where it was."""
    gone = of(tape, NodeRemoved)[-1]
    shown = tape.snapshot(gone + 1)
    found = entry_place(tape, gone, shown, gone + 1)
    before = tape.snapshot(gone)
    node = tape.entry(gone).what.node  # type: ignore[union-attr]
    parent = next(one.parent for one in before.nodes if one.id == node)
    assert found.node != node
    assert found.node in {one.id for one in shown.nodes} | {None}
    assert found.node == parent or parent == 0 or not found.node
    assert "not in the cache any more" in found.sentence
    assert last_sight(tape, gone) == (gone, node)
    assert entry_place(tape, gone, before, gone).node == node


def test_a_node_that_is_not_there_yet(tape: Tape) -> None:
    born = of(tape, NodeAdded)[-1]
    found = entry_place(tape, born, tape.snapshot(born), born)
    assert "not in the cache yet" in found.sentence
    assert last_sight(tape, born) is None


def test_a_node_of_the_host_has_the_trees_own_id(tape: Tape) -> None:
    ended = of(tape, NodeRemoved, "host")
    assert ended, "nothing left the host"
    at = ended[-1]
    moment, node = present(last_sight(tape, at))
    assert node in {one.id for one in tape.snapshot(moment).nodes}


def test_what_has_no_node(tape: Tape) -> None:
    shown = tape.snapshot(len(tape))
    request = tape.requests[-1].index
    assert entry_place(tape, request, shown, len(tape)).node is None
    assert entry_place(tape, len(tape) + 5, shown, len(tape)).node is None
    assert ENDS
