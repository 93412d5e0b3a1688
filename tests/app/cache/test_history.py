"""The timeline's ring."""

from __future__ import annotations

from app.cache.timeline import LENGTH, SPAN_S, History
from tests.app.samples import node, snapshot


class TestHistory:
    def test_it_keeps_the_last_two_minutes_and_what_held_at_their_start(self) -> None:
        history = History()
        for step in range(LENGTH * 2):
            history.add(snapshot(node(1, 0, 0, 10 + step % 50), time=step * 0.2), 10.0)
        shown = history.readings((LENGTH * 2 - 1) * 0.2)
        assert shown.time[-1] == 0
        assert shown.time[0] <= -SPAN_S < shown.time[1]
        assert len(shown) == len(shown.kv) == len(shown.state) == len(shown.rate)
        assert (shown.time[1:] > shown.time[:-1]).all()

    def test_of_readings_too_close_the_newest_counts(self) -> None:
        history = History()
        history.add(snapshot(time=1.0), None)
        history.add(snapshot(node(1, 0, 0, 50), time=1.01), 7.0)
        assert len(history) == 1
        shown = history.readings(1.0)
        assert shown.rate.tolist() == [7.0]
        assert shown.kv.tolist() == [700.0]

    def test_the_mean_of_an_ended_request_is_not_lost_to_the_next_reading(self) -> None:
        history = History()
        history.add(snapshot(time=1.0), 40.0)
        history.add(snapshot(time=1.05), None)
        assert history.readings(1.1).rate.tolist() == [40.0]

    def test_times_are_before_now_and_not_before_the_last_reading(self) -> None:
        history = History()
        history.add(snapshot(time=10.0), None)
        assert history.readings(70.0).time.tolist() == [-60.0]
        # Hours later its value still holds.
        assert history.readings(7_200.0).time.tolist() == [-7_190.0]

    def test_it_knows_when_nobody_watched(self) -> None:
        history = History()
        history.add(snapshot(time=1.0), None)
        history.look_away()
        assert not history.readings(5.0).watched
        # Even right after: what was there meanwhile is not known.
        history.add(snapshot(time=1.05), None)
        shown = history.readings(5.0)
        assert shown.watched
        assert shown.unseen.tolist() == [0, 1]

    def test_nothing_is_left_after_clearing(self) -> None:
        history = History()
        history.add(snapshot(time=1.0), None)
        history.look_away()
        history.clear()
        assert len(history.readings(2.0)) == len(history) == 0
        assert history.readings(2.0).watched
