"""Zoom, pan and ticks."""

from __future__ import annotations

import itertools

import pytest

from app.cache.logic.axis import CLOSEST_PX, Viewport, byte_ticks, fitted, ticks


class TestViewport:
    def test_zooming_keeps_the_token_under_the_mouse(self) -> None:
        view = fitted(10_000, 4, 600, 200)
        at = view.units(300)
        assert view.zoomed(2, 300, 50, 10_000, 4).units(300) == pytest.approx(at)

    def test_zoom_ends_at_one_token(self) -> None:
        view = fitted(10_000, 4, 600, 200)
        for _ in range(100):
            view = view.zoomed(1.5, 300, 50, 10_000, 4)
        assert view.px_per_unit == CLOSEST_PX

    def test_the_tree_is_never_lost(self) -> None:
        view = fitted(10_000, 4, 600, 200)
        for dx, dy in ((1e6, 1e6), (-1e6, -1e6)):
            moved = view.moved(dx, dy, 10_000, 4)
            assert moved.x(0) < 600
            assert moved.x(10_000) > 0
            assert moved.top >= 0

    @pytest.mark.parametrize("extent", [0, 1, 63, 5_000, 262_144])
    @pytest.mark.parametrize("lanes", [1, 7, 400])
    def test_fit_shows_everything_it_can(self, extent: int, lanes: int) -> None:
        view = fitted(extent, lanes, 500, 300)
        assert view.x(0) >= 0
        assert view.x(extent) <= 500
        if lanes < 30:
            assert view.shows(extent, lanes)

    def test_lanes_and_pixels_agree(self) -> None:
        view = Viewport(lane_px=30, top=15)
        assert view.lane(view.y(3)) == 3


class TestTicks:
    def test_they_are_round_and_apart(self) -> None:
        view = fitted(12_000, 1, 600, 100)
        made = ticks(view)
        assert 3 <= len(made) <= 8
        gaps = {b - a for a, b in itertools.pairwise(made)}
        assert len(gaps) == 1
        assert gaps.pop() in (2000, 5000)

    def test_zoomed_in_they_are_powers_of_two(self) -> None:
        view = Viewport(left=100, px_per_unit=1.5, width=600)
        assert all(tick % 64 == 0 for tick in ticks(view))


@pytest.mark.parametrize(("total", "step"), [(900, 128), (5 << 20, 1 << 19), (3 << 30, 1 << 29)])
def test_ticks_of_bytes_are_as_round_as_their_units(total: int, step: int) -> None:
    view = fitted(float(total), 1, 1040.0, 300.0, closest=1e9)
    made = byte_ticks(view, total)
    assert made[:3] == [0, step, 2 * step]
    assert made[-1] <= total
