"""The events that are ringed for a node: those that name it, and the birth of its tokens."""

from __future__ import annotations

import pytest

from app.debugger.logic.chosen import Chosen
from app.debugger.timeline.logic.columns import Columns, Series
from app.debugger.timeline.logic.concerned import concerned
from engine.cache.journal import changes as ch
from engine.journal.tape import Tape
from tests.engine.journal.taped import TapedCaches


@pytest.fixture(scope="module")
def day() -> tuple[Tape, Series]:
    caches = TapedCaches(5)
    for _ in range(60):
        caches.ask()
    columns = Columns(caches.tape)
    while not columns.follow(1.0):
        pass
    return caches.tape, columns.series()


def told(tape: Tape, series: Series, node: int) -> list[tuple[str, object]]:
    """The entries that are ringed, in order."""
    numbers = concerned(series, Chosen(node=node)).events
    entries = [tape.entry(int(series.events.index[n])) for n in numbers]
    return [(one.tier, one.what) for one in entries]


def splits(tape: Tape) -> dict[int, int]:
    """Of each upper half, what it was split from."""
    found = [tape.entry(at) for at in range(len(tape))]
    return {
        one.what.upper: one.what.node
        for one in found
        if one.tier == "device" and isinstance(one.what, ch.NodeSplit)
    }


def test_the_upper_half_of_a_split_was_born_with_the_whole(day: tuple[Tape, Series]) -> None:
    tape, series = day
    known = splits(tape)
    twice = 0
    for upper, node in known.items():
        origin = node
        while origin in known:
            origin = known[origin]
            twice += 1
        tier, born = told(tape, series, upper)[0]
        assert tier == "device"
        assert isinstance(born, ch.NodeAdded)
        assert born.node == origin
    assert known
    assert twice, "no half was split again"


def test_other_nodes_have_their_own_events_alone(day: tuple[Tape, Series]) -> None:
    tape, series = day
    halves = splits(tape)
    nodes = {int(node) for node in series.events.node if node > 0} - set(halves)
    assert nodes
    for node in nodes:
        for tier, what in told(tape, series, node):
            assert tier == "device"
            assert getattr(what, "node", None) == node


def test_a_copy_in_host_memory_brings_its_own_events(day: tuple[Tape, Series]) -> None:
    tape, series = day
    end, seen = len(tape), 0
    for node in tape.snapshot(end).nodes[1:]:
        host = tape.numbers(end, node.id).get("host")
        if host is None:
            continue
        assert tape.shown_id(end, "host", host) is not None
        found = concerned(series, Chosen(node=node.id), host=host).events
        told = [tape.entry(int(series.events.index[n])) for n in found]
        mine = [one for one in told if one.tier == "host"]
        assert all(getattr(one.what, "node", host) == host for one in mine)
        seen += len(mine)
    assert seen, "nothing was in host memory"


def test_a_checkpoint_has_the_events_of_states_alone(day: tuple[Tape, Series]) -> None:
    tape, series = day
    fewer = 0
    for node in tape.snapshot(len(tape)).nodes[1:]:
        if node.checkpoint is None or node.checkpoint.state.tier != "device":
            continue
        whole = concerned(series, Chosen(node=node.id)).events
        state = concerned(series, Chosen(node=node.id, span=(node.end, node.end))).events
        kinds = [type(tape.entry(int(series.events.index[n])).what) for n in state]
        assert ch.CheckpointStored in kinds
        assert ch.NodeAdded not in kinds
        fewer += len(state) < len(whole)
    assert fewer
