"""Every kind of line is read as it was written; an odd field is refused by its name, or kept."""

from __future__ import annotations

import codecs
import json
import random
from typing import Any

import pytest

from engine.cache.journal.changes import Noticed
from engine.errors import TraceError
from engine.journal.lines import entry_line
from engine.journal.parsing import read_line
from tests.engine.journal.taped import TapedCaches

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
    "7",
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


def read_again(raw: dict[str, Any]) -> dict[str, Any]:
    """The line of what was read of a line."""
    found = read_line(json.dumps(raw).encode(), 1)
    assert found is not None
    again: dict[str, Any] = json.loads(entry_line(found.entry, 0.0))
    return again


def test_every_line_is_read_as_it_was_written() -> None:
    raws = [json.loads(line) for line in LINES]
    assert len(raws) > 900
    for raw in raws:
        assert read_again(raw) == raw


@pytest.mark.parametrize("kind", sorted(by_kind()))
def test_an_odd_field_is_named_or_kept(kind: str) -> None:
    raw = by_kind()[kind]
    for name in raw:
        for odd in ODD:
            check_odd(raw, {name: odd})


def test_two_odd_fields_at_once() -> None:
    rng = random.Random(5)
    kinds = list(by_kind().values())
    for _ in range(3000):
        raw = rng.choice(kinds)
        check_odd(raw, {name: rng.choice(ODD) for name in rng.sample(list(raw), 2)})


def check_odd(raw: dict[str, Any], odd: dict[str, Any]) -> None:
    """A field that is not well is named, and one that is comes back as it was."""
    refused = ""
    try:
        again = read_again(raw | odd)
    except TraceError as error:
        refused = str(error)
    if refused:
        # A line of no known kind may lack anything; a span's ends decide how many tokens it has.
        assert "event" in odd or any(f'"{name}' in refused for name in (*odd, "tokens"))
        return
    for name, value in odd.items():
        assert may_be(raw[name], value), (name, value)
        if again[name] != value:
            # Null is as if the field were not there, as in an older file.
            assert value is None, name
            assert again == read_again({n: v for n, v in (raw | odd).items() if n != name})


def may_be(known: Any, odd: Any) -> bool:
    """Whether a field that has a value like `known` may have this one."""
    if type(known) is float:
        return type(odd) in (int, float) and abs(odd) < 2**63
    if type(known) is int and odd is not None:
        return type(odd) is int and 0 <= odd < 2**63
    if type(odd) is list and type(known) is list:
        return all(type(one) is int and 0 <= one < 2**31 for one in odd)
    return type(odd) is type(known) or None in (known, odd)


@pytest.mark.parametrize("odd", [-1, True, 1.0, 2**31, "1", None, 2**31 - 1, 0])
def test_the_tokens_of_a_node(odd: Any) -> None:
    raw = dict(by_kind()["NodeAdded"])
    raw["tokens"] = [*raw["tokens"][1:], odd]
    if odd in (0, 2**31 - 1) and type(odd) is int:
        assert read_again(raw) == raw
    else:
        with pytest.raises(
            TraceError, match=rf'"tokens\[{len(raw["tokens"]) - 1}\]" must be a whole number'
        ):
            read_again(raw)


TOUCHED = {"event": "Touched", "seq": 1, "ts": 0.0, "tier": "", "node": 1, "checkpoint": 2}


@pytest.mark.parametrize(
    ("odd", "said"),
    [
        ({"ts": None}, '"ts" must be a number'),
        ({"ts": 1e300}, '"ts" must be a number below 9.223372036854776e+18'),
        ({"seq": True}, '"seq" must be a whole number'),
        ({"node": -1}, '"node" must be a whole number of at least 0'),
        ({"checkpoint": []}, '"checkpoint" must be a whole number'),
        ({"event": []}, '"event" must be a string'),
        ({"event": "A\nB"}, "\"event\" cannot be 'A\\nB'"),
        ({"event": "x" * 9999}, f'"event" cannot be \'{"x" * 199}'),
        ({"event": "\ud800"}, "it has text that is not Unicode"),
    ],
    ids=lambda said: str(said)[:20],
)
def test_a_sentence_says_what_is_wrong(odd: dict[str, Any], said: str) -> None:
    with pytest.raises(TraceError) as caught:
        read_again(TOUCHED | odd)
    assert str(caught.value) == said


def test_what_is_missing_is_named_with_where_it_is_missing() -> None:
    found = json.loads(json.dumps(by_kind()["CacheFound"]))
    del found["nodes"][0]["hits"]
    with pytest.raises(TraceError, match=r'^"nodes\[0\]\.hits" is missing$'):
        read_again(found)


def test_a_node_of_an_older_file_has_no_checkpoint() -> None:
    found = json.loads(json.dumps(by_kind()["CacheFound"]))
    del found["nodes"][0]["checkpoint"], found["quarantined"], found["weights"]
    again = read_again(found)
    assert again["nodes"][0]["checkpoint"] is None
    assert again["quarantined"] == again["weights"] == 0


def test_bytes_that_are_no_text_are_no_line() -> None:
    raw = json.dumps(TOUCHED).encode()
    assert read_line(raw.replace(b'"node"', b'"mo\xffe":1,"node"'), 1) is None


def test_a_mark_at_the_start_and_half_a_character_are_read() -> None:
    """Another program may write the first, and a folder's name may have the second."""
    raw = {"event": "Noticed", "seq": 1, "ts": 0.0, "tier": "", "sentence": "\udcff"}
    found = read_line(codecs.BOM_UTF8 + json.dumps(raw).encode(), 1)
    assert found is not None
    assert found.entry.what == Noticed("\udcff")
