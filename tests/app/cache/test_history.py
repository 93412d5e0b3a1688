"""The timeline's ring."""

from __future__ import annotations

from app.cache.history import LENGTH, SPAN_S, History
from tests.app.samples import node, snapshot


class TestHistory:
    def test_it_keeps_the_last_two_minutes(self) -> None:
        history = History()
        for step in range(LENGTH * 2):
            history.add(snapshot(node(1, 0, 0, 10 + step % 50), time=step * 0.2), 10.0)
        seconds, kv, state, rate = history.columns()
        assert seconds[-1] == 0
        assert seconds[0] >= -SPAN_S
        assert len(seconds) == len(kv) == len(state) == len(rate)
        assert (seconds[1:] > seconds[:-1]).all()

    def test_of_readings_too_close_the_newest_counts(self) -> None:
        history = History()
        history.add(snapshot(time=1.0), None)
        history.add(snapshot(node(1, 0, 0, 50), time=1.01), 7.0)
        assert len(history) == 1
        assert history.columns()[3].tolist() == [7.0]
