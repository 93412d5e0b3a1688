"""The quick reader of lines says what the careful one says, and leaves to it what it refuses."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from engine.errors import TraceError
from engine.trace.fields import Fields
from engine.trace.lines import entry_line
from engine.trace.parsing import quick_entry, read_entry
from tests.engine.trace.taped import TapedCaches

# What a field may be that it should not be, and what it may well be.
ODD: tuple[Any, ...] = (
    None,
    True,
    False,
    -1,
    0,
    7,
    2**31,
    2**63,
    -0.5,
    1.0,
    1e300,
    "",
    "device",
    "disk",
    "prefill",
    [],
    [1, 2],
    [True],
    [-1],
    [1.0],
    [2**31],
    {},
)


def recorded() -> list[str]:
    """Lines of every kind that a random day has, requests aside."""
    caches = TapedCaches(11)
    for _ in range(12):
        caches.ask()
    return [entry_line(e, 0.0) for e in caches.entries if not hasattr(e.what, "prompt")]


LINES = recorded()


def by_kind() -> dict[str, dict[str, Any]]:
    return {raw["event"]: raw for raw in map(json.loads, LINES)}


def carefully(raw: object) -> object:
    try:
        return read_entry(Fields(raw), 1).entry
    except TraceError:
        return None


def test_it_reads_almost_all_lines_and_reads_them_right() -> None:
    raws = [json.loads(line) for line in LINES]
    quick = [quick_entry(raw) for raw in raws]
    assert sum(entry is not None for entry in quick) > 0.98 * len(raws) > 900
    for raw, entry in zip(raws, quick, strict=True):
        assert entry is None or repr(entry) == repr(carefully(raw))


@pytest.mark.parametrize("kind", sorted(by_kind()))
def test_an_odd_field_is_left_to_the_careful_reader(kind: str) -> None:
    raw = by_kind()[kind]
    for name in raw:
        for value in (*ODD, ...):
            changed = {key: known for key, known in raw.items() if key != name}
            if value is not ...:
                changed[name] = value
            quick = quick_entry(changed)
            # Compared as they print: 1, 1.0 and True are equal and not the same.
            assert quick is None or repr(quick) == repr(carefully(changed)), (name, value)


def test_two_odd_fields_at_once() -> None:
    rng = random.Random(5)
    kinds = by_kind()
    for _ in range(3000):
        raw = dict(rng.choice(list(kinds.values())))
        for name in rng.sample(list(raw), 2):
            raw[name] = rng.choice(ODD)
        quick = quick_entry(raw)
        assert quick is None or repr(quick) == repr(carefully(raw)), raw


@pytest.mark.parametrize("raw", [None, [], "NodeAdded", 5, {"event": []}, {"event": "header"}])
def test_what_is_no_line_of_ours_is_left_to_the_careful_reader(raw: object) -> None:
    assert quick_entry(raw) is None


@pytest.mark.parametrize("odd", [-1, True, 1.0, 2**31, "1", None, 2**31 - 1, 0])
def test_the_tokens_of_a_node(odd: Any) -> None:
    raw = dict(by_kind()["NodeAdded"])
    raw["tokens"] = [*raw["tokens"][1:], odd]
    quick = quick_entry(raw)
    assert (quick is not None) == (odd in (0, 2**31 - 1) and type(odd) is int)
    assert quick is None or repr(quick) == repr(carefully(raw))
