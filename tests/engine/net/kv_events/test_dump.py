"""What an indexer's dump adds to a tree: the blocks that were cached before anybody listened."""

from __future__ import annotations

import gzip
import json
import random
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from engine.errors import RemoteError
from engine.journal.saving import save_tape
from engine.journal.tape import read_tape
from engine.net.client.address import Address
from engine.net.kv_events.dump import Dump, DumpedBlocks, parse, read
from engine.net.kv_events.fleet import PATIENCE_S, Fleet
from engine.net.kv_events.subscriber import Came
from engine.net.kv_events.worker import Worker
from tests.engine.net.kv_events.sender import BLOCK, Sender, encoded, removed, stored
from tests.engine.net.kv_events.test_worker import tree_of

SEEDS = range(8)
STREAMS = Path(__file__).parent / "streams"


def told(
    hashes: list[int],
    parent: int | None = None,
    worker: int = 7,
    tier: str | None = "device",
    rank: int | None = 0,
) -> dict[str, Any]:
    """A block run as the indexer sends it."""
    blocks = [{"block_hash": name, "tokens_hash": 1, "mm_extra_info": None} for name in hashes]
    event: dict[str, Any] = {
        "event_id": 0,
        "data": {"stored": {"parent_hash": parent, "start_position": None, "blocks": blocks}},
    }
    made: dict[str, Any] = {"worker_id": worker, "event": event}
    # What older versions leave out.
    if rank is not None:
        event["dp_rank"] = rank
    if tier is not None:
        made["storage_tier"] = tier
    return made


def dumped(*events: dict[str, Any], size: int = BLOCK) -> bytes:
    return json.dumps({"model:default": {"block_size": size, "events": events}}).encode()


def dump_of(sender: Sender) -> bytes:
    """Every block that a sender has, in no order."""
    events = [told([name], block.parent) for name, block in sender.blocks.items()]
    sender.rng.shuffle(events)
    return dumped(*events)


def reachable(sender: Sender) -> int:
    """How many blocks have all before them."""

    def whole(name: int | None) -> bool:
        return name is None or (name in sender.blocks and whole(sender.blocks[name].parent))

    return sum(map(whole, sender.blocks))


def watched() -> Worker:
    worker = Worker("here", 0, count(1).__next__)
    worker.await_dump()
    return worker


def blocks_of(data: bytes) -> tuple[DumpedBlocks, ...]:
    return parse(data).of(["here"]).get(0, ())


class TestReading:
    def test_every_field_that_counts_is_read(self) -> None:
        found = parse(dumped(told([1, 2]), told([3], 2, tier="host_pinned"), size=16))
        assert found == Dump(
            {
                "7": (
                    DumpedBlocks("device", 16, (1, 2), None),
                    DumpedBlocks("host", 16, (3,), 2),
                )
            }
        )

    def test_older_versions_tell_no_rank_and_no_tier(self) -> None:
        found = parse(dumped(told([1], tier=None, rank=None)))
        assert found.workers["7"][0].tier == "device"

    def test_ranks_are_engines_of_their_own(self) -> None:
        found = parse(dumped(told([1]), told([1], rank=1)))
        assert sorted(found.workers) == ["7", "7:1"]

    def test_other_tiers_are_counted(self) -> None:
        assert parse(dumped(told([1, 2], tier="disk"))).left_out == 2

    def test_what_stores_nothing_is_passed_over(self) -> None:
        cleared = {"worker_id": 7, "event": {"event_id": 1, "data": "cleared", "dp_rank": 0}}
        gone = {
            "worker_id": 7,
            "event": {"event_id": 1, "data": {"removed": {"block_hashes": [1]}}},
        }
        assert parse(dumped(cleared, gone)).workers == {}

    @pytest.mark.parametrize(
        "data",
        [
            b"",
            b"[]",
            b"\xff\xfe",
            b'{"m": {"error": "indexer dump failed"}}',
            b'{"m": {"block_size": "16", "events": []}}',
            b'{"m": {"block_size": 0, "events": []}}',
            b"[" * 100_000,
        ],
    )
    def test_anything_else_is_refused_in_a_sentence(self, data: bytes) -> None:
        with pytest.raises(RemoteError, match="indexer"):
            parse(data)


class TestRecorded:
    """Dynamo's own indexer, behind our sender (see streams/README.md)."""

    def test_every_block_stands_where_the_sender_had_it(self) -> None:
        with gzip.open(STREAMS / "dynamo-indexer-1.6.1.json.gz", "rt") as file:
            kept = json.load(file)
        worker = watched()
        worker.begin_from(blocks_of(json.dumps(kept["dump"]).encode()))
        found = {one.hash: one.parent for one in worker.tables["device"].views()}
        had = dict(kept["sender"])
        assert len(found) == 131
        assert found.items() <= had.items()
        list(worker.step(0.0, everything=True))
        assert worker.unplaced == 0


class TestNames:
    def test_one_engine_is_the_only_one_of_a_dump(self) -> None:
        assert list(parse(dumped(told([1]))).of(["tcp://127.0.0.1:5557"])) == [0]

    def test_several_are_told_apart_by_the_indexers_names(self) -> None:
        found = parse(dumped(told([1]), told([2], worker=8), told([3], worker=9)))
        chosen = found.of(["8", "prefill", "7"])
        assert {place: runs[0].hashes for place, runs in chosen.items()} == {0: (2,), 2: (1,)}

    def test_unknown_ones_are_named(self) -> None:
        found = parse(dumped(told([1]), told([2], worker=8)))
        with pytest.raises(RemoteError, match="The indexer knows 7, 8: name"):
            found.of(["here"])


class TestTree:
    @pytest.mark.parametrize("seed", SEEDS)
    def test_it_is_the_senders_though_half_was_never_heard(self, seed: int) -> None:
        sender, worker = Sender(random.Random(seed), again=0.0), watched()
        for _ in sender.run(80):
            pass
        worker.order.next = 80
        worker.begin_from(blocks_of(dump_of(sender)))
        for seq, payload in sender.run(80):
            worker.put(seq, payload)
        assert tree_of(worker.tables["device"]) == sender.tree()
        list(worker.step(0.0, everything=True))
        assert worker.unplaced == len(sender.blocks) - reachable(sender)

    @pytest.mark.parametrize("seed", SEEDS)
    def test_events_that_came_before_the_dump_are_believed(self, seed: int) -> None:
        """The dump is of the middle, and arrives last: what was removed since stays away."""
        sender, worker = Sender(random.Random(seed), again=0.0), watched()
        for _ in sender.run(60):
            pass
        dump = blocks_of(dump_of(sender))
        worker.order.next = 60
        for seq, payload in sender.run(60):
            worker.put(seq, payload)
        worker.begin_from(dump)
        assert tree_of(worker.tables["device"]) == sender.tree()

    def test_a_dump_that_forgot_what_was_removed_would_show(self) -> None:
        """The planted fault: a worker that was not told to await one puts gone blocks back."""
        assert any(self._forgets(seed) for seed in range(5))

    def _forgets(self, seed: int) -> bool:
        """Whether something that was removed is there again."""
        sender = Sender(random.Random(seed), again=0.0)
        worker = Worker("here", 0, count(1).__next__)
        for _ in sender.run(60):
            pass
        dump = blocks_of(dump_of(sender))
        worker.order.next = 60
        for seq, payload in sender.run(60):
            worker.put(seq, payload)
        worker.begin_from(dump)
        return tree_of(worker.tables["device"]) != sender.tree()

    def test_nothing_of_it_is_left_after_a_clearing(self) -> None:
        worker = watched()
        worker.order.next = 0
        worker.put(0, encoded([{"type": "AllBlocksCleared"}]))
        worker.begin_from(blocks_of(dumped(told([1, 2]))))
        assert worker.blocks == 0

    def test_what_follows_a_dumped_block_is_drawn_behind_it(self) -> None:
        worker = watched()
        worker.order.next = 0
        worker.put(0, encoded([stored([3], 2, [5, 6, 7, 8])]))
        list(worker.step(0.0, everything=True))
        assert worker.unplaced == 1
        worker.begin_from(blocks_of(dumped(told([1, 2]))))
        list(worker.step(0.0, everything=True))
        assert worker.unplaced == 0
        assert max(node.end for node in worker.drawn["device"].nodes()) == 3 * BLOCK
        assert worker.blank == 2

    def test_blocks_side_by_side_stay_apart(self) -> None:
        worker = watched()
        worker.begin_from(blocks_of(dumped(told([1]), told([2], 1), told([3], 1))))
        list(worker.step(0.0, everything=True))
        assert sorted(node.end for node in worker.drawn["device"].nodes()) == [4, 8, 8]

    def test_both_tiers_have_the_same_numbers(self) -> None:
        worker = watched()
        worker.begin_from(blocks_of(dumped(told([1]), told([1], tier="host_pinned"))))
        list(worker.step(0.0, everything=True))
        tokens = [next(iter(drawn.nodes())).tokens for drawn in worker.drawn.values()]
        assert tokens[0] == tokens[1]
        assert worker.blank == 2

    def test_what_it_does_not_tell_goes_with_its_blocks(self) -> None:
        worker = watched()
        worker.order.next = 0
        worker.begin_from(blocks_of(dumped(told([1, 2]), told([1], tier="host_pinned"))))
        assert worker.blank == 3
        worker.put(0, encoded([removed([2])]))
        assert worker.blank == 2
        # On the host they are there with their tokens: the engine copied them itself.
        worker.put(1, encoded([stored([2], 1, [5, 6, 7, 8], medium="CPU")]))
        assert worker.blank == 2
        worker.put(2, encoded([{"type": "AllBlocksCleared"}]))
        assert worker.blank == 0

    def test_an_engine_that_counts_below_zero_is_understood(self) -> None:
        worker = watched()
        worker.order.next = 0
        worker.put(0, encoded([stored([5], -2, [5, 6, 7, 8])]))
        worker.begin_from(blocks_of(dumped(told([(1 << 64) - 2]))))
        list(worker.step(0.0, everything=True))
        assert (worker.blocks, worker.unplaced) == (2, 0)

    def test_a_block_that_is_told_anew_has_its_tokens(self) -> None:
        worker = watched()
        worker.order.next = 0
        worker.begin_from(blocks_of(dumped(told([1]))))
        list(worker.step(0.0, everything=True))
        worker.put(0, encoded([removed([1])]))
        list(worker.step(1.0, everything=True))
        worker.put(1, encoded([stored([1], None, [5, 6, 7, 8])]))
        list(worker.step(2.0, everything=True))
        assert worker.blank == 0
        assert memoryview(next(iter(worker.drawn["device"].nodes())).tokens).cast("i")[0] == 5


class TestFleet:
    def test_it_waits_for_the_past_that_an_engine_sends_itself(self) -> None:
        clock = [100.0]
        fleet = Fleet(["7"], replays=[True], dumped=True, clock=lambda: clock[0], began=1e9)
        fleet.begin_from({0: blocks_of(dumped(told([1, 2])))})
        fleet.take([Came(0, 5, encoded([removed([1, 2])]))])
        assert fleet.facts()[0].blocks == 0
        fleet.take([Came(0, 4, encoded([stored([1, 2], None, [*range(8)])]))])
        fleet.take([Came(0, 0, b"", end=True)])
        # Stored and removed: the dump, which is older, is not believed.
        assert fleet.facts()[0].blocks == 0

    def test_an_engine_that_says_nothing_is_drawn_from_it(self, tmp_path: Path) -> None:
        clock = [100.0]
        fleet = Fleet(["7", "8"], dumped=True, clock=lambda: clock[0], began=1e9)
        fleet.take([])
        fleet.begin_from({1: blocks_of(dumped(told([1, 2])))})
        fleet.take([])
        assert [one.blocks for one in fleet.facts()] == [0, 0]
        clock[0] += PATIENCE_S
        fleet.take([])
        fleet.finish()
        assert [(one.blocks, one.blank) for one in fleet.facts()] == [(0, 0), (2, 2)]
        ends = [node.end for node in fleet.tape.snapshot(len(fleet.tape)).nodes]
        assert max(ends) == 2 * BLOCK
        # It can be kept, and looked at again.
        for text in (False, True):
            save_tape(fleet.tape, tmp_path / "kept.jsonl", text=text)
            again = read_tape(tmp_path / "kept.jsonl")
            assert [node.end for node in again.snapshot(len(again)).nodes] == ends


@pytest.fixture
def serve() -> Iterator[Callable[[int, bytes], Address]]:
    """Answer every request alike, on this machine."""
    servers: list[HTTPServer] = []

    def start(status: int, body: bytes) -> Address:
        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(status if self.path == "/dump" else 404)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args: object) -> None:
                pass

        server = HTTPServer(("127.0.0.1", 0), Answer)
        servers.append(server)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}).start()
        return Address.parse(f"http://127.0.0.1:{server.server_port}", path="/dump")

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


class TestGetting:
    def test_it_comes_from_an_address(self, serve: Callable[[int, bytes], Address]) -> None:
        assert list(read(serve(200, dumped(told([1])))).workers) == ["7"]

    def test_a_server_that_refuses_is_named(self, serve: Callable[[int, bytes], Address]) -> None:
        with pytest.raises(RemoteError, match=r"127\.0\.0\.1"):
            read(serve(500, b"no"))

    def test_it_comes_from_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "dump.json").write_bytes(dumped(told([1])))
        assert list(read(tmp_path / "dump.json").workers) == ["7"]

    def test_a_file_that_is_not_there_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(RemoteError, match=r"dump\.json cannot be read"):
            read(tmp_path / "dump.json")
