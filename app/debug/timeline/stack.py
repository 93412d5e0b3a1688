"""One tape's tracks on the timeline: its series, its clock, where its tracks stand. Without Qt."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

import numpy as np

from app.debug.timeline.clock import Clock, steady
from app.debug.timeline.columns import Series
from app.debug.timeline.counter_tracks import Counted
from app.debug.timeline.growing import Floats
from app.debug.timeline.tracks import Track, tracks_of
from app.debug.timeline.viewport import View
from app.words.tr import tr


def untitled(session: int) -> str:
    """A conversation of which only the number is known."""
    return tr("Conversation {session}").format(session=session + 1)


@dataclass(slots=True, eq=False)
class Stack:
    """What is drawn of one tape.

    Attributes:
        name: above its tracks where there are two stacks, "" otherwise.
        title: the name of a conversation.
        counters: of an engine elsewhere.
        tracks: from the top.
    """

    series: Series
    clock: Clock
    name: str = ""
    title: Callable[[int], str] = untitled
    counters: tuple[Counted, ...] = ()
    tracks: tuple[Track, ...] = field(default=())
    _edges: tuple[View, Clock, Floats] | None = field(default=None, repr=False)

    def place(self, folded: Collection[str], top: int) -> int:
        """Put the tracks from `top` on; returns where they end."""
        self.tracks = tracks_of(self.series, folded, top, self.counters)
        return self.tracks[-1].bottom if self.tracks else top

    def edges(self, view: View) -> Floats:
        """`[width + 1]` seconds at the edges of all pixels."""
        known = self._edges
        if known is None or known[0] != view or known[1] is not self.clock:
            times = np.maximum.accumulate(self.clock.time(view.edges()))
            self._edges = known = (view, self.clock, times)
        return known[2]

    def track(self, key: str) -> Track | None:
        return next((track for track in self.tracks if track.key == key), None)

    def counter(self, key: str) -> Counted | None:
        """The counter of a track."""
        return next((one for one in self.counters if one.key == key), None)

    @property
    def extent(self) -> tuple[float, float]:
        """Of its clock's places."""
        first, last = self.clock.place([self.series.start, self.series.end]).tolist()
        return first, last


def stack_of(series: Series, **known: object) -> Stack:
    """With a steady clock."""
    return Stack(series, steady(series), **known)  # type: ignore[arg-type]
