"""Sorting and looking up, against numpy's own and dictionaries."""

from __future__ import annotations

import numpy as np
import pytest

from app.cache.logic.columns import find, one_of_each, order_by


def _keys(rng: np.random.Generator, count: int) -> dict[str, np.ndarray]:
    wide = np.iinfo(np.int64)
    return {
        "few": rng.integers(-3, 4, count),
        "row": rng.permutation(count).astype(np.int64),
        "id": rng.integers(wide.min, wide.max, count),
        "seconds": np.where(rng.random(count) < 0.1, -0.0, rng.normal(size=count)),
        "sorted": np.arange(count) * 3,
        "same": np.full(count, 5),
    }


@pytest.mark.parametrize("count", [0, 1, 2, 900, 5000])
@pytest.mark.parametrize(
    "names",
    [
        "few",
        "id",
        "seconds",
        "same",
        "few row",
        "few few",
        "id few",
        "few id id",
        "seconds few",
        "sorted few seconds",
        "same same",
    ],
)
def test_rows_come_in_the_order_of_their_keys(names: str, count: int) -> None:
    known = _keys(np.random.default_rng(5), count)
    keys = [known[name] for name in names.split()]
    assert order_by(*keys).tolist() == np.lexsort(keys[::-1]).tolist()


@pytest.mark.parametrize("moved", [0, 3, 300, 2000])
def test_rows_that_are_almost_in_order_come_in_order(moved: int) -> None:
    rng = np.random.default_rng(6)
    key = np.sort(rng.integers(0, 1000, 4000))
    key[rng.integers(0, 4000, moved)] = rng.integers(0, 1000, moved)
    assert order_by(key).tolist() == np.argsort(key, kind="stable").tolist()


def test_of_equal_values_the_first_is_taken() -> None:
    rng = np.random.default_rng(7)
    values = rng.integers(0, 50, 3000)
    made = one_of_each(values)
    assert values[made].tolist() == sorted(set(values.tolist()))
    assert made.tolist() == [values.tolist().index(value) for value in values[made].tolist()]


@pytest.mark.parametrize("among", [10, 4000, 2**62])
@pytest.mark.parametrize("count", [0, 1, 2000])
def test_numbers_are_found_close_together_and_far_apart(count: int, among: int) -> None:
    rng = np.random.default_rng(8)
    known = np.unique(rng.integers(-among, among, count))
    wanted = np.concatenate([rng.integers(-2 * among, 2 * among, 500), known[::2]])
    rng.shuffle(wanted)
    place = {number: at for at, number in enumerate(known.tolist())}
    assert find(known, wanted).tolist() == [place.get(one, -1) for one in wanted.tolist()]
