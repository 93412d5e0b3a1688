"""Messages written as one text."""

from __future__ import annotations

import pytest

from app.core.words.node_actions import PromptTextError, messages_of, text_of
from engine.message import Message


class TestMessages:
    def test_text_alone_is_a_user_message(self) -> None:
        assert messages_of("  Hello,\nworld.\n") == (Message("user", "Hello,\nworld."),)

    def test_lines_begin_messages(self) -> None:
        text = (
            "System:\nYou are a pilot.\n\nuser: Hello.\nAre you there?\nassistant: Yes.\nuser:\nGo"
        )
        assert messages_of(text) == (
            Message("system", "You are a pilot."),
            Message("user", "Hello.\nAre you there?"),
            Message("assistant", "Yes."),
            Message("user", "Go"),
        )

    def test_text_before_the_first_line_is_the_users(self) -> None:
        assert messages_of("Hello.\nassistant: Yes.") == (
            Message("user", "Hello."),
            Message("assistant", "Yes."),
        )

    def test_a_word_with_a_colon_inside_a_line_is_text(self) -> None:
        assert messages_of("The user: who is it?") == (Message("user", "The user: who is it?"),)

    def test_a_system_text_leaves_room_for_the_user(self) -> None:
        assert messages_of(text_of(" Fly. ") + "Hello.") == (
            Message("system", "Fly."),
            Message("user", "Hello."),
        )
        assert text_of("  ") == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "nothing to warm"),
        (" \n\t\n", "nothing to warm"),
        ("user: Hello.\nassistant:\n\nuser: Go", "assistant message in line 2 is empty"),
        ("system: Fly.\n\nuser:\n", "user message in line 3 is empty"),
        ("user: Hello.\nsystem: Fly.", "system message in line 2 must be the first"),
        ("Hello.\nsystem: Fly.", "system message in line 2 must be the first"),
        ("system: Fly.", "add a user message"),
    ],
)
def test_what_is_no_prompt_is_said_in_one_sentence(text: str, said: str) -> None:
    with pytest.raises(PromptTextError, match=said) as told:
        messages_of(text)
    assert str(told.value).count(". ") == 0
