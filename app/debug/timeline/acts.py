"""What the keys and buttons of the timeline do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.debug.chosen import Chosen
from app.debug.timeline.growing import Ints
from app.debug.timeline.tracks import RULER_PX, Track

if TYPE_CHECKING:
    from app.debug.timeline.view import TimelineView

STEP = 1.25


class Acts:
    """On one view.

    Attributes:
        cursor: stack and key of the track that keys act on.
    """

    def __init__(self, view: TimelineView) -> None:
        self._view = view
        self.cursor: tuple[int, str] = (0, "requests")

    def zoom(self, factor: float) -> None:
        """Around the playhead if it is on screen, else around the middle."""
        view, head = self._view.scene.view, self._view.marked.playhead
        x = view.width / 2 if head is None else view.x(head)
        self._view.scene.zoom(factor, x if 0 <= x <= view.width else view.width / 2)
        self._view.refresh()

    def pan(self, share: float) -> None:
        self._view.scene.pan(-share * self._view.scene.view.width)
        self._view.refresh()

    def fit(self) -> None:
        self._view.scene.fit()
        self._view.refresh()

    def mark(self, which: int) -> None:
        """Set marker A or B at the playhead; where it already is, clear it."""
        place = self._view.marked.playhead
        same = place is not None and self._view.scene.markers[which] == place
        self._view.scene.mark(which, None if same else place)
        self._view.marks_moved()

    def bound(self, last: bool) -> None:
        """Begin or end the interval at the playhead."""
        place = self._view.marked.playhead
        if place is None:
            return
        start, end = self._view.scene.interval or (place, place)
        start, end = (start, place) if last else (place, end)
        self._view.scene.interval = (min(start, end), max(start, end))
        self._view.marks_moved()

    def clear(self) -> None:
        """Forget interval and markers."""
        self._view.scene.interval, self._view.scene.markers = None, (None, None)
        self._view.marks_moved()

    def walk(self, by: int) -> None:
        """Choose the next thing of the cursor's track, or the one before."""
        if not self._view.scene.stacks:
            return
        series = self._view.scene.stacks[0].series
        events = self.cursor[1] == "events"
        entries = series.events.index if events else series.requests.index
        found = _beside(entries, self._view.shown_choice.entry, by, series.first)
        if found is None:
            return
        meant = (
            self._view.event_choice(found)
            if events
            else Chosen(request=found, entry=int(series.requests.index[found]))
        )
        self._view.scene.reveal(
            float((series.events.time if events else series.requests.ended)[found])
        )
        self._view.chosen.emit(meant)

    def move_cursor(self, by: int) -> None:
        """To the track below, or above."""
        tracks = [(n, t) for n, stack in enumerate(self._view.scene.stacks) for t in stack.tracks]
        if not tracks:
            return
        keys = [(number, track.key) for number, track in tracks]
        at = keys.index(self.cursor) if self.cursor in keys else 0
        at = min(max(at + by, 0), len(keys) - 1)
        self.cursor = keys[at]
        self._show_track(tracks[at][1])

    def toggle_track(self) -> None:
        self._view.scene.toggle(self.cursor[1])

    def open_choice(self) -> None:
        """Go to the moment of what is chosen."""
        entry, stacks = self._view.shown_choice.entry, self._view.scene.stacks
        if entry is None or not stacks:
            return
        for source in (stacks[0].series.events, stacks[0].series.requests):
            times = source.time if hasattr(source, "time") else source.ended
            at = int(source.index.searchsorted(entry))
            if at < len(source) and source.index[at] == entry:
                self._view.opened.emit(float(times[at]))
                return

    def _show_track(self, track: Track) -> None:
        bar, room = self._view.bar, self._view.height() - RULER_PX
        if track.top < bar.value():
            bar.setValue(track.top - 4)
        elif track.bottom > bar.value() + room:
            bar.setValue(track.bottom - room + 4)


def _beside(index: Ints, entry: int | None, by: int, first: int) -> int | None:
    """The one after or before an entry, of those from `first` on."""
    least = int(np.searchsorted(index, first))
    if entry is None:
        at = least if by > 0 else len(index) - 1
    else:
        at = int(np.searchsorted(index, entry, side="right" if by > 0 else "left"))
        at = max(at, least) if by > 0 else at - 1
    return at if least <= at < len(index) else None
