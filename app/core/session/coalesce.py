"""Merges one frame's events as far as possible without losing information."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.events import Event, LoadProgress, PrefillProgress, TextDelta
from engine.journal.feed import JournalFed


def coalesce(events: Iterable[Event]) -> list[Event]:
    """Join adjacent text of one channel, and keep the newest of each kind of progress.

    Journal lines are joined, too, in the place of the last part, so that the cache is replayed once
    a frame.
    """
    kept: list[Event] = []
    fed = -1
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
            if isinstance(event, JournalFed):
                if fed >= 0 and event.header is None:
                    earlier = kept.pop(fed)
                    assert isinstance(earlier, JournalFed)
                    lines = earlier.lines + event.lines
                    event = replace(event, header=earlier.header, lines=lines)
                fed = len(kept)
            kept.append(event)
    return kept
