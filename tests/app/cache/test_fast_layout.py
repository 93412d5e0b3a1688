"""Layouts without loops over nodes: equal to those with loops, at any change of any tree."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from msgspec.structs import replace

from app.bench.drawing import made_up
from app.cache.logic.axis import CELLS, TOKENS, scale_of, without_width
from app.cache.logic.chats import Chats
from app.cache.logic.columns import ColumnReader
from app.cache.logic.folding import Folded, Folding, fold
from app.cache.logic.icicle import hang, own_bytes, standing
from app.cache.logic.lanes import LaneAssigner
from app.cache.logic.layout import aside_rows, fold_chats
from app.cache.logic.stretches import build_stretches
from app.cache.logic.table import LIVE_ID, NodeTable, TableReader, build_table
from app.cache.logic.topology_arrangement import (
    GAP,
    Rows,
    TidyTree,
    in_blocks,
    lengths,
    spread,
    tidy,
)
from app.cache.views import make_views
from engine.snapshot import CacheSnapshot, NodeView
from tests.app.cache.growing_tree import GrowingTree
from tests.app.cache.naive import chat_folding, folding, icicle, lanes, stretches, table
from tests.app.cache.test_tidy import overlapping
from tests.stopwatch import Stopwatch

SEEDS = range(6)
COLUMNS = (
    "ids", "source", "parent", "start", "end", "weight", "provenance", "tier", "kv_lock",
    "state_lock", "marks", "owner",
)  # fmt: skip
CHANGES = 160


def snapshots(seed: int, *, talks: bool = True) -> Iterator[CacheSnapshot]:
    tree = GrowingTree(seed, talks=talks)
    for _ in range(CHANGES):
        tree.change()
        yield tree.snapshot()


def tables(seed: int) -> Iterator[tuple[CacheSnapshot, NodeTable, table.NaiveTable]]:
    """Of each snapshot, read as changes of the one before."""
    reader = TableReader()
    for shown in snapshots(seed):
        yield shown, reader.read(shown), table.build_table(shown)


def folded_by(folded: Folded, before: NodeTable) -> set[tuple[object, ...]]:
    row_of = dict(zip(before.ids.tolist(), range(len(before)), strict=True))
    return {
        (chip.kind, chip.key, chip.branches, frozenset(row_of[one] for one in chip.ids))
        for chip in folded.chips.values()
    }


def of_naive(found: list[folding.Found]) -> set[tuple[object, ...]]:
    return {(one.kind, one.key, one.branches, frozenset(one.rows)) for one in found}


@pytest.mark.parametrize("seed", SEEDS)
class TestEquality:
    def test_tables_are_equal(self, seed: int) -> None:
        for _, fast, naive in tables(seed):
            for name in COLUMNS:
                made, wanted = getattr(fast, name), getattr(naive, name)
                np.testing.assert_array_equal(made, wanted, err_msg=name)
            assert tuple(fast.children) == naive.children

    def test_who_speaks_is_equal(self, seed: int) -> None:
        for shown, fast, naive in tables(seed):
            made, wanted = build_stretches(fast, shown), stretches.build_stretches(naive, shown)
            for name in ("row", "start", "end", "offset", "kind", "opens", "first"):
                np.testing.assert_array_equal(getattr(made, name), getattr(wanted, name), name)
            assert (tuple(made.text), made.known) == (wanted.text, wanted.known)

    def test_places_are_equal_to_the_last_bit(self, seed: int) -> None:
        for shown, fast, naive in tables(seed):
            said = build_stretches(fast, shown)
            made = scale_of(CELLS, fast, said)
            before = said.offset.astype(np.float64)
            tokens = before + said.end - said.start
            widths = CELLS.along(tokens, said.kind) - CELLS.along(before, said.kind)
            wanted = stretches.edges(
                naive, stretches.build_stretches(naive, shown), widths.tolist()
            )
            assert (made.left.tolist(), made.right.tolist()) == wanted

    def test_lanes_are_equal(self, seed: int) -> None:
        """With stubs, with rows that stand aside, with what fades, and after a change of ids."""
        made, wanted = LaneAssigner(), lanes.NaiveBook()
        rng = np.random.default_rng(seed)
        for number, (shown, fast, naive) in enumerate(tables(seed)):
            axis = (CELLS, TOKENS)[seed % 2]
            scale = scale_of(axis, fast, build_stretches(fast, shown))
            leaves = np.flatnonzero(fast.children.counts == 0)
            stubs = leaves[(leaves > 0) & (fast.ids[leaves] % 7 == 0)] if seed % 3 else leaves[:0]
            scale = without_width(scale, stubs)
            asides = aside_rows(fast, shown, Chats({}, 1 if seed % 3 == 1 else None))
            asides = np.setdiff1d(asides, stubs).tolist()
            held = [(int(rng.integers(4)), 50.0 * number, 50.0 * number + 40)] * (number % 3 > 0)
            if number % 11 == 10:
                was, now = fast.ids[-1].item(), 1000 + number
                made.follow(was, now)
                wanted.follow(was, now)
            if number % 60 == 59:
                made.forget()
                wanted.forget()
            args = scale.left, scale.right, held, stubs.tolist(), asides
            np.testing.assert_array_equal(made.assign(fast, *args), wanted.assign(naive, *args))
            assert made.count == wanted.count

    @pytest.mark.parametrize("chains", [False, True])
    def test_chains_and_fans_are_equal(self, seed: int, chains: bool) -> None:
        opened: set[int] = set()
        for number, (_, fast, naive) in enumerate(tables(seed)):
            keep = fast.ids % 13 == seed
            made = fold(fast, keep, opened, chains=chains)
            wanted = folding.fold(naive, keep, opened, chains=chains)
            assert folded_by(made, fast) == of_naive(wanted)
            if number % 20 == 0:
                opened |= {one.key for one in wanted[:1]}

    def test_conversations_and_dropped_thinking_are_equal(self, seed: int) -> None:
        told = Folding()
        for number, (shown, fast, naive) in enumerate(tables(seed)):
            told.chats = Chats({}, 1 + number % 3 if seed % 2 else None)
            made = fold_chats(fast, shown, told)
            wanted = chat_folding.fold_chats(naive, shown, told, told.kept(fast))
            assert folded_by(made, fast) == of_naive(wanted)
            if number % 20 == 0:
                told.opened |= {one.key for one in wanted if one.kind == "chat"}

    def test_boxes_of_bytes_are_equal(self, seed: int) -> None:
        for shown, fast, naive in tables(seed):
            made = hang(fast, *own_bytes(shown, fast), standing(fast))
            weights = made.weights
            whole = icicle.summed(naive.parent.tolist(), weights.own.tolist())
            left, depth, order = icicle.hang(naive, whole, standing(fast).tolist())
            assert weights.whole.tolist() == whole
            assert (made.left.tolist(), made.depth.tolist()) == (left, depth)
            assert made.order.tolist() == order
            count = icicle.summed(naive.parent.tolist(), [1] * len(naive))
            assert made.count.tolist() == count

    def test_a_tidy_tree_that_was_changed_equals_one_made_anew(self, seed: int) -> None:
        book, few = TidyTree(), 0
        for _, fast, naive in tables(seed):
            rank = standing(fast)
            made = spread(fast, rank, book)
            ranks = rank.tolist()
            children = [sorted(kids, key=ranks.__getitem__) for kids in naive.children]
            room = (lengths(fast) + GAP).tolist()
            along, across = tidy(children, room, [1.0] * len(fast))
            assert made.left.tolist() == along
            assert made.lane.tolist() == [int(at + 1e-6) for at in across]
            few += book.placed < len(fast) / 2
        assert few > CHANGES / 4, "the tree was made anew, not changed"

    @pytest.mark.slow
    def test_of_a_wide_fan_only_what_stands_near_a_change_is_joined_again(self, seed: int) -> None:
        tree, book, few = GrowingTree(seed), TidyTree(), 0
        for number in range(700):
            tree._add(0 if number < 500 else tree.rng.choice(list(tree.nodes)))
        for number in range(60):
            tree.change()
            shown = build_table(tree.snapshot())
            rank = standing(shown)
            rows = in_blocks(Rows(shown.ids, shown.parent, shown.children.rows, lengths(shown)))
            assert np.bincount(rows.parent[rows.kids]).max() < len(tree.nodes) / 3
            made, wanted = spread(shown, rank, book), spread(shown, rank)
            np.testing.assert_array_equal(made.left, wanted.left)
            np.testing.assert_array_equal(made.lane, wanted.lane)
            assert overlapping(made) == 0
            few += number > 0 and book.placed < len(tree.nodes) / 3
        assert few > 50, "the siblings were placed anew"


class TestWhatTheTreesHold:
    """The trees above must have what is compared."""

    def test_every_kind_of_chip_and_a_running_request(self) -> None:
        kinds: set[str] = set()
        running = False
        for seed in SEEDS:
            for _, fast, naive in tables(seed):
                kinds |= {one.kind for one in folding.fold(naive, fast.ids < 0)}
                running |= LIVE_ID in fast.ids
            for shown, fast, naive in tables(seed):
                told = Folding()
                told.chats = Chats({}, 1)
                none = np.zeros(len(fast), dtype=np.bool_)
                kinds |= {one.kind for one in chat_folding.fold_chats(naive, shown, told, none)}
        assert kinds == {"chain", "fan", "chat", "thinking"}
        assert running


class TestReading:
    @pytest.mark.parametrize("on", [False, True], ids=["unfolded", "folded"])
    def test_a_trace_begins_and_ends_without_nodes(self, on: bool) -> None:
        tree = GrowingTree(3)
        for _ in range(30):
            tree.branch()
        full = tree.snapshot()
        empty = replace(full, nodes=(), live=None, version=99)
        told = Folding(on=on)
        told.chats = Chats({}, 1 if on else None)
        for view in make_views(told):
            rows = [len(view.arrangement.lay_out(one).table) for one in (empty, full, empty, full)]
            assert rows[0] == rows[2] == 0
            assert rows[1] == rows[3] > 0

    def test_a_record_that_stayed_is_not_read_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        reads: list[int] = []
        tree = GrowingTree(3)
        for _ in range(60):
            tree.branch()
        reader = ColumnReader()
        read = reader._line

        def noted(one: NodeView) -> tuple[object, ...]:
            reads.append(one.id)
            return read(one)

        monkeypatch.setattr(reader, "_line", noted)
        first = tree.snapshot()
        reader.read(first)
        assert len(reads) == len(first.nodes)
        for _ in range(20):
            reads.clear()
            before = set(map(id, tree.nodes.values()))
            tree.change()
            reader.read(tree.snapshot())
            # The root is in every snapshot of these tests the same.
            assert set(reads) == {n for n, one in tree.nodes.items() if id(one) not in before}

    def test_texts_of_nodes_that_are_gone_do_not_pile_up(self) -> None:
        tree, reader = GrowingTree(3), ColumnReader()
        for _ in range(400):
            tree.branch()
        for number in range(40):
            tree.nodes = {one: replace(view, hits=number) for one, view in tree.nodes.items()}
            made = reader.read(tree.snapshot())
        assert len(made.said.text) < 5 * int(made.count.sum())


class TestSpeed:
    # Of 10,000 nodes. A frame is 16.7 ms, which the layout by topology takes on the slowest
    # processor that it was measured on (AVX2 alone, 16 to 19 ms; the other three less than half).
    BUDGET_S = 0.025

    @pytest.mark.parametrize("number", range(4), ids=["messages", "tokens", "memory", "topology"])
    def test_a_change_fits_into_a_frame(self, number: int) -> None:
        view, shown = make_views(Folding(on=False))[number], made_up(10_000)
        view.arrangement.lay_out(shown)
        spent = []
        for step in range(8):
            above = shown.nodes[900 * (step + 1)]
            new = replace(
                above, id=10**6 + step, parent=above.id, start=above.end, end=above.end + 30
            )
            shown = replace(shown, version=2 + step, nodes=(*shown.nodes, new))
            watch = Stopwatch()
            view.arrangement.lay_out(shown)
            spent.append(watch.spent_s())
        assert sorted(spent)[1] < self.BUDGET_S
