"""The how-to of CONTRIBUTING.md for an eviction policy, followed step by step."""

from __future__ import annotations

import pytest

from engine.cache.eviction.registry import POLICIES, make_policy
from tests.engine.cache.conftest import Driver, parts_of
from tests.engine.cache.eviction.fifo import Fifo
from tests.engine.cache.eviction.test_memory import things_held, use
from tests.engine.cache.test_random_operations import SIZES, World, operate
from tests.mostly_slow import mostly_slow


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line in the registry."""
    monkeypatch.setitem(POLICIES, "fifo", Fifo)


def test_the_first_stored_goes_first(driver: type[Driver]) -> None:
    d = driver(policy="fifo")
    for first in (1, 2, 3):
        d.run([first, 5, 6, 7])
    d.cache.match([1, 5, 6, 7, 8])
    d.cache.evict_state()
    assert [d.cache.reader.probe([first, 5, 6, 7, 8]).resume for first in (1, 2, 3)] == [0, 4, 4]
    d.cache.evict_kv(1)
    assert [d.cache.reader.probe([first, 5, 6, 7, 8]).matched for first in (1, 2, 3)] == [0, 0, 4]


@pytest.mark.parametrize(("kv_slots", "state_slots", "seed"), mostly_slow(SIZES, 2))
def test_the_cache_and_the_model_agree(kv_slots: int, state_slots: int, seed: int) -> None:
    operate(World(kv_slots, state_slots, "fifo", seed))


def test_of_nodes_that_left_it_remembers_nothing(driver: type[Driver]) -> None:
    d = driver(kv_slots=150, state_slots=12, policy="fifo")
    use(d, 1)
    d.cache.drop_all()
    assert things_held(parts_of(d.cache).evictor.policy) == things_held(make_policy("fifo"))
