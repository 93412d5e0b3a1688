"""Reads the lines that most of a trace consists of, several times as fast as `parsing` does.

It validates the same and judges nothing: for any line that is not exactly as expected it answers
None, and the careful reader reads that line, or says what is wrong with it.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable
from functools import lru_cache
from typing import Any, get_args, get_type_hints

from engine.cache.journal import changes
from engine.cache.journal.changes import CheckpointStored, NodeAdded
from engine.cache.journal.journal import Entry
from engine.config import StateFormat
from engine.stored_state import Provenance, StoredState, TierName, Why
from engine.trace.fields import LONGEST_TEXT, MOST

Reader = Callable[[dict[str, Any]], Entry | None]
_INT = "type({0}) is int and 0 <= {0} < MOST"
_TESTS: dict[Any, str] = {
    int: _INT,
    int | None: "({0} is None or " + _INT + ")",
    # Neither infinities nor what is not a number pass the comparisons.
    float: "type({0}) is float and -MOST < {0} < MOST",
    str: "type({0}) is str and len({0}) <= LONGEST_TEXT",
    bool: "type({0}) is bool",
    bytes: "({0} := span({0})) is not None",
}
_PROVENANCES, _FORMATS = frozenset(get_args(Provenance)), frozenset(get_args(StateFormat))
_TIERS, _WHYS = frozenset(get_args(TierName)), frozenset(get_args(Why))


def quick_entry(raw: object) -> Entry | None:
    """The entry of a parsed line; None if the careful reader has to look at it."""
    if type(raw) is not dict:
        return None
    try:
        return _READERS[raw["event"]](raw)
    except (KeyError, TypeError):
        return None


def _span(tokens: object) -> bytes | None:
    """Token ids as the bytes of NodeAdded; None if they are not token ids."""
    if type(tokens) is not list:
        return None
    if not tokens:
        return b""
    if set(map(type, tokens)) != {int} or min(tokens) < 0:
        return None
    try:
        made = array("i", tokens)
    except OverflowError:
        return None
    if sys.byteorder == "big":
        made.byteswap()
    return made.tobytes()


def _reader(kind: Any) -> Reader:
    """A function that reads lines of one kind; a field with a default may be missing."""
    known: dict[str, Any] = {
        "MOST": MOST,
        "LONGEST_TEXT": LONGEST_TEXT,
        "Entry": Entry,
        "Kind": kind,
        "span": _span,
    }
    hints = get_type_hints(kind)
    lines, tests = [], []
    for name, said in {"seq": int, "ts": float, "tier": str, **hints}.items():
        taken = f'raw["{name}"]'
        if name in kind._field_defaults and said is not bytes:
            known[f"_{name}"] = kind._field_defaults[name]
            taken += f' if raw.get("{name}") is not None else _{name}'
        lines.append(f"    {name} = {taken}\n")
        tests.append(_TESTS[said].format(name))
    if kind is NodeAdded:
        tests.append("len(tokens) in (0, 4 * (end - start))")
    made = f"Entry(seq, ts, tier, Kind({', '.join(hints)}))"
    exec(
        f"def read(raw):\n{''.join(lines)}    return {made} if {' and '.join(tests)} else None\n",
        known,
    )
    reader: Reader = known["read"]
    return reader


def _stored(raw: dict[str, Any]) -> Entry | None:
    """A checkpoint, whose state stands among the fields of its line."""
    if "verdict" in raw or raw.get("exact") is not None:
        return None
    seq, ts, tier = raw["seq"], raw["ts"], raw["tier"]
    node, slot, hits = raw["node"], raw["slot"], raw["hits"]
    for number in (seq, node, slot, hits):
        if type(number) is not int or not 0 <= number < MOST:
            return None
    if type(ts) is not float or not -MOST < ts < MOST or tier not in _TIERS:
        return None
    state = _state(
        raw["position"],
        raw["provenance"],
        raw["chain"],
        raw["has_hidden"],
        raw["stored"],
        raw["error"],
        raw["origin"],
        raw["why"],
    )
    if state is None:
        return None
    return Entry(seq, ts, tier, CheckpointStored(node, slot, hits, state))


# The copies of a state on several tiers are one object.
@lru_cache(maxsize=4096, typed=True)
def _state(
    position: int,
    provenance: Provenance,
    chain: int | None,
    has_hidden: bool,
    stored: StateFormat,
    error: float,
    origin: TierName,
    why: Why,
) -> StoredState | None:
    known = (
        type(position) is int
        and 0 <= position < MOST
        and (chain is None or (type(chain) is int and 0 <= chain < MOST))
        and type(has_hidden) is bool
        and type(error) is float
        and -MOST < error < MOST
        and provenance in _PROVENANCES
        and stored in _FORMATS
        and origin in _TIERS
        and why in _WHYS
    )
    if not known:
        return None
    return StoredState(position, provenance, chain, has_hidden, stored, error, origin, None, why)


def _readers() -> dict[str, Reader]:
    made: dict[str, Reader] = {"CheckpointStored": _stored}
    for kind in get_args(changes.Change):
        hints = get_type_hints(kind)
        if kind not in (CheckpointStored, changes.Pieces) and set(hints.values()) <= _TESTS.keys():
            made[kind.__name__] = _reader(kind)
    return made


_READERS = _readers()
