"""How the width is divided among the panes."""

from __future__ import annotations

import pytest

from app.shell.window_memory import (
    CACHE_LEAST_PX,
    CHAT_GOOD_PX,
    CHAT_LEAST_PX,
    CHATS_LEAST_PX,
    LEAST,
    Panes,
    Widths,
    settled,
    spread,
)

BOTH = Panes()


class TestOrder:
    def test_the_list_folds_first_and_the_cache_last(self) -> None:
        seen = [spread(width, BOTH) for width in range(1600, LEAST[0] - 1, -1)]
        shown = [(bool(w.chats), bool(w.cache)) for w in seen]
        assert list(dict.fromkeys(shown)) == [(True, True), (False, True), (False, False)]

    def test_the_cache_becomes_narrower_before_it_folds(self) -> None:
        widths = [spread(width, BOTH).cache for width in range(899, 600, -1)]
        assert widths[0] > CACHE_LEAST_PX
        assert CACHE_LEAST_PX in widths
        assert widths == sorted(widths, reverse=True)
        assert widths[-1] == 0

    def test_nothing_is_ever_narrower_than_it_can_be_used(self) -> None:
        for width in range(LEAST[0], 2600):
            made = spread(width, BOTH)
            assert made.chats in (0, *range(CHATS_LEAST_PX, 241))
            assert made.cache == 0 or made.cache >= CACHE_LEAST_PX
            assert width - made.chats - made.cache >= CHAT_LEAST_PX
            if made.chats and made.cache:
                assert width - made.chats - made.cache >= CHAT_GOOD_PX

    def test_at_700_there_are_conversation_and_cache(self) -> None:
        assert spread(700, BOTH) == Widths(0, CACHE_LEAST_PX)


class TestByHand:
    def test_what_was_put_away_stays_away(self) -> None:
        for width in (600, 800, 1000, 2000):
            assert spread(width, BOTH.requested("cache", False)).cache == 0
            assert spread(width, BOTH.requested("chats", False)).chats == 0

    @pytest.mark.parametrize("width", [LEAST[0], 640, 700, 899])
    def test_what_is_asked_for_on_a_small_window_comes(self, width: int) -> None:
        assert spread(width, BOTH.requested("chats", True)).chats >= CHATS_LEAST_PX
        assert spread(width, BOTH.requested("cache", True)).cache >= CACHE_LEAST_PX

    def test_a_wide_window_forgets_what_was_asked_for_on_a_small_one(self) -> None:
        asked = BOTH.requested("chats", True)
        assert settled(700, asked) == asked
        assert settled(1400, asked) == BOTH

    def test_widths_of_the_users_own_stay_where_there_is_room(self) -> None:
        own = BOTH.dragged(Widths(210, 700))
        assert spread(1600, own) == Widths(210, 700)
        assert spread(1200, own) == Widths(210, 1200 - 210 - CHAT_LEAST_PX)
        assert spread(1600, own) == Widths(210, 700)

    def test_a_drag_while_a_pane_is_folded_does_not_change_its_width(self) -> None:
        own = BOTH.dragged(Widths(210, 700)).dragged(Widths(0, 330))
        assert (own.chats_px, own.cache_px) == (210, 330)
