"""A tree rebuilt from events equals the sender's, block for block, whatever the network does."""

from __future__ import annotations

import random
import tracemalloc
from itertools import chain, count
from typing import Any

import pytest

from engine.net.kv_events.blocks import BlockTable
from engine.net.kv_events.drawn import Arrivals
from engine.net.kv_events.worker import TIERS, Worker
from tests.engine.net.kv_events.sender import (
    BLOCK,
    FORMS,
    Form,
    Sender,
    encoded,
    shuffled,
    stored,
)
from tests.stopwatch import Stopwatch

SEEDS = range(12)


def watched() -> Worker:
    return Worker("here", 0, count(1).__next__)


def tree_of(table: BlockTable) -> dict[object, tuple[object, int]]:
    return {block.hash: (block.parent, block.copies) for block in table.views()}


def drawn_sequences(worker: Worker, tier: str = "device") -> set[tuple[int, ...]]:
    """The tokens down to the end of every block in the drawn tree."""
    found = set()
    table = worker.tables[tier]
    for node in worker.drawn[tier].nodes():
        above, parts = node, list[bytes]()
        while above.above is not None:
            parts.insert(0, above.tokens)
            above = above.above
        tokens = memoryview(b"".join(parts)).cast("i").tolist()
        for row in node.rows:
            assert node.start < table.end[row] <= node.end
            found.add(tuple(tokens[: table.end[row]]))
        assert node.rows or node.children
        if not node.children:
            assert table.end[node.rows[-1]] == node.end
    return found


def compare(worker: Worker, sender: Sender) -> None:
    assert tree_of(worker.tables["device"]) == sender.tree()
    list(worker.step(0.0, everything=True))
    assert drawn_sequences(worker) == sender.sequences()
    assert worker.tables["device"].reachable() + worker.unplaced == len(sender.blocks)


class TestWhole:
    @pytest.mark.parametrize("seed", SEEDS)
    @pytest.mark.parametrize("form", FORMS, ids=str)
    def test_every_batch_in_order(self, seed: int, form: Form) -> None:
        sender, worker = Sender(random.Random(seed), form), watched()
        worker.order.next = 0
        for place, (seq, payload) in enumerate(sender.run(150)):
            worker.put(seq, payload)
            if place % 7 == 0:
                compare(worker, sender)
        compare(worker, sender)
        assert not worker.unread.events
        assert not worker.tables["device"].contradicted

    @pytest.mark.parametrize("seed", SEEDS)
    def test_repeated_and_reordered_batches_change_nothing(self, seed: int) -> None:
        rng = random.Random(seed)
        sender, worker = Sender(rng), watched()
        worker.order.next = 0
        for seq, payload in shuffled(list(sender.run(200)), rng, repeated=0.3, late=0.3):
            assert not worker.put(seq, payload)
            if rng.random() < 0.2:
                list(worker.step(0.0, everything=rng.random() < 0.5))
        compare(worker, sender)
        assert worker.order.repeated

    def test_a_row_is_forgotten_with_its_block(self) -> None:
        sender, worker = Sender(random.Random(0)), watched()
        worker.order.next = 0
        for seq, payload in sender.run(200):
            worker.put(seq, payload)
            list(worker.step(0.0, everything=True))
        sender.clear()
        worker.put(*sender.publish())
        list(worker.step(0.0, everything=True))
        assert not len(worker.tables["device"])
        assert not list(worker.drawn["device"].nodes())


class TestLost:
    @pytest.mark.parametrize("seed", SEEDS)
    def test_lost_batches_that_are_replayed_are_not_missed(self, seed: int) -> None:
        rng = random.Random(seed)
        sender, worker = Sender(rng), watched()
        worker.order.next = 0
        sent = list(sender.run(200))
        for seq, payload in shuffled(sent, rng, lost=0.1, late=0.1):
            assert not worker.put(seq, payload)
            wanted = worker.order.wanted
            if wanted is not None and rng.random() < 0.3:
                # As the replay socket does: everything from there on.
                for again, kept in sent[wanted : seq + 1]:
                    assert not worker.put(again, kept)
        for again, kept in sent[worker.order.next or 0 :]:
            worker.put(again, kept)
        compare(worker, sender)
        assert not worker.order.lost

    @pytest.mark.parametrize("seed", SEEDS)
    def test_after_a_gap_everything_is_in_doubt_until_it_is_heard_of(self, seed: int) -> None:
        rng = random.Random(seed)
        sender, worker = Sender(rng), watched()
        worker.order.next = 0
        sent = list(sender.run(120))
        for seq, payload in sent[:60]:
            worker.put(seq, payload)
        had = worker.blocks
        gaps = []
        for seq, payload in sent[70:]:
            gaps += worker.put(seq, payload)
        assert not gaps
        worker.order.give_up()
        gaps = worker.apply()
        assert [gap.batches for gap in gaps] == [10]
        assert gaps[0].blocks == had
        assert worker.order.lost == 10
        # What is certain is right, and what is not certain is said not to be.
        mine, theirs = tree_of(worker.tables["device"]), sender.tree()
        table = worker.tables["device"]
        certain = {name for name in mine if not table.doubtful(table.rows[name])}  # type: ignore[index]
        assert certain <= theirs.keys()
        assert worker.doubtful == len(mine) - len(certain)
        # As many at every moment after it, whatever is stored again, copied, removed or cleared.
        for seq, payload in sender.run(60):
            worker.put(seq, payload)
            cached = [table.rows[view.hash] for view in table.views()]
            assert table.doubted == sum(map(table.doubtful, cached))
            if seq % 20 == 10:
                table.doubt()
            if seq % 3 == 0:
                list(worker.step(0.0, everything=True))

    def test_a_gap_that_is_not_noticed_is_noticed_here(self) -> None:
        """The planted fault: a reader that takes any batch as the next one ends elsewhere."""
        differs = 0
        for seed in SEEDS:
            rng = random.Random(seed)
            sender, worker = Sender(rng), watched()
            for seq, payload in shuffled(list(sender.run(120)), rng, lost=0.3):
                worker.order.next = seq
                worker.put(seq, payload)
            differs += tree_of(worker.tables["device"]) != sender.tree()
        assert differs >= 3

    def test_a_restarted_engine_has_nothing(self) -> None:
        sender, worker = Sender(random.Random(1)), watched()
        worker.order.next = 0
        for seq, payload in sender.run(50):
            worker.put(seq, payload)
        fresh = Sender(random.Random(2))
        for seq, payload in fresh.run(50):
            worker.put(seq, payload)
        compare(worker, fresh)


class TestLate:
    def test_what_was_stored_before_is_not_placed(self) -> None:
        sender, worker = Sender(random.Random(0)), watched()
        tokens = list(range(1, 1 + 8 * BLOCK))
        sender.store(tokens[: 4 * BLOCK])
        sender.publish()
        sender.store(tokens)
        worker.put(*sender.publish())
        worker.order.begin()
        worker.apply()
        list(worker.step(0.0, everything=True))
        assert worker.order.late == 1
        assert (worker.blocks, worker.unplaced) == (4, 4)
        # Once the beginning is stored again, the rest hangs below it.
        sender.blocks.clear()
        sender.store(tokens[: 4 * BLOCK])
        worker.put(*sender.publish())
        list(worker.step(0.0, everything=True))
        assert worker.unplaced == 0
        assert tuple(tokens) in drawn_sequences(worker)

    def test_there_is_a_table_for_each_tier(self) -> None:
        assert set(watched().tables) == set(TIERS)


CLEARED = {"type": "AllBlocksCleared"}


def drawn_once(names: int) -> Worker:
    """A worker that has drawn so many blocks, each after the one before."""
    worker = watched()
    worker.order.next = 0
    hashes = list(range(1, names + 1))
    worker.put(0, encoded([stored(hashes, None, [0] * BLOCK * names)]))
    list(worker.step(0.0, everything=True))
    return worker


class TestWhatIsGoneCostsNothing:
    def test_clearing_where_nothing_is_cached(self) -> None:
        worker = drawn_once(20_000)
        watch = Stopwatch()
        worker.put(1, encoded([CLEARED] * 5_000))
        assert worker.blocks == 0
        assert watch.spent_s() < 1.0

    def test_clearing_where_one_block_is_cached(self) -> None:
        spent = []
        for drawn in (1, 20_000):
            worker = drawn_once(drawn)
            events = [[stored([-n], None, [1] * BLOCK), CLEARED] for n in range(1, 2_001)]
            batch = encoded([CLEARED, *chain(*events)])
            watch = Stopwatch()
            worker.put(1, batch)
            spent.append(watch.spent_s())
            assert worker.blocks == 0
        assert spent[1] < 5 * spent[0] + 0.05

    def test_clearing_a_sequence_that_forks_at_every_block(self) -> None:
        worker, forks = watched(), list[dict[str, Any]]()
        worker.order.next = 0
        for n in range(2, 4_002, 2):
            before = n - 2 or None
            forks += [stored([n], before, [0] * BLOCK), stored([n + 1], before, [1] * BLOCK)]
        worker.put(0, encoded(forks))
        list(worker.step(0.0, everything=True))
        worker.put(1, encoded([CLEARED]))
        watch = Stopwatch()
        list(worker.step(1.0, everything=True))
        assert watch.spent_s() < 0.3
        assert not list(worker.drawn["device"].nodes())

    def test_a_block_that_comes_and_goes_and_never_has_a_place(self) -> None:
        table = BlockTable()
        arrivals = Arrivals(table)
        tracemalloc.start()
        for _ in range(10_000):
            table.store((5,), 4, b"\0" * BLOCK * 4)
            assert not list(arrivals.due(None))
            table.remove((5,))
        taken, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert taken < 20_000
