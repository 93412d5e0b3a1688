"""Names each branch of the tree by the conversation that alone uses it. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.cache.chats import Chats
from app.cache.geometry import Geometry

_BETWEEN_PX = 10.0
_MOST = 200


@dataclass(frozen=True, slots=True)
class NameTag:
    """A title above a lane's bars.

    Attributes:
        left, right: pixels between which it may be written.
        lane: above whose bars.
    """

    title: str
    left: float
    right: float
    lane: int


def name_tags(frame: Geometry, chats: Chats) -> list[NameTag]:
    """Where one conversation's own part begins, or where the screen does; none if there is one."""
    layout, view = frame.layout, frame.view
    owner, scale = layout.table.owner, layout.scale
    if len(np.unique(owner[owner > 0])) < 2:
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
