"""Makes one frame's worth of events as few as can be, without changing what they tell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.events import CacheChanged, Event, LoadProgress, PrefillProgress, TextDelta


def coalesce(events: Iterable[Event]) -> list[Event]:
    """Join neighbouring text of one channel, and keep the newest of each kind of progress.

    A snapshot is whole, so of several only the last counts; it stands where the last one stood.
    But each tells evictions that no other does: the last one tells those of all.
    """
    kept: list[Event] = []
    last_snapshot = -1
    for event in events:
        last = kept[-1] if kept else None
        if (
            isinstance(event, TextDelta)
            and isinstance(last, TextDelta)
            and (event.request, event.channel) == (last.request, last.channel)
        ):
            kept[-1] = replace(event, text=last.text + event.text)
        elif (
            isinstance(event, PrefillProgress)
            and isinstance(last, PrefillProgress)
            and event.request == last.request
        ) or (isinstance(event, LoadProgress) and isinstance(last, LoadProgress)):
            kept[-1] = event
        else:
            if isinstance(event, CacheChanged):
                if last_snapshot >= 0:
                    earlier = kept.pop(last_snapshot)
                    assert isinstance(earlier, CacheChanged)
                    event = replace(event, snapshot=event.snapshot.telling_of(earlier.snapshot))
                last_snapshot = len(kept)
            kept.append(event)
    return kept
