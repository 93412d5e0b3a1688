"""The golden traces, read once."""

from __future__ import annotations

from functools import lru_cache

from app.debugger.timeline.logic.columns import Columns, Series
from engine.journal.tape import Tape, read_tape
from tests.assets.make_traces import TRACES


@lru_cache(maxsize=3)
def golden(name: str) -> Tape:
    """One of the traces in tests/assets/traces."""
    return read_tape(TRACES / f"{name}.jsonl.gz")


@lru_cache(maxsize=3)
def golden_series(name: str) -> Series:
    columns = Columns(golden(name))
    while not columns.follow(1.0):
        pass
    return columns.series()
