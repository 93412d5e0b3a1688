"""What an answer is doing, and what its prompt would reuse."""

from __future__ import annotations

import pytest

from app.chat.logic.turn_words import (
    ending_text,
    preview_detail,
    preview_wordings,
    progress_text,
    thinking_title,
)
from app.core.session.records import Preview, Turn, TurnState
from tests.app.samples import plan


class TestProgress:
    @pytest.mark.parametrize(
        ("turn", "text"),
        [
            (
                Turn(1, "assistant", state=TurnState.READING, done=1024, total=4800),
                "Reading prompt 1,024 of 4,800",
            ),
            (Turn(1, "assistant", state=TurnState.QUEUED, ahead=1), "Waiting for 1 answer ahead"),
            (Turn(1, "assistant", state=TurnState.WRITING), ""),
        ],
        ids=["reading", "queued", "writing"],
    )
    def test_progress(self, turn: Turn, text: str) -> None:
        assert progress_text(turn) == text

    def test_thinking(self) -> None:
        turn = Turn(1, "assistant", thinking_tokens=84, thinking_s=2.08)
        assert thinking_title(turn) == "Thought for 2.1 s · 84 tokens"
        turn.dropped = True
        assert thinking_title(turn) == "Thought for 2.1 s · 84 tokens · not sent again"
        assert thinking_title(turn, short=True) == "Thought for 2.1 s · not sent again"
        turn.state = TurnState.THINKING
        assert thinking_title(turn).startswith("Thinking…")

    def test_the_end_of_the_context_is_not_the_length_limit(self) -> None:
        cut = Turn(1, "assistant", stop="context")
        assert ending_text(cut) == "Stopped because the context is full"
        assert ending_text(Turn(1, "assistant", stop="length")) == "Cut at the length limit"

    def test_the_exact_figures_of_a_preview(self) -> None:
        made = preview_detail(Preview(1, plan(12_400, 10, 490)))
        assert made == (
            "12,400 of 12,900 tokens come from the cache, 10 known ones are replayed, 490 are new."
        )
        assert preview_detail(None) == ""

    def test_preview(self) -> None:
        made = preview_wordings(Preview(1, plan(12_400, 10, 490, predicted_seconds=0.4)))
        assert made == (
            "will reuse 12.4k of 12.9k tokens, about 0.4 s to the first token",
            "will reuse 12.4k of 12.9k tokens",
        )
        assert preview_wordings(Preview(1, plan(12_400, 10, 490))) == (made[1],)
        assert preview_wordings(None) == ("",)
