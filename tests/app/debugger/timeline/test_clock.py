"""Times and places on the axis: with shortened pauses, by request, and the part on screen."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from app.debugger.timeline.logic.columns import Running
from app.debugger.timeline.logic.viewport import (
    LEAST_SPAN,
    PAUSE_S,
    Clock,
    View,
    by_request,
    compressed,
    steady,
    step_of,
    tick_text,
    ticks,
)
from tests.app.debugger.timeline.conftest import golden_series

SMALL = golden_series("small")


@pytest.mark.parametrize("make", [steady, compressed, by_request])
def test_places_lead_back_to_their_times(make: object) -> None:
    assert callable(make)
    clock = make(SMALL)
    times = np.linspace(SMALL.start - 1, SMALL.end + 1, 999)
    places = clock.place(times)
    assert (np.diff(places) >= 0).all()
    assert np.allclose(clock.time(places), times, atol=1e-6)


def test_pauses_are_short_and_nothing_else_is() -> None:
    clock = compressed(SMALL)
    assert len(clock.pauses) == 4
    drawn = np.diff(clock.place(clock.pauses), axis=1)
    assert np.allclose(drawn, PAUSE_S)
    assert (np.diff(clock.pauses, axis=1) > 1).all()
    requests = SMALL.requests
    lasted = clock.place(requests.ended) - clock.place(requests.began)
    assert np.allclose(lasted, requests.ended - requests.began)
    for start, end in clock.pauses:
        assert not ((SMALL.events.time > start) & (SMALL.events.time < end)).any()


def test_a_long_prefill_is_no_pause_while_it_runs() -> None:
    running = Running(0, SMALL.end, 90, 0, 0, 64)
    later = replace(SMALL, running=(running,), end=SMALL.end + 30)
    assert len(compressed(later).pauses) == 4
    waiting = replace(SMALL, end=SMALL.end + 30)
    assert len(compressed(waiting).pauses) == 5


def test_requests_are_equally_wide_where_the_axis_counts_them() -> None:
    clock, requests = by_request(SMALL), SMALL.requests
    assert np.allclose(clock.place(requests.began), np.arange(len(requests)), atol=1e-6)
    assert np.allclose(clock.place(requests.ended), np.arange(len(requests)) + 0.85, atol=1e-6)

    low, high = clock.place([SMALL.start, SMALL.end]).tolist()
    found = ticks(View.fitted((low, high), 900), clock, SMALL.start)
    assert [tick.text for tick in found] == [f"#{number}" for number in range(1, 15)]


class TestView:
    EXTENT = (0.0, 10.0)

    def test_zooming_keeps_what_is_under_the_pointer(self) -> None:
        view = View.fitted(self.EXTENT, 1000)
        before = view.place(300)
        closer = view.zoomed(4, 300, self.EXTENT)
        assert closer.place(300) == pytest.approx(before)
        assert closer.span == pytest.approx(view.span / 4)

    def test_it_cannot_be_lost(self) -> None:
        view = View.fitted(self.EXTENT, 1000).zoomed(8, 500, self.EXTENT)
        for dx in (1e6, -1e6):
            moved = view.moved(dx, self.EXTENT)
            assert moved.right > self.EXTENT[0]
            assert moved.left < self.EXTENT[1]
        assert view.zoomed(1e-9, 0, self.EXTENT).span == pytest.approx(10.4)
        assert view.zoomed(1e12, 0, self.EXTENT).span == LEAST_SPAN

    def test_ticks_are_round_and_apart_and_outside_pauses(self) -> None:
        clock = compressed(SMALL)
        low, high = clock.place([SMALL.start, SMALL.end]).tolist()
        view = View.fitted((low, high), 900)
        found = ticks(view, clock, SMALL.start)
        assert len(found) >= 4
        xs = [tick.x for tick in found]
        assert min(np.diff(xs)) >= 60
        for tick in found:
            time = float(clock.time(view.place(tick.x)))
            assert time == pytest.approx(float(tick.text.removesuffix(" s")), abs=0.05)
            idle = (clock.pauses[:, 0] + 1e-6 < time) & (time < clock.pauses[:, 1] - 1e-6)
            assert not idle.any()

    def test_where_pauses_leave_no_round_time_it_tells_when_it_went_on(self) -> None:
        # Four short stretches, none with a whole second in it.
        starts = np.array([0.1, 7.3, 61.2, 130.4])
        pauses = np.column_stack((starts + 0.2, [*starts[1:], 140.0]))
        knots = np.concatenate(([0.1], pauses.ravel()))
        lengths = np.diff(knots)
        lengths[1::2] = 0.25
        clock = Clock(knots, np.concatenate(([0.0], np.cumsum(lengths))), pauses)
        found = ticks(View(0.0, float(clock.places[-1]), 600), clock, 0.0)
        assert [tick.text for tick in found][:3] == ["0:07", "1:01", "2:10"]

    @pytest.mark.parametrize(
        ("low", "high", "form"),
        [
            (0.0, 50.0, r"\d+ s"),
            (0.0, 200.0, r"\d+:\d\d"),
            (157.0, 161.0, r"2:\d\d\.\d"),
            (159.999, 160.001, r"2:(40\.000|39\.999|40\.001|\d\d\.\d{4})"),
            (0.001, 0.002, r"1\.\d ms|2\.0 ms"),
            (3595.0, 3605.0, r"(59:5|1:00:0)\d"),
        ],
    )
    def test_all_times_of_an_axis_have_one_form(self, low: float, high: float, form: str) -> None:
        knots = np.array([0.0, 4_000.0])
        clock = Clock(knots, knots, np.zeros((0, 2)))
        found = [tick.text for tick in ticks(View(low, high - low, 900), clock, 0.0)]
        assert len(found) >= 4
        assert [text for text in found if not re.fullmatch(form, text)] == []
        assert len({len(text.partition(".")[2]) for text in found}) == 1

    def test_a_pause_that_ends_at_no_round_time_changes_no_other_form(self) -> None:
        # A fraction of a second after the pause, whole minutes before it.
        knots = np.array([0.0, 150.0, 158.4, 159.8])
        clock = Clock(knots, np.array([0.0, 15.0, 16.0, 30.0]), np.array([[150.0, 158.4]]))
        found = [tick.text for tick in ticks(View(0.0, 30.0, 900), clock, 0.0)]
        assert all(re.fullmatch(r"\d:\d\d\.\d", text) for text in found), found

    @pytest.mark.parametrize(
        ("least", "step", "text"),
        [(0.7, 1.0, "3 s"), (0.15, 0.2, "0.6 s"), (2e-4, 2e-4, "0.6 ms"), (45, 60, "3:00")],
    )
    def test_steps_and_their_texts(self, least: float, step: float, text: str) -> None:
        assert step_of(least) == pytest.approx(step)
        assert tick_text(3 * step, step, 3 * step) == text

    def test_what_rounds_up_to_a_minute_is_one(self) -> None:
        assert tick_text(59.96, 0.1, 70.0) == "1:00.0"
        assert tick_text(-5.0, 1.0, 70.0) == "-0:05"
