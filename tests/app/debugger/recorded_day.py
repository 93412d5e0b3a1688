"""A day on small caches as a trace file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from engine.journal.lines import entry_line, header_line
from tests.engine.analysis.test_ledger import Day
from tests.engine.journal.samples import HEADER, SETTINGS

RECORDED = replace(SETTINGS, policy="lru", state_slots=5)


def save_day(day: Day, path: Path) -> Path:
    """Write the file."""
    with path.open("w", encoding="utf-8") as file:
        file.write(header_line(replace(HEADER, settings=RECORDED)))
        requests = {one.index: one.traced for one in day.tape.requests}
        for at in range(len(day.tape)):
            file.write(entry_line(day.tape.entry(at), 0.0, requests.get(at)))
    return path
