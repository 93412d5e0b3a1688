"""A stream that SGLang's own publisher sent; streams/README.md says what ran and what did not."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from engine.net.kv_events.fleet import Fleet
from engine.net.kv_events.subscriber import Came, batch_of
from engine.net.kv_events.worker import Worker

STREAM = Path(__file__).parent / "streams" / "sglang-0.5.23.jsonl.gz"


def lines() -> list[dict[str, Any]]:
    with gzip.open(STREAM, "rt") as file:
        return [json.loads(line) for line in file]


def came(frames: list[str]) -> Came:
    found = batch_of(0, [bytes.fromhex(frame) for frame in frames])
    assert found is not None
    return found


def told(worker: Worker, tier: str) -> list[list[object]]:
    return sorted([block.hash, block.parent] for block in worker.tables[tier].views())


class TestSglang:
    def test_the_tree_is_the_senders_on_both_tiers(self) -> None:
        fleet = Fleet(["sglang"])
        *sent, _, truth = lines()
        for line in sent:
            fleet.take([came(line["frames"])])
        fleet.finish()
        (worker,) = fleet.workers
        assert told(worker, "device") == truth["device"]
        assert told(worker, "host") == truth["host"]
        (facts,) = fleet.facts()
        assert (facts.unread, facts.unknown, facts.elsewhere, facts.lost) == (0, 0, 0, 0)
        assert facts.block_size == 16
        # It tells of no states, so nothing is said to be without one.
        snapshot = fleet.tape.snapshot(len(fleet.tape))
        assert "states" in snapshot.untold
        assert not any(node.tombstone for node in snapshot.nodes)
        assert {node.tier for node in snapshot.nodes} == {"device", "host"}

    def test_what_its_replay_socket_sends_fills_a_hole(self) -> None:
        fleet = Fleet(["sglang"], replays=[True])
        *sent, replayed, truth = lines()
        first = came(sent[0]["frames"])
        fleet.take([first, Came(0, 0, b"", end=True)])
        asks: dict[int, int] = {}
        for line in (*sent[1:30], *sent[35:]):
            asks |= fleet.take([came(line["frames"])])
        assert asks == {0: 30}
        fleet.take([came(frames) for frames in replayed["replay"]])
        fleet.finish()
        (worker,) = fleet.workers
        assert told(worker, "device") == truth["device"]
        assert not worker.order.lost
        # Those after the hole came twice.
        assert worker.order.repeated == 5
