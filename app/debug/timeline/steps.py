"""Where the playhead goes: steps by entry, request and eviction, and playing. Without Qt."""

from __future__ import annotations

import numpy as np

from app.debug.timeline.columns import Series
from app.debug.timeline.growing import Ints
from app.debug.timeline.stack import Stack

# "max" plays everything in about this long.
_FASTEST_S = 4.0
SPEEDS = {"1×": 1.0, "4×": 4.0, "16×": 16.0, "max": 0.0}


def next_entry(series: Series, moment: int, by: int) -> int:
    """The moment one entry later or earlier."""
    return min(max(moment + by, series.first), series.entries)


def next_request(series: Series, moment: int, by: int) -> int:
    """The moment at which the next request has ended, or the one before."""
    found = _nearest(series.requests.index + 1, moment, by)
    if found is None:
        return series.entries if by > 0 else series.first
    return max(found, series.first)


def next_eviction(series: Series, moment: int, by: int) -> int | None:
    """The moment right after the next eviction, or the one before; None if there is none."""
    events = series.events
    rows = [number for number, row in enumerate(events.rows) if row.evicts]
    if not rows:
        return None
    found = [_nearest(events.index[events.of_row[row]] + 1, moment, by) for row in rows]
    known = [moment for moment in found if moment is not None and moment > series.first]
    if not known:
        return None
    return min(known) if by > 0 else max(known)


def played(stack: Stack, time: float, seconds: float, speed: float) -> float:
    """The time to show `seconds` later; pauses last as long as they are drawn.

    Args:
        speed: of SPEEDS; 0 is the fastest.
    """
    place = float(stack.clock.place(time))
    low, high = stack.extent
    rate = speed or max(SPEEDS["16×"], (high - low) / _FASTEST_S)
    return float(stack.clock.time(place + seconds * rate))


def _nearest(moments: Ints, moment: int, by: int) -> int | None:
    at = int(np.searchsorted(moments, moment, side="right" if by > 0 else "left"))
    at = at if by > 0 else at - 1
    return int(moments[at]) if 0 <= at < len(moments) else None
