"""Every track of the counters has a name of its own."""

from __future__ import annotations

from app.core.words.counter_words import TITLES
from engine.net.counters.known import TRACKS


def test_each_track_has_a_name() -> None:
    assert set(TITLES) == {track.key for track in TRACKS}
    assert len(set(TITLES.values())) == len(TITLES)
