"""What is known of a checkpoint survives every way that it takes, and says who replaces whom."""

from __future__ import annotations

import numpy as np
import pytest

from engine.cache.node import HERE, Origin
from engine.verdict import Verdict
from tests.engine.cache.three_tiers import ThreeTiers

A = list(range(100, 120))
PACKED = Origin("disk", "int8", 0.02)
WRONG = Verdict("quarantined", 1.0, 1.0, 0.0)


def chat(seed: int, length: int) -> list[int]:
    return np.random.default_rng(seed).integers(1, 50_000, length).tolist()


@pytest.mark.parametrize(
    ("old", "new", "taken"),
    [(PACKED, HERE, True), (HERE, PACKED, False), (PACKED, PACKED, False), (HERE, HERE, False)],
    ids=["whole for packed", "packed for whole", "packed for packed", "whole for whole"],
)
def test_whole_bytes_take_the_place_of_packed_ones_and_never_the_other_way(
    driver, old: Origin, new: Origin, taken: bool
) -> None:
    d = driver()
    d.run(A, origin=old)
    lock, match = d.start(A)
    d.put(lock, A, match)
    assert d.donate(lock, 20, origin=new) is taken
    d.cache.unlock(lock)
    held = d.cache.probe([*A, 1]).checkpoint
    assert held is not None
    assert held.stored == (new if taken else old).stored


def test_a_state_that_was_packed_once_says_so_after_a_whole_copy_too() -> None:
    """Packed on disk, then shadowed in a host tier that packs nothing: its bytes stay rounded."""
    world = ThreeTiers(device=(500, 3), host=(2000, 40), files=None)
    first = chat(1, 60)
    world.run(first)
    for node in world.cache.checkpoints():
        held = world.cache.holding(node).checkpoint
        assert held is not None
        held.stored, held.error = "int8", 0.02
    for seed in range(2, 6):
        world.run(chat(seed, 60))
    assert world.cache.probe([*first, 1]).resume == 0
    world.tiers.promote([*first, 1])
    back = world.cache.match([*first, 1]).checkpoint
    assert back is not None
    assert (back.tier, back.stored, back.error) == ("host", "int8", 0.02)
    world.verify()


def test_what_the_device_has_is_not_brought_up_a_second_time() -> None:
    world = ThreeTiers(device=(500, 3), host=(2000, 40), files=None)
    first = chat(1, 200)
    for seed in range(1, 5):
        world.run(chat(seed, 200))
    assert world.run([*first, 5]) == (200, "host")
    copies = sum(world.tiers.moved.values())
    assert world.tiers.promote([*first, 6]) == "device"
    assert sum(world.tiers.moved.values()) == copies


def test_what_came_of_a_wrong_state_goes_with_it(driver) -> None:
    """A state further down the path may have been computed from the wrong one."""
    d = driver()
    d.run(A, at=[4, 8, 14, 20])
    d.run([*A[:8], 1, 2], at=[10])
    d.run([*A[:4], 5, 6], at=[6])
    wrong = next(node for node, end in d.checkpoints().items() if end == 8)
    d.cache.stamp(wrong, WRONG)
    d.cache.check()
    assert d.positions() == [4, 6, 8]
    assert d.cache.evicted["quarantined above"] == 3
    match = d.cache.probe([*A, 1])
    assert (match.resume, match.kv_valid) == (4, 4)


def test_a_drifted_state_is_kept_and_used(driver) -> None:
    """The other verdict: a figure in the panel, and nothing goes."""
    d = driver()
    d.run(A, at=[8, 20])
    for node in d.checkpoints():
        d.cache.stamp(node, Verdict("drifted", 0.1, 0.01, 0.0))
    assert d.cache.probe([*A, 1]).resume == 20
    assert d.positions() == [8, 20]
