"""Merges one frame's events into as few as possible without losing information."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.events import CacheChanged, Event, LoadProgress, PrefillProgress, TextDelta


def coalesce(events: Iterable[Event]) -> list[Event]:
    """Join adjacent text of one channel, and keep the newest of each kind of progress.

    A snapshot is complete, so only the last one counts, in its place. But each reports evictions
    that no other does, so the last one takes on those of all.
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
