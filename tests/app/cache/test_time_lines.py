"""The timeline's lines: nothing is drawn between two readings that was not so."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from app.cache.timeline import (
    SPAN_S,
    Pause,
    Polyline,
    Readings,
    held_line,
    pauses,
    rate_line,
    tick_text,
    ticks,
)


def readings(
    *rows: tuple[float, float, float, bool], unseen: tuple[int, ...] = (), watched: bool = True
) -> Readings:
    """Of (seconds before now, bytes, tokens per second, running)."""
    time, level, rate, running = (np.array(part, float) for part in zip(*rows, strict=True))
    not_seen = np.array([i in unseen for i in range(len(rows))], float)
    return Readings(time, level, level, rate, running, not_seen, watched)


def value_at(line: Polyline, moment: float) -> float:
    """What is drawn at a moment; fails where the line is neither level nor upright."""
    for at in range(len(line.time) - 1):
        low, high = line.time[at], line.time[at + 1]
        if low < moment < high:
            left, right = line.value[at], line.value[at + 1]
            if math.isnan(left) or math.isnan(right):
                return math.nan
            assert left == right, f"a slope from {left} at {low} to {right} at {high}"
            return float(left)
    return math.nan


def slopes(line: Polyline) -> list[int]:
    """Where the line is neither level, upright nor broken."""
    return [
        at
        for at in range(len(line.time) - 1)
        if line.time[at] != line.time[at + 1]
        and line.value[at] != line.value[at + 1]
        and not math.isnan(line.value[at] + line.value[at + 1])
    ]


IDLE = ((-60.0, 100.0, 0.0, True), (-59.5, 300.0, 40.0, False), (-2.0, 900.0, 0.0, True))


class TestLevels:
    def test_a_level_holds_through_idle_time_and_up_to_now(self) -> None:
        shown = readings(*IDLE)
        line = held_line(shown, shown.kv)
        assert slopes(line) == []
        assert [value_at(line, at) for at in (-59.7, -59.4, -30, -2.1, -1.9, -0.1)] == [
            100,
            300,
            300,
            300,
            900,
            900,
        ]

    def test_what_nobody_watched_is_a_gap(self) -> None:
        shown = readings(*IDLE, unseen=(2,))
        line = held_line(shown, shown.kv)
        assert math.isnan(value_at(line, -30))
        assert value_at(line, -59.7) == 100
        assert value_at(line, -1) == 900

    def test_after_looking_away_the_line_ends(self) -> None:
        shown = readings(*IDLE, watched=False)
        assert held_line(shown, shown.kv).time[-1] == -2
        assert rate_line(shown).time[-1] == -2

    def test_nothing_and_one_reading(self) -> None:
        empty = np.zeros(0)
        nothing = Readings(empty, empty, empty, empty, empty, empty)
        assert len(held_line(nothing, empty).time) == len(rate_line(nothing).time) == 0
        assert pauses(nothing) == ()
        one = readings((-200.0, 7.0, 0.0, False))
        assert value_at(held_line(one, one.kv), -SPAN_S) == 7


class TestRate:
    def test_idle_time_has_no_tokens_per_second(self) -> None:
        shown = readings(
            (-70.0, 1, 20.0, True),
            (-69.5, 1, 30.0, True),
            (-69.0, 1, 25.0, False),
            (-1.5, 1, 0.0, True),
            (-0.5, 1, 50.0, True),
        )
        line = rate_line(shown)
        assert slopes(line) == []
        assert [value_at(line, at) for at in (-69.7, -69.2, -68.9, -30, -1, -0.2)] == [
            30,
            25,
            0,
            0,
            50,
            50,
        ]

    def test_a_short_answer_leaves_a_mark(self) -> None:
        """Its mean is told once, after it has ended."""
        line = rate_line(readings((-50.0, 1, 0.0, True), (-20.0, 1, 80.0, False)))
        assert value_at(line, -20.5) == 80
        assert value_at(line, -21.5) == 0
        assert value_at(line, -19.5) == 0

    def test_a_slow_model_is_not_taken_for_an_idle_one(self) -> None:
        line = rate_line(readings((-9.0, 1, 0.5, True), (-6.0, 1, 0.5, True), (-3.0, 1, 0.5, True)))
        assert [value_at(line, at) for at in (-8, -5, -1)] == [0.5, 0.5, 0.5]

    def test_a_stalled_run_falls_to_zero(self) -> None:
        line = rate_line(readings((-31.0, 1, 40.0, True), (-30.0, 1, 40.0, True)))
        assert value_at(line, -29.5) == 40
        assert value_at(line, -20) == 0

    def test_no_rate_is_made_up_for_time_that_nobody_watched(self) -> None:
        line = rate_line(readings((-30.0, 1, 40.0, True), (-2.0, 1, 50.0, True), unseen=(1,)))
        assert math.isnan(value_at(line, -10))
        assert math.isnan(value_at(line, -2.5))


class TestPauses:
    def test_a_pause_is_time_in_which_nothing_ran(self) -> None:
        assert pauses(readings(*IDLE)) == (Pause(-59.5, -2.0),)

    def test_a_long_step_of_a_running_request_is_none(self) -> None:
        assert pauses(readings((-60.0, 1, 0, True), (-5.0, 1, 0, True), (-4.0, 1, 0, True))) == ()

    def test_the_last_one_reaches_now(self) -> None:
        assert pauses(readings((-8.0, 1, 9.0, False))) == (Pause(-8.0, 0.0),)

    def test_time_that_nobody_watched_is_marked_as_such(self) -> None:
        shown = readings(*IDLE, unseen=(2,))
        assert pauses(shown) == (Pause(-59.5, -2.0, unseen=True),)
        away = readings((-8.0, 1, 9.0, True), watched=False)
        assert pauses(away) == (Pause(-8.0, 0.0, unseen=True),)


class TestTicks:
    @pytest.mark.parametrize("width", [120.0, 140.0, 200.0, 320.0, 700.0])
    @pytest.mark.parametrize("span", [10.0, 37.0, 60.0, 119.0, 120.0])
    def test_labels_stand_apart_and_inside(self, span: float, width: float) -> None:
        label = 38.0
        marks = ticks(span, width, label)
        assert marks[-1].text == "now"
        places = [(mark.time + span) * width / span for mark in marks]
        assert all(b - a >= label for a, b in itertools.pairwise(places))
        assert places[0] >= label / 2 or marks[0].text == "now"
        assert len(marks) > 1

    def test_two_minutes_at_the_usual_width(self) -> None:
        assert [mark.text for mark in ticks(120, 180, 34)] == ["−1 min", "now"]
        assert [mark.text for mark in ticks(120, 300, 34)] == ["−90 s", "−1 min", "−30 s", "now"]

    def test_no_room_for_any(self) -> None:
        assert [mark.text for mark in ticks(60, 20, 40)] == ["now"]
        assert [mark.text for mark in ticks(60, 0, 40)] == ["now"]

    def test_the_words(self) -> None:
        assert [tick_text(s) for s in (5, 30, 60, 90, 120)] == [
            "−5 s",
            "−30 s",
            "−1 min",
            "−90 s",
            "−2 min",
        ]
