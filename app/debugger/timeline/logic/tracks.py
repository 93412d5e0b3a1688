"""The tracks of a series, their heights and positions. Without Qt."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from app.core.words.tr import tr
from app.debugger.timeline.logic.columns import Series
from app.debugger.timeline.logic.counter_tracks import Counted

RULER_PX = 24
GUTTER_PX = 232
ROW_PX = 15
FOLDED_PX = 15
GAP_PX = 7
TITLE_PX = 20
_COUNTER_PX = 30
# The track with a row per conversation; beyond so many, the earlier ones share the last row.
CHATS, MOST_CHATS, EARLIER = "chats", 16, -1
_HEIGHTS = {
    "requests": 36,
    "reuse": 40,
    "device": 52,
    "host": 40,
    "disk": 40,
    "drafts": 40,
    "speed": 44,
}
_TITLES = {
    "requests": tr("Requests"),
    CHATS: tr("Conversations"),
    "reuse": tr("Prompt tokens"),
    "drafts": tr("Drafts"),
    "device": tr("Device bytes"),
    "host": tr("Host bytes"),
    "disk": tr("Disk bytes"),
    "events": tr("Cache events"),
    "speed": tr("Tokens per second"),
}


@dataclass(frozen=True, slots=True)
class Track:
    """One track of a stack.

    Attributes:
        top, height: pixels below the ruler, before scrolling.
        rows: for the event track, numbers of its rows from the top; for that of conversations, the
            conversations, or EARLIER; empty while it is folded.
    """

    key: str
    title: str
    top: int
    height: int
    folded: bool
    rows: tuple[int, ...] = ()

    @property
    def bottom(self) -> int:
        return self.top + self.height

    def row_at(self, y: float) -> int | None:
        """The event row at a height."""
        place = int((y - self.top) // ROW_PX)
        return self.rows[place] if 0 <= place < len(self.rows) else None


# Requests that ran at once, under one another.
_LANE_PX = 24


def tracks_of(
    series: Series, folded: Collection[str], top: int = 0, counters: Sequence[Counted] = ()
) -> tuple[Track, ...]:
    """The tracks of a series from `top` on, without empty ones.

    counters: of a remote engine, below all others.
    """
    made: list[Track] = []
    for key, title in _TITLES.items():
        if not _has(series, key):
            continue
        rows: tuple[int, ...] = ()
        height = FOLDED_PX if key in folded else _HEIGHTS.get(key, ROW_PX)
        if key == "events" and key not in folded:
            named = series.events.rows
            rows = tuple(sorted(range(len(named)), key=lambda row: named[row].order))
            height = max(1, len(rows)) * ROW_PX
        elif key == "requests" and key not in folded:
            height = max(height, series.requests.lanes * _LANE_PX)
        elif key == CHATS and key not in folded:
            rows = chats_of(series)
            height = len(rows) * ROW_PX
        made.append(Track(key, title, top, height, key in folded, rows))
        top += height + GAP_PX
    for one in counters:
        height = FOLDED_PX if one.key in folded else _COUNTER_PX
        made.append(Track(one.key, one.title, top, height, one.key in folded))
        top += height + GAP_PX
    return tuple(made)


def chats_of(series: Series) -> tuple[int, ...]:
    """The conversations with a row of their own, in the order of their first requests."""
    sessions, first = np.unique(series.requests.session, return_index=True)
    ordered: list[int] = sessions[np.argsort(first)].tolist()
    if len(ordered) <= MOST_CHATS:
        return tuple(ordered)
    return (*ordered[1 - MOST_CHATS :], EARLIER)


def _has(series: Series, key: str) -> bool:
    if key == CHATS:
        sessions = series.requests.session
        return bool(len(sessions)) and bool((sessions != sessions[0]).any())
    if key in ("host", "disk"):
        held = series.levels[key]
        return bool(len(held)) and bool(held.budgets[:, 1:].any())
    if key == "events":
        return bool(series.events.rows)
    if key == "drafts":
        return bool(len(series.drafts.time))
    # A remote engine without a subscription to its events has only counters.
    return bool(series.entries)
