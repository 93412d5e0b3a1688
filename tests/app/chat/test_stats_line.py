"""The figures around an answer."""

from __future__ import annotations

import pytest

from app.chat.stats_line import (
    preview_text,
    progress_text,
    stats_detail,
    stats_line,
    thinking_title,
)
from app.session.records import Preview, Turn, TurnState
from tests.app.samples import plan, report


class TestStatsLine:
    def test_the_line_is_exactly_this(self) -> None:
        made = stats_line(report(plan(12_416, 0, 57), first_token_s=0.18, decode_tok_s=63.0))
        assert made == "reused 12,416 · replayed 0 · new 57 · first token 0.18 s · 63 tok/s"

    def test_what_is_not_known_is_left_out(self) -> None:
        made = stats_line(report(plan(0, 0, 5), first_token_s=None, decode_tok_s=None))
        assert made == "reused 0 · replayed 0 · new 5"

    def test_slow_decoding_keeps_a_digit(self) -> None:
        assert stats_line(report(plan(0, 0, 5), decode_tok_s=6.94)).endswith("6.9 tok/s")

    def test_the_detail_says_why_and_what_was_skipped(self) -> None:
        text = stats_detail(report(plan(5, 1, 2, detail="Because."), skipped_checkpoints=2))
        assert text.startswith("Because.\n")
        assert "2 checkpoints skipped" in text


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
        turn.state = TurnState.THINKING
        assert thinking_title(turn).startswith("Thinking…")

    def test_preview(self) -> None:
        made = preview_text(Preview(1, plan(12_400, 10, 490, predicted_seconds=0.4)))
        assert made == "will reuse 12,400 of 12,900, replay 10 · about 0.40 s"
        assert preview_text(None) == ""
