"""The headings of the list."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from app.conversations.logic.steps import heading, headings
from app.core.session.records import Conversation

TODAY = date(2026, 11, 21)


def changed(*when: int, pinned: bool = False) -> Conversation:
    return Conversation(1, pinned=pinned, updated=datetime(*when).timestamp())  # type: ignore[arg-type]


class TestHeadings:
    @pytest.mark.parametrize(
        ("one", "wanted"),
        [
            (changed(2026, 11, 21, 0, 0), "Today"),
            (changed(2026, 11, 22, 0, 0), "Today"),
            (changed(2026, 11, 20, 23, 59), "Yesterday"),
            (changed(2026, 11, 19, 12, 0), "Thursday, 19 November"),
            (changed(2025, 12, 31, 12, 0), "Wednesday, 31 December 2025"),
            (changed(2020, 1, 1, 0, 0, pinned=True), "Pinned"),
            (Conversation(1, updated=1e18), "Some day"),
        ],
        # By the headings: a conversation's own text has the time at which it was made.
        ids=["now", "tomorrow", "yesterday", "this week", "last year", "pinned", "no time"],
    )
    def test_a_conversation_stands_under_its_day(self, one: Conversation, wanted: str) -> None:
        assert heading(one, TODAY) == wanted

    def test_only_the_first_of_a_group_has_one(self) -> None:
        found = [
            changed(2026, 11, 1, 1, 0, pinned=True),
            changed(2026, 11, 21, 9, 0),
            changed(2026, 11, 21, 8, 0),
            changed(2026, 11, 20, 8, 0),
        ]
        assert headings(found, TODAY) == ["Pinned", "Today", "", "Yesterday"]
        assert headings([], TODAY) == []
