"""Where the window stands, as a function of the screens."""

from __future__ import annotations

import pytest

from app.shell.window_memory import LEAST, Rect, least, place

HD = Rect(0, 0, 1920, 1080)
# 1366x768 with a scale of 2.
SCALED = Rect(0, 0, 683, 384)


def holds(screen: Rect, rect: Rect) -> bool:
    return rect.common(screen) == rect


class TestFirstStart:
    @pytest.mark.parametrize(
        "screen",
        [HD, Rect(0, 0, 1366, 768), Rect(0, 0, 1300, 900), Rect(66, 32, 958, 668), SCALED],
        ids=lambda screen: f"{screen.width}x{screen.height}",
    )
    def test_it_fits_with_its_title(self, screen: Rect) -> None:
        rect = place([screen])
        assert holds(screen, rect)
        assert rect.y - screen.y >= 30
        assert rect.width >= 0.9 * min(1360, screen.width)
        assert rect.height >= 0.85 * min(860, screen.height)

    def test_a_large_screen_gives_all_that_is_wanted(self) -> None:
        rect = place([HD])
        assert (rect.width, rect.height) == (1360, 860)
        assert abs((rect.x + 680) - 960) <= 1

    def test_the_least_size_is_never_larger_than_the_screen(self) -> None:
        assert least(HD) == LEAST
        width, height = least(SCALED)
        assert width == LEAST[0]
        assert height < 384


class TestSaved:
    def test_it_comes_back_where_it_was(self) -> None:
        saved = Rect(300, 200, 900, 640)
        assert place([HD], saved) == saved

    def test_on_a_second_screen_too(self) -> None:
        second = Rect(1920, 0, 1280, 1024)
        saved = Rect(2000, 100, 1000, 700)
        assert place([HD, second], saved) == saved

    def test_a_screen_that_is_gone_sends_it_home(self) -> None:
        assert place([HD], Rect(2000, 100, 1000, 700)) == place([HD])

    def test_a_sliver_at_the_edge_does_not_count_as_on_a_screen(self) -> None:
        assert place([HD], Rect(1900, 100, 1000, 700)) == place([HD])

    def test_what_hangs_over_an_edge_is_moved_inside(self) -> None:
        rect = place([HD], Rect(1500, 700, 1000, 700))
        assert holds(HD, rect)
        assert (rect.width, rect.height) == (1000, 700)

    def test_what_is_larger_than_the_screen_now_is_made_smaller(self) -> None:
        rect = place([SCALED], Rect(100, 100, 1360, 860))
        assert holds(SCALED, rect)
