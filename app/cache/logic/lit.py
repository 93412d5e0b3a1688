"""Maps places of the cache to parts of a layout, to light or mark them. Without Qt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from app.cache.logic.layout import Layout, path_rows
from app.cache.logic.table import LIVE_ID
from app.core.session.passages import Place


@dataclass(frozen=True, slots=True)
class Lights:
    """What is lit in a tree.

    Attributes:
        lit: hovered in another panel.
        marked: selected in another panel.
    """

    lit: tuple[Place, ...] = ()
    marked: tuple[Place, ...] = ()


DARK = Lights()


@dataclass(frozen=True, slots=True)
class Cover:
    """A part of a lane, [left, right] in units of the layout; it may span several rows.

    For a checkpoint, `left == right`.
    """

    lane: int
    left: float
    right: float


def row_showing(layout: Layout, node: int | None) -> int | None:
    """The row of a node, or of the chip that it is folded into; None: the running request's."""
    row = layout.row_of(LIVE_ID if node is None else node)
    if row is not None or node is None:
        return row
    chips = layout.folded.chips.items()
    return next((at for at, chip in chips if node in chip.ids), None)


def covers(layout: Layout, places: Iterable[Place]) -> tuple[Cover, ...]:
    """The parts of a layout that some places take; a chip is always covered whole."""
    found: dict[int, tuple[float, float]] = {}
    for place in places:
        row = row_showing(layout, place.node)
        for at in () if row is None else path_rows(layout.table, row):
            part = _part(layout, at, place)
            if part is not None:
                known = found.get(at, part)
                found[at] = min(known[0], part[0]), max(known[1], part[1])
    return _joined(layout, found)


def _part(layout: Layout, row: int, place: Place) -> tuple[float, float] | None:
    table, scale = layout.table, layout.scale
    if place.start == place.end and row not in layout.folded.chips:
        mark = float(scale.right[row])
        return (mark, mark) if table.end[row] == place.end else None
    start, end = max(place.start, int(table.start[row])), min(place.end, int(table.end[row]))
    if start >= end:
        return None
    if row in layout.folded.chips:
        return float(scale.left[row]), float(scale.right[row])
    return scale.x(row, start), scale.x(row, end)


def _joined(layout: Layout, found: dict[int, tuple[float, float]]) -> tuple[Cover, ...]:
    """Merge rows that continue their parent in the same lane into one part."""
    made: dict[int, Cover] = {}
    for row in sorted(found):
        lane, (left, right) = int(layout.lane[row]), found[row]
        above = int(layout.table.parent[row])
        before = made.get(above)
        if before is not None and before.lane == lane and before.right == left:
            del made[above]
            left = before.left
        made[row] = Cover(lane, left, right)
    return tuple(made.values())
