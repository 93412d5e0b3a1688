"""A dump of a cache that contradicts itself, for whoever looks into it later. Without Qt."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from app.debug.invariant_rows import Row
from engine.plain import as_plain
from engine.private_files import open_private
from engine.snapshot import CacheSnapshot
from engine.trace.lines import entry_line
from engine.trace.tape import Tape

# The latest entries of the tape.
MOST_ENTRIES = 5000
_TELLING = frozenset({"text", "speech", "tokens", "pieces", "sentence"})


def write_dump(
    path: Path, rows: Iterable[Row], snapshot: CacheSnapshot | None, tape: Tape, index: int
) -> None:
    """Write all that is known about a moment as JSON; ids and texts stay out of it.

    Raises OSError.
    """
    first = max(index - MOST_ENTRIES, tape.first)
    numbers = {one.index for one in tape.requests}
    dump = {
        "violated": [{"name": row.name, "problem": row.problem} for row in rows if not row.holds],
        "checked": [row.name for row in rows],
        "snapshot": None if snapshot is None else _nameless(as_plain(snapshot)),
        "entries": [
            _nameless(json.loads(entry_line(tape.entry(at), 0.0)))
            for at in range(first, index)
            if at not in numbers
        ],
    }
    with open(open_private(path), "w", encoding="utf-8") as file:
        json.dump(dump, file, indent=1)


def _nameless(raw: Any) -> Any:
    """Without anything that tells what somebody wrote."""
    if isinstance(raw, dict):
        return {key: _nameless(value) for key, value in raw.items() if key not in _TELLING}
    return [_nameless(one) for one in raw] if isinstance(raw, list) else raw
