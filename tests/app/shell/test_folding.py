"""How the width is divided among the panes."""

from __future__ import annotations

import pytest

from app.shell.window_memory import (
    CACHE_LEAST_PX,
    CACHE_ROOM_PX,
    CHAT_LEAST_PX,
    CHATS_LEAST_PX,
    CHATS_MOST_PX,
    HANDLE_PX,
    LEAST,
    STRIP_PX,
    Panes,
    Widths,
    over_px,
    settled,
    spread,
)

BOTH = Panes()


def chat(width: int, made: Widths) -> int:
    """What is left for the chat."""
    handles = HANDLE_PX * (bool(made.chats) + bool(made.cache))
    return width - made.chats - made.cache - made.strip - handles


class TestOrder:
    def test_the_cache_becomes_a_strip_then_the_list_folds_then_the_strip(self) -> None:
        seen = [spread(width, BOTH) for width in range(1600, LEAST[0] - 1, -1)]
        shown = [(bool(w.chats), bool(w.cache), bool(w.strip)) for w in seen]
        assert list(dict.fromkeys(shown)) == [
            (True, True, False),
            (True, False, True),
            (False, False, True),
            (False, False, False),
        ]

    def test_from_1200_on_the_cache_is_beside_the_chat(self) -> None:
        assert spread(CACHE_ROOM_PX, BOTH).cache >= CACHE_LEAST_PX
        assert spread(CACHE_ROOM_PX - 1, BOTH) == Widths(199, 0, STRIP_PX)

    def test_the_chat_keeps_560_as_long_as_the_window_has_it(self) -> None:
        assert CHAT_LEAST_PX == 560
        wide = BOTH.dragged(Widths(900, 1900))
        for width in range(LEAST[0], 2600):
            for panes in (BOTH, wide, Panes(chats=False), Panes(cache=False)):
                assert chat(width, spread(width, panes)) >= 560

    def test_nothing_is_ever_narrower_than_it_can_be_used(self) -> None:
        for width in range(LEAST[0], 2600):
            made = spread(width, BOTH)
            assert made.chats in (0, *range(CHATS_LEAST_PX, CHATS_MOST_PX + 1))
            assert made.cache == 0 or made.cache >= CACHE_LEAST_PX
            assert made.strip in (0, STRIP_PX)


class TestByHand:
    def test_what_was_put_away_stays_away(self) -> None:
        for width in (600, 800, 1000, 2000):
            without = spread(width, BOTH.requested("cache", False))
            assert (without.cache, without.strip) == (0, 0)
            assert spread(width, BOTH.requested("chats", False)).chats == 0

    @pytest.mark.parametrize("width", [LEAST[0], 640, 700, 780])
    @pytest.mark.parametrize("side", ["chats", "cache"])
    def test_what_is_asked_for_on_a_small_window_comes_over_the_chat(
        self, width: int, side: str
    ) -> None:
        asked = settled(width, BOTH.requested(side, True))  # type: ignore[arg-type]
        assert asked.over == side
        # The chat can still be seen, and pressed to go back to.
        assert CHATS_LEAST_PX <= over_px(width, asked) <= width - 48
        assert spread(width, asked) == spread(width, BOTH)

    def test_closing_what_is_over_the_chat_does_not_put_it_away(self) -> None:
        opened = BOTH.requested("cache", True)
        assert opened.requested("cache", False) == BOTH

    def test_a_wide_window_forgets_what_was_asked_for_on_a_small_one(self) -> None:
        asked = BOTH.requested("chats", True)
        assert settled(700, asked) == asked
        assert settled(1400, asked) == BOTH

    def test_widths_of_the_users_own_stay_where_there_is_room(self) -> None:
        own = BOTH.dragged(Widths(210, 700))
        assert spread(1600, own) == Widths(210, 700)
        most = 1300 - 210 - 2 * HANDLE_PX - CHAT_LEAST_PX
        assert spread(1300, own) == Widths(210, most)
        assert spread(1600, own) == Widths(210, 700)

    def test_a_drag_while_a_pane_is_folded_does_not_change_its_width(self) -> None:
        own = BOTH.dragged(Widths(210, 700)).dragged(Widths(0, 330))
        assert (own.chats_px, own.cache_px) == (210, 330)
