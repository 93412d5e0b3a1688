"""The sums of a snapshot: they hold at every moment of a day, and miss nothing that is off."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from app.debugger.logic.sums import SENTENCES, broken, invariant_rows, status, sum_rows, sums
from engine.journal.tape import Tape, read_tape
from engine.snapshot import CacheSnapshot, Checked
from tests.app.debugger.recorded_day import save_day
from tests.engine.analysis.test_ledger import Day


@pytest.fixture(scope="module")
def tape(tmp_path_factory: pytest.TempPathFactory) -> Tape:
    return read_tape(save_day(Day(4, host=True), tmp_path_factory.mktemp("trace") / "day.jsonl"))


@pytest.fixture(scope="module")
def moment(tape: Tape) -> CacheSnapshot:
    return tape.snapshot(len(tape))


def test_every_moment_adds_up(tape: Tape) -> None:
    for index in range(1, len(tape), 23):
        snapshot = tape.snapshot(index)
        assert broken(sums(snapshot)) == [], index
    assert len(snapshot.nodes) > 3


def names(snapshot: CacheSnapshot) -> set[str]:
    return {one.name for one in broken(sums(snapshot))}


def test_a_node_too_few_is_found(moment: CacheSnapshot) -> None:
    leaf = max(moment.nodes, key=lambda node: node.end)
    assert "KV of the tree" in names(
        replace(moment, nodes=tuple(node for node in moment.nodes if node is not leaf))
    )


def test_two_states_in_one_slot_are_found(moment: CacheSnapshot) -> None:
    held = [node for node in moment.nodes if node.checkpoint is not None]
    first, second = held[0].checkpoint, held[1].checkpoint
    assert first is not None
    assert second is not None
    shared = replace(held[1], checkpoint=replace(second, slot=first.slot))
    nodes = tuple(shared if node is held[1] else node for node in moment.nodes)
    assert names(replace(moment, nodes=nodes)) == {"slots apart"}


def test_pools_and_bytes_that_do_not_fit_are_found(moment: CacheSnapshot) -> None:
    pool = replace(moment.kv, free=moment.kv.free + 1)
    assert "KV slots" in names(replace(moment, kv=pool))
    memory = replace(moment.memory, state_plane=moment.memory.state_plane + 8)
    assert names(replace(moment, memory=memory)) == {"state plane"}


def test_the_sentence_names_what_is_wrong(moment: CacheSnapshot) -> None:
    held = tuple(Checked("device", name, "", 0.001) for name in SENTENCES)
    good = sums(moment)
    assert " ".join(status(held, good, 5, 0)) == (
        "All 6 invariants hold, checked in 6.0 ms. 5 moments seen, all of them add up."
    )
    leak = (*held[:2], Checked("device", "KV pool", "leaked KV slot: slot 4", 0.0))
    assert status(leak, good, 5, 0) == ("Violated: leaked KV slot: slot 4.",)
    rows = invariant_rows(leak)
    assert [row.holds for row in rows] == [True, True, False]
    assert all(row.sentence for row in rows)
    off = sums(replace(moment, kv=replace(moment.kv, free=moment.kv.free + 1)))
    assert status(held, off, 5, 1)[0].startswith("This moment does not add up: KV slots")
    assert any("≠" in row.problem for row in sum_rows(off))
    assert status((), (), 0, 0) == ("Nothing has been checked yet.",)
