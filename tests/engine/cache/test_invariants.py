"""The check detects and names every kind of planted damage."""

from __future__ import annotations

import numpy as np
import pytest

from engine.cache.kv_pool import CACHED, FREE, LIVE
from engine.cache.node import Checkpoint, Loss, Node
from engine.errors import InvariantError
from tests.engine.cache.conftest import Driver, parts_of
from tests.present import present

A = list(range(100, 120))


class Planted(Driver):
    """Two branches, an inner checkpoint, a tombstone, free and live slots, one lock."""

    def __init__(self) -> None:
        super().__init__()
        self.run(A, at=[8, 20])
        self.run([*A[:8], 1, 2])
        self.run([*A[:12], 3, 4])
        self.lock, _ = self.start([*A, 5])
        self.live_kv = present(self.cache.alloc_kv(4))
        self.live_state = present(self.cache.alloc_state())
        self.cache.reader.check()


@pytest.fixture
def d() -> Planted:
    return Planted()


def at(d: Planted, end: int) -> Node:
    return next(n for n in parts_of(d.cache).tree.nodes.values() if n.end == end)


def leaf(d: Planted) -> Node:
    return at(d, 10)


def held(node: Node) -> Checkpoint:
    return present(node.checkpoint)


def breaks(d: Planted, name: str) -> None:
    with pytest.raises(InvariantError, match=f"^{name}"):
        d.cache.reader.check()


class TestKv:
    def test_a_leaked_slot(self, d: Planted) -> None:
        node = leaf(d)
        parts_of(d.cache).kv.status[63] = CACHED
        breaks(d, "leaked KV slot")
        assert node.extents

    def test_a_slot_in_two_nodes(self, d: Planted) -> None:
        leaf(d).extents = ((0, 2),)
        breaks(d, "double owner")

    def test_a_slot_in_the_tree_and_free(self, d: Planted) -> None:
        first, _ = leaf(d).extents[0]
        parts_of(d.cache).kv.status[first] = FREE
        breaks(d, "double owner")

    def test_a_slot_in_the_tree_and_live(self, d: Planted) -> None:
        leaf(d).extents = ((d.live_kv[0][0], 2),)
        breaks(d, "double owner")

    def test_a_hole(self, d: Planted) -> None:
        first, length = leaf(d).extents[0]
        leaf(d).extents = ((first, length - 1),)
        breaks(d, "KV hole")

    def test_a_slot_beyond_the_pool(self, d: Planted) -> None:
        leaf(d).extents = ((63, 2),)
        breaks(d, "no such KV slot")

    def test_counts_that_do_not_add_up(self, d: Planted) -> None:
        parts_of(d.cache).kv.counts[FREE] += 1
        breaks(d, "KV slots not conserved")

    def test_a_free_slot_missing_from_the_free_runs(self, d: Planted) -> None:
        kv = parts_of(d.cache).kv
        kv._remove_free(kv.free_extents()[-1][0])
        breaks(d, "leaked KV slot")

    def test_free_runs_that_were_not_merged(self, d: Planted) -> None:
        kv = parts_of(d.cache).kv
        start, length = kv.free_extents()[-1]
        kv._remove_free(start)
        kv._add_free(start, 1)
        kv._add_free(start + 1, length - 1)
        breaks(d, "free extents not merged")


class TestStates:
    def test_a_leaked_slot(self, d: Planted) -> None:
        parts_of(d.cache).states.free(d.live_state)
        parts_of(d.cache).states.alloc()
        parts_of(d.cache).states.adopt(d.live_state)
        breaks(d, "leaked state slot")

    def test_a_slot_of_two_nodes(self, d: Planted) -> None:
        held(leaf(d)).slot = held(at(d, 20)).slot
        breaks(d, "double owner")

    def test_a_slot_in_the_tree_and_live(self, d: Planted) -> None:
        held(leaf(d)).slot = d.live_state
        breaks(d, "double owner")

    def test_the_live_slot_0(self, d: Planted) -> None:
        held(leaf(d)).slot = 0
        breaks(d, "no such state slot")

    def test_counts_that_do_not_add_up(self, d: Planted) -> None:
        parts_of(d.cache).states.counts[LIVE] -= 1
        breaks(d, "state slots not conserved")

    def test_a_free_slot_missing_from_the_free_list(self, d: Planted) -> None:
        parts_of(d.cache).states._free.pop()
        breaks(d, "leaked state slot")


class TestShape:
    def test_a_wrong_start(self, d: Planted) -> None:
        leaf(d).start += 1
        breaks(d, "wrong start")

    def test_a_duplicated_first_token(self, d: Planted) -> None:
        node = leaf(d)
        sibling = next(n for n in present(node.parent).children.values() if n is not node)
        node.tokens = np.array([int(sibling.tokens[0]), 2], np.int32)
        breaks(d, "wrong key")
        children = present(node.parent).children
        children[999] = children.pop(1)
        breaks(d, "wrong key|duplicated first token")

    def test_a_child_under_a_foreign_key(self, d: Planted) -> None:
        node = leaf(d)
        children = present(node.parent).children
        children[77] = children.pop(1)
        breaks(d, "wrong key")

    def test_a_node_that_points_to_another_parent(self, d: Planted) -> None:
        leaf(d).parent = parts_of(d.cache).tree.root
        breaks(d, "wrong parent")

    def test_a_node_without_tokens(self, d: Planted) -> None:
        node = leaf(d)
        node.tokens, node.extents = node.tokens[:0], ()
        breaks(d, "empty node")

    def test_a_node_that_is_in_the_tree_only(self, d: Planted) -> None:
        del parts_of(d.cache).tree.nodes[leaf(d).id]
        breaks(d, "lost node")

    def test_a_node_that_is_in_the_register_only(self, d: Planted) -> None:
        node = leaf(d)
        del present(node.parent).children[1]
        breaks(d, "lost node")

    def test_a_register_that_names_another_node(self, d: Planted) -> None:
        node = leaf(d)
        double = Node(node.id, node.start, node.tokens, node.extents, node.created, node.used)
        parts_of(d.cache).tree.nodes[node.id] = double
        breaks(d, "lost node")

    def test_a_root_with_content(self, d: Planted) -> None:
        parts_of(d.cache).tree.root.checkpoint = leaf(d).checkpoint
        breaks(d, "root not empty")


class TestLocks:
    def test_a_kv_count_too_high(self, d: Planted) -> None:
        leaf(d).kv_lock += 1
        breaks(d, "lock imbalance")

    def test_a_kv_count_too_low(self, d: Planted) -> None:
        at(d, 8).kv_lock -= 1
        breaks(d, "lock imbalance")

    def test_a_state_lock_above_its_kv_lock(self, d: Planted) -> None:
        leaf(d).state_lock += 1
        breaks(d, "lock order")

    def test_a_state_lock_without_a_holder(self, d: Planted) -> None:
        at(d, 8).state_lock += 1
        breaks(d, "lock imbalance")

    def test_a_locked_checkpoint_that_is_missing(self, d: Planted) -> None:
        node = at(d, 20)
        parts_of(d.cache).states.release(held(node).slot)
        node.checkpoint = None
        breaks(d, "lock imbalance")

    def test_a_lock_on_a_removed_node(self, d: Planted) -> None:
        parts_of(d.cache).locks.held[d.lock.id].state = 12345
        breaks(d, "lock imbalance")


class TestTombstones:
    def test_an_unlocked_leaf_tombstone(self, d: Planted) -> None:
        node = leaf(d)
        parts_of(d.cache).states.release(held(node).slot)
        node.checkpoint = None
        breaks(d, "unlocked leaf tombstone")

    def test_a_loss_on_a_node_that_has_its_checkpoint(self, d: Planted) -> None:
        leaf(d).loss = Loss(10, "state pressure", 0.0)
        breaks(d, "stale loss")
