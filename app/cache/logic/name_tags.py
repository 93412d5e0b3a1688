"""Names each branch of the tree by the only conversation that uses it. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.cache.logic.axis import Viewport
from app.cache.logic.chats import Chats
from app.cache.logic.geometry import Geometry
from app.cache.logic.layout import Layout

_BETWEEN_PX = 10.0
_MOST = 200


@dataclass(frozen=True, slots=True)
class NameTag:
    """A title above a lane's bars.

    Attributes:
        left, right: pixels between which it may be written.
        lane: whose bars it is above.
    """

    title: str
    left: float
    right: float
    lane: int


def name_tags(frame: Geometry, chats: Chats) -> list[NameTag]:
    """Tags where a conversation's own part begins, or the screen does; none if there is one."""
    layout, view = frame.layout, frame.view
    owner, scale = layout.table.owner, layout.scale
    if not _several(layout):
        return []
    rows = frame.rows[(owner[frame.rows] > 0) & (layout.table.ids[frame.rows] >= -1)]
    order = np.lexsort((scale.left[rows], layout.lane[rows]))
    made: list[NameTag] = []
    before: tuple[int, int] | None = None
    for row in rows[order].tolist():
        lane, number = int(layout.lane[row]), int(owner[row])
        left = max(view.x(float(scale.left[row])), 2.0)
        if before != (lane, number):
            if made and made[-1].lane == lane:
                last = made[-1]
                made[-1] = NameTag(last.title, last.left, left - _BETWEEN_PX, lane)
            made.append(NameTag(chats.title(number), left, view.width, lane))
        before = lane, number
    return made[:_MOST]


def name_where_it_begins(layout: Layout, row: int, chats: Chats) -> str:
    """The name of the conversation whose own part begins with a row; "" elsewhere."""
    owner, parent = layout.table.owner, int(layout.table.parent[row])
    number = int(owner[row])
    goes_on = parent >= 0 and int(owner[parent]) == number
    return chats.title(number) if number and not goes_on and _several(layout) else ""


@dataclass(frozen=True, slots=True)
class Outside:
    """The name of a lane whose rows are all to the left of the screen.

    Attributes:
        row: of the layout, the one closest to the screen.
        words: its name.
    """

    lane: int
    row: int
    words: str


def outside(layout: Layout, view: Viewport, chats: Chats) -> list[Outside]:
    """Names for the lanes on screen that would be blank, though they have rows."""
    scale, top, bottom = layout.scale, view.lane(0), view.lane(view.height - 1)
    near = (layout.lane >= top) & (layout.lane <= bottom) & (scale.right > scale.left)
    gone = np.flatnonzero(near & (scale.right <= view.left))
    seen = {*layout.lane[near & (scale.right > view.left) & (scale.left < view.right)].tolist()}
    # The last row of each lane is the closest.
    last = {int(layout.lane[row]): row for row in gone[np.argsort(scale.right[gone])].tolist()}
    several = _several(layout)
    made = [
        Outside(lane, row, _words(layout, row, chats if several else None))
        for lane, row in sorted(last.items())
        if lane not in seen
    ]
    return [one for one in made if one.words]


def _words(layout: Layout, row: int, chats: Chats | None) -> str:
    """The name of a row: a chip's label, a branch's conversation, or its first text."""
    chip, owner = layout.folded.chips.get(row), int(layout.table.owner[row])
    if chip is not None:
        return chip.words
    if chats is not None and owner:
        return chats.title(owner)
    said = layout.scale.stretches
    texts = [" ".join(said.text[at][:160].split()) for at in said.of(row)]
    return next((text for text in texts if text), "")


def _several(layout: Layout) -> bool:
    """Whether more than one conversation has a part of its own."""
    owned = layout.table.owner[layout.table.owner > 0]
    return len(owned) > 0 and bool(owned.min() != owned.max())
