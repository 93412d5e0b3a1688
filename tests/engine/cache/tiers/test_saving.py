"""Saving in idle moments: most recently used first, nothing twice, and then it comes to rest."""

from __future__ import annotations

import numpy as np
import pytest

from engine.cache.holding import Holding
from engine.cache.tiers.intake import Intake
from engine.stored_state import TierName
from tests.engine.cache.tiers.three_tiers import ByteDisk, Prefix, ThreeTiers


def chat(seed: int, length: int) -> list[int]:
    made: list[int] = np.random.default_rng(seed).integers(1, 50_000, length).tolist()
    return made


class Watched:
    """A device, a disk with room for `files` files, and a log of every file written."""

    def __init__(self, files: int, device: tuple[int, int] = (2000, 40)) -> None:
        self.world = ThreeTiers(device=device, host=None, files=files)
        assert self.world.disk is not None
        self.disk = self.world.disk
        self.written: list[Prefix] = []
        whole = self.disk.save

        def save(holding: Holding, tier: TierName) -> bool:
            taken = whole(holding, tier)
            if taken:
                self.written.append(tuple(holding.tokens.tolist()))
            return taken

        self.disk.save = save  # type: ignore[method-assign]

    def rest(self) -> int:
        """Save until nothing is left; returns how many were written."""
        before = len(self.written)
        for _ in range(200):
            if not self.world.tiers.save(1):
                return len(self.written) - before
        raise AssertionError("it does not come to rest")


@pytest.mark.parametrize("files", [1, 2, 3, 5, 8, 40])
def test_it_comes_to_rest_and_writes_nothing_useless(files: int) -> None:
    watched = Watched(files)
    for seed in range(6):
        watched.world.run(chat(seed, 150), decode=chat(seed + 50, 9))
    watched.rest()
    assert len(watched.written) == len(set(watched.written)) == len(watched.disk.files)
    assert len(watched.disk.files) == min(files, watched.world.cache.reader.state_pool().cached)
    assert watched.rest() == 0
    watched.world.run(chat(3, 150))
    assert watched.rest() <= 1, "reading creates nothing new to write"


def test_if_not_all_fit_the_end_of_the_last_chat_stays() -> None:
    watched = Watched(1)
    for seed in range(4):
        watched.world.run(chat(seed, 150))
    watched.rest()
    assert list(watched.disk.files) == [tuple(chat(3, 150))]


def test_ancestors_are_written_before_their_descendants() -> None:
    watched = Watched(40)
    watched.world.run(chat(1, 200), anchors=(70, 130))
    watched.rest()
    assert [len(prefix) for prefix in watched.written] == sorted(map(len, watched.written))
    assert len(watched.written) > 2


def test_ancestors_are_left_out_if_only_the_end_fits() -> None:
    """Otherwise a less valuable state would take the room of the one that the next turn needs."""
    watched = Watched(2)
    watched.world.run(chat(1, 200), anchors=(70, 130))
    watched.rest()
    assert max(len(prefix) for prefix in watched.disk.files) == 200
    assert len(watched.written) == 2


def test_a_disk_that_is_not_ready_gets_nothing_now_and_all_later() -> None:
    watched = Watched(40)
    watched.world.run(chat(1, 200), anchors=(70, 130))
    watched.disk.ready = False
    assert watched.rest() == 0
    watched.disk.ready = True
    assert watched.rest() == watched.world.cache.reader.state_pool().cached


def test_a_failed_copy_is_retried_after_the_next_change() -> None:
    broken = [True]
    world = ThreeTiers(device=(2000, 40), host=None, files=40, fails=lambda: broken[0])
    world.run(chat(1, 100))
    assert world.tiers.save() == 0
    broken[0] = False
    assert world.tiers.save() == 0, "nothing happened"
    world.run([*chat(1, 100), 5])
    assert world.tiers.save() > 1
    assert world.tiers.moved["device", "disk", Intake.FAILED] >= 1


@pytest.mark.parametrize("seed", range(5))
def test_random_chats_on_a_small_disk_come_to_rest_after_each(seed: int) -> None:
    """A turn writes only what is new on the device: never more, however small the disk."""
    print(f"seed {seed}")
    rng = np.random.default_rng(seed)
    watched = Watched(int(rng.integers(1, 6)), device=(400, 9))
    chats = [chat(seed * 10 + i, 40) for i in range(4)]
    for step in range(60):
        at = int(rng.integers(4))
        chats[at] = [*chats[at][:150], *chat(step, int(rng.integers(1, 20)))]
        known = set(watched.disk.files)
        watched.world.run(chats[at], anchors=(20,), decode=chat(step + 7, 4))
        first = len(watched.written)
        watched.rest()
        assert watched.rest() == 0
        new = watched.written[first:]
        assert len(new) == len(set(new)), "nothing is written twice"
        assert set(new) <= set(watched.disk.files), "no write is wasted"
        assert not set(new) & known
        watched.world.verify()


def test_the_test_disk_respects_its_capacity() -> None:
    """The tests above would notice: a disk that accepts everything never comes to rest."""
    watched = Watched(2)

    def greedy(holding: Holding, tier: TierName) -> bool:
        prefix = tuple(holding.tokens.tolist())
        if prefix in watched.disk.files:
            return False
        ByteDisk.save(watched.disk, holding, tier)
        watched.written.append(prefix)
        return True

    watched.disk.save = greedy  # type: ignore[method-assign]
    watched.disk.fits = lambda path: True  # type: ignore[method-assign]
    for seed in range(4):
        watched.world.run(chat(seed, 150))
    watched.rest()
    assert len(watched.written) > len(watched.disk.files)
