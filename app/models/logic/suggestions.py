"""Which published models to suggest on this machine. Without Qt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from app.core.words import format as fmt
from app.models.logic.pace import USUAL_CONTEXT, FormatRow, best, rows_of
from app.models.logic.shelf import ShelfEntry
from engine.machine_speed import MachineSpeed

if TYPE_CHECKING:
    from engine.model.needs import ModelNeeds

MOST = 3
# About as fast as people read.
_READABLE_TOK_S = 5.0


def suggestions(
    entries: Sequence[ShelfEntry],
    needs: Mapping[str, ModelNeeds],
    host_bytes: int,
    speed: MachineSpeed | None,
) -> tuple[tuple[str, str], ...]:
    """Keys of at most three models that fit whole, with "Qwen3.5-4B · 8.41 GiB"; smallest first.

    Of those whose speed is known the largest that write as fast as people read; a processor not
    measured yet gets the smallest.
    """
    fitting: list[tuple[ShelfEntry, FormatRow]] = []
    for entry in entries:
        found = needs.get(entry.key) if entry.kind == "known" else None
        row = None if found is None else best(rows_of(found, USUAL_CONTEXT, host_bytes, speed))
        if row is not None and not row.fit.expert_bytes and _readable(row):
            fitting.append((entry, row))
    fitting.sort(key=lambda pair: needs[pair[0].key].parameters)
    slow = any(needs[entry.key].device == "cpu" and not row.paced for entry, row in fitting)
    chosen = fitting[:MOST] if slow else fitting[-MOST:]
    return tuple(
        (entry.key, f"{entry.name} · {fmt.byte_size(2 * needs[entry.key].parameters)}")
        for entry, _ in chosen
    )


def _readable(row: FormatRow) -> bool:
    return row.pace.write_tok_s is None or row.pace.write_tok_s >= _READABLE_TOK_S
