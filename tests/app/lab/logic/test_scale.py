"""The lab's axes: every length has a place, and the slider reaches both ends."""

from __future__ import annotations

import pytest

from app.lab.logic.scale import (
    LogAxis,
    byte_axis,
    byte_ticks,
    slider_step,
    slider_steps,
    slider_tokens,
    token_axis,
    token_text,
    token_ticks,
)

WINDOWS = [8, 16, 100, 8192, 32_768, 262_144, 1_000_000]


class TestSlider:
    @pytest.mark.parametrize("window", WINDOWS)
    def test_it_goes_to_the_whole_window_and_never_back(self, window: int) -> None:
        axis = token_axis(window)
        lengths = [slider_tokens(axis, step) for step in range(slider_steps(axis) + 1)]
        assert (lengths[0], lengths[-1]) == (min(16, window), window)
        assert lengths == sorted(lengths)

    @pytest.mark.parametrize("window", WINDOWS)
    def test_a_length_is_found_again(self, window: int) -> None:
        axis = token_axis(window)
        assert slider_step(axis, window) == slider_steps(axis)
        assert slider_step(axis, 1) == 0
        for tokens in (16, 32, 4096, 32_768):
            if tokens <= window:
                assert slider_tokens(axis, slider_step(axis, tokens)) == tokens


class TestAxis:
    def test_a_doubling_is_the_same_distance_anywhere(self) -> None:
        axis = LogAxis(16, 1 << 18)
        gaps = [axis.place(2 * at) - axis.place(at) for at in (16, 1024, 1 << 17)]
        assert gaps == pytest.approx([1 / 14] * 3)

    def test_values_and_places_undo_each_other(self) -> None:
        axis = LogAxis(16, 262_144)
        for tokens in (16, 777, 32_768, 262_144):
            assert axis.value(axis.place(tokens)) == tokens

    def test_what_is_outside_goes_to_the_end(self) -> None:
        axis = LogAxis(16, 1024)
        assert [axis.place(1), axis.place(5000)] == [0, 1]
        assert [axis.value(-1), axis.value(2)] == [16, 1024]

    def test_bytes_lie_inside(self) -> None:
        for least, most in ((1, 1), (0, 900), (19_537_920, 51_539_607_552), (4096, 4096)):
            axis = byte_axis(least, most)
            assert axis.low <= max(1, least)
            assert most <= axis.high
            assert axis.low < axis.high


class TestTicks:
    def test_they_are_round_and_as_many_as_fit(self) -> None:
        axis = token_axis(262_144)
        assert [tick.text for tick in token_ticks(axis, 5)] == ["64", "512", "4k", "32k", "256k"]
        for room in (1, 3, 20):
            assert len(token_ticks(axis, room)) <= room

    def test_bytes_have_their_unit(self) -> None:
        made = [tick.text for tick in byte_ticks(LogAxis(1 << 20, 1 << 36), 5)]
        assert made == ["1 MiB", "16 MiB", "256 MiB", "4 GiB", "64 GiB"]

    def test_the_text_of_a_length(self) -> None:
        assert [token_text(n) for n in (262_144, 1000, 1536)] == ["256k", "1,000", "1,536"]
