"""Chips: nothing is lost, what must stay stays, and the folded table is a tree like any other."""

from __future__ import annotations

import random

import numpy as np
import pytest

from app.cache.logic.folding import LEAST_CHAIN, MOST_BRANCHES, SHOWN_BRANCHES, Folded, fold
from app.cache.logic.lanes import LaneAssigner
from app.cache.logic.table import LIVE_ID, Flags, NodeTable, build_table
from engine.snapshot import LiveView, NodeView
from tests.app.samples import node, random_tree, snapshot

# One chain of eight, then a fan of thirteen.
CHAIN = tuple(node(n, n - 1, (n - 1) * 10, n * 10, "prefill" if n % 2 else "") for n in range(1, 9))
FAN = tuple(node(100 + n, 8, 80, 80 + 100 * (n + 1), "prefill") for n in range(13))


def kept(table: NodeTable, *ids: int) -> Flags:
    return np.isin(table.ids, ids)


def folded(*nodes: NodeView, keep: tuple[int, ...] = (), opened: tuple[int, ...] = ()) -> Folded:
    table = build_table(snapshot(*nodes))
    return fold(table, kept(table, *keep), opened)


class TestChips:
    def test_a_chain_keeps_its_ends(self) -> None:
        made = folded(*CHAIN, node(9, 8, 80, 95))
        (row,) = made.chips
        chip = made.chips[row]
        assert chip.kind == "chain"
        assert chip.ids == tuple(range(2, 9))
        assert (chip.tokens, chip.checkpoints, chip.branches) == (70, 3, 1)
        assert chip.words == "+7 nodes · 70 tokens"
        table = made.table
        assert (table.start[row], table.end[row], table.source[row]) == (10, 80, -1)
        assert [i for i in table.ids.tolist() if i >= 0] == [0, 1, 9]

    def test_a_fan_keeps_its_heaviest_branches(self) -> None:
        made = folded(node(8, 0, 0, 80), *FAN)
        (row,) = made.chips
        chip = made.chips[row]
        assert chip.kind == "fan"
        assert chip.branches == len(chip.ids) == 13 - SHOWN_BRANCHES
        assert chip.words == "+9 branches · 4.5k tokens"
        shown = [i for i in made.table.ids.tolist() if i >= 100]
        assert sorted(shown) == [109, 110, 111, 112]
        assert made.table.weight[row] == chip.tokens == 4500

    def test_short_chains_and_narrow_fans_stay(self) -> None:
        short = CHAIN[: LEAST_CHAIN + 1]
        assert not folded(*short).chips
        assert not folded(node(8, 0, 0, 80), *FAN[:MOST_BRANCHES]).chips

    @pytest.mark.parametrize("held", [2, 5, 8])
    def test_what_must_stay_parts_a_chain(self, held: int) -> None:
        made = folded(*CHAIN, node(9, 8, 80, 95), keep=(held,))
        assert held in made.table.ids
        assert all(held not in chip.ids for chip in made.chips.values())

    def test_what_must_stay_keeps_its_branch_of_a_fan(self) -> None:
        below = node(300, 100, 180, 190)
        made = folded(node(8, 0, 0, 80), *FAN, below, keep=(300,))
        assert {100, 300} <= set(made.table.ids.tolist())

    def test_opened_chips_stay_open(self) -> None:
        (chip,) = folded(*CHAIN, node(9, 8, 80, 95)).chips.values()
        for keep in ((), (4,)):
            assert not folded(*CHAIN, node(9, 8, 80, 95), keep=keep, opened=(chip.key,)).chips

    def test_the_running_request_is_shown(self) -> None:
        live = LiveView(5, 100, 185, 180, 0, 200)
        table = build_table(snapshot(node(8, 0, 0, 80), *FAN, live=live))
        made = fold(table, kept(table, LIVE_ID))
        assert {LIVE_ID, 100} <= set(made.table.ids.tolist())

    def test_a_chip_keeps_its_id_while_the_tree_grows(self) -> None:
        first = folded(*CHAIN, node(9, 8, 80, 95))
        grown = folded(*CHAIN, node(9, 8, 80, 95), node(10, 9, 95, 99), node(11, 10, 99, 120))
        assert [c.id for c in first.chips.values()] == [c.id for c in grown.chips.values()]
        assert len(next(iter(grown.chips.values())).ids) == 9


@pytest.mark.parametrize("seed", range(12))
class TestSoundness:
    def made(self, seed: int) -> tuple[NodeTable, Folded, set[int]]:
        rng = random.Random(seed)
        table = build_table(snapshot(*random_tree(600, seed), *wide(seed)))
        keep = {int(i) for i in rng.sample(table.ids.tolist(), 9)}
        return table, fold(table, kept(table, *keep)), keep

    def test_every_node_is_shown_or_in_one_chip(self, seed: int) -> None:
        table, made, keep = self.made(seed)
        assert made.chips
        shown = [i for i in made.table.ids.tolist() if i >= 0]
        inside = [i for chip in made.chips.values() for i in chip.ids]
        assert sorted(shown + inside) == sorted(table.ids.tolist())
        assert keep <= set(shown)
        for chip in made.chips.values():
            assert len(chip.ids) > 1

    def test_it_is_a_tree_with_parents_first(self, seed: int) -> None:
        table, made, _ = self.made(seed)
        small = made.table
        assert len(np.unique(small.ids)) == len(small)
        assert (small.parent[1:] >= 0).all()
        assert (small.parent[1:] < np.arange(1, len(small))).all()
        for row, kids in enumerate(small.children):
            assert [small.parent[k] for k in kids] == [row] * len(kids)
        for row in range(1, len(small)):
            if row not in made.chips and int(small.parent[row]) not in made.chips:
                assert small.start[row] == small.end[small.parent[row]]
        del table

    def test_chips_point_back_at_their_rows(self, seed: int) -> None:
        table, made, _ = self.made(seed)
        for row, number in enumerate(table.ids.tolist()):
            at = int(made.shown_by[row])
            if at in made.chips:
                assert number in made.chips[at].ids
            else:
                assert made.table.ids[at] == number

    def test_sums_are_kept(self, seed: int) -> None:
        table, made, _ = self.made(seed)
        tokens = table.end - table.start
        assert made.sums(tokens).sum() == tokens.sum()
        for row, chip in made.chips.items():
            assert made.sums(tokens)[row] == chip.tokens
            assert made.any(table.provenance > 0)[row] == (chip.checkpoints > 0)
        assert made.least(table.ids).min() == 0

    def test_it_can_be_given_lanes(self, seed: int) -> None:
        _, made, _ = self.made(seed)
        left, right = made.table.start.astype(float), made.table.end.astype(float)
        lane = LaneAssigner().assign(made.table, left, right)
        for number in np.unique(lane).tolist():
            rows = np.flatnonzero((lane == number) & (made.table.end > made.table.start))
            rows = rows[np.argsort(made.table.start[rows])]
            assert (made.table.end[rows[:-1]] <= made.table.start[rows[1:]]).all()


def wide(seed: int) -> list[NodeView]:
    """A fan of short chats."""
    return [node(10_000 + n, 0, 0, 5 + (n * seed) % 40, "decode") for n in range(30)]
