"""Every invariant is reported by name, and a planted violation by the one that it breaks."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import numpy as np
import pytest

from engine.cache.cache import TwoPlaneCache
from engine.cache.parts import Parts
from engine.cache.tiers.tiers import Tiers
from engine.errors import InvariantError
from engine.journal.request import Ask, RunRules, run_request
from engine.snapshot import InvariantName
from tests.engine.cache.conftest import parts_of


def leak_kv(parts: Parts) -> None:
    parts.kv.status[int(np.flatnonzero(parts.kv.status == 0)[0])] = 2


def shift_node(parts: Parts) -> None:
    next(node for node in parts.tree.preorder() if not node.is_root).start += 1


def lose_state(parts: Parts) -> None:
    held = next(node for node in parts.tree.preorder() if node.checkpoint is not None)
    assert held.checkpoint is not None
    parts.states.free_list().append(held.checkpoint.slot)
    parts.states.status[held.checkpoint.slot] = 0


def unbalance_lock(parts: Parts) -> None:
    next(node for node in parts.tree.preorder() if not node.is_root).kv_lock += 1


def bare_leaf(parts: Parts) -> None:
    leaf = next(node for node in parts.tree.preorder() if node.is_leaf)
    assert leaf.checkpoint is not None
    leaf.checkpoint = None


PLANTED: dict[str, tuple[Callable[[Parts], None], set[InvariantName]]] = {
    "a leaked KV slot": (leak_kv, {"KV owners", "KV pool"}),
    "a node that begins late": (shift_node, {"tree"}),
    "a state without a slot": (lose_state, {"states"}),
    "a lock too many": (unbalance_lock, {"locks"}),
    "a leaf without a state": (bare_leaf, {"states", "tombstones"}),
}


def grown() -> Tiers:
    cache = TwoPlaneCache(400, 6, kv_slot_bytes=10, state_slot_bytes=1000)
    tiers = Tiers(cache)
    for first in range(3):
        prompt = np.arange(first, first + 60, dtype=np.int64)
        run_request(tiers, Ask(prompt, prompt[:9], anchors=(20,), headroom=8), RunRules())
    return tiers


def test_all_are_listed_and_hold() -> None:
    checked = grown().check_each()
    assert [one.name for one in checked] == list(get_args(InvariantName))
    assert {one.tier for one in checked} == {"device"}
    assert all(not one.problem and one.seconds >= 0 for one in checked)


@pytest.mark.parametrize(("plant", "names"), PLANTED.values(), ids=PLANTED.keys())
def test_a_planted_violation_shows_which(
    plant: Callable[[Parts], None], names: set[InvariantName]
) -> None:
    tiers = grown()
    plant(parts_of(tiers.device))
    broken = {one.name: one.problem for one in tiers.check_each() if one.problem}
    assert set(broken) == names
    with pytest.raises(InvariantError) as raised:
        tiers.check()
    assert str(raised.value) in broken.values()
