"""The figures around an answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.words.stats_line import (
    figures_text,
    reuse_text,
    speed_text,
    stats_detail,
    stats_line,
    wrapping_by_figure,
)
from engine.drafted import NO_DRAFTS, Draft, Drafted, packed
from engine.net.client.usage import plan_of
from tests.app.cache.remote_desk import finished, remote_plan
from tests.app.samples import plan, report


class TestStatsLine:
    def test_the_line_is_exactly_this(self) -> None:
        made = stats_line(report(plan(12_416, 0, 57), first_token_s=0.18, decode_tok_s=63.0))
        assert made == "reused 12,416 · replayed 0 · new 57 · first token 0.18 s · 63 tok/s"

    def test_what_is_not_known_is_left_out(self) -> None:
        made = stats_line(report(plan(0, 0, 5), first_token_s=None, decode_tok_s=None))
        assert made == "reused 0 · replayed 0 · new 5"

    @pytest.mark.parametrize(
        ("first_token_s", "words"), [(0.043, "0.04 s"), (0.18, "0.2 s"), (2.14, "2.1 s")]
    )
    def test_at_rest_it_is_two_figures(self, first_token_s: float, words: str) -> None:
        made = report(plan(12_416, 0, 57), first_token_s=first_token_s, decode_tok_s=67.0)
        assert speed_text(made) == f"{words} · 67 tok/s"
        whole = f"{words} · 67 tok/s · reused 12,416 · replayed 0 · new 57"
        assert figures_text(made) == whole

    def test_without_a_time_there_is_no_empty_place_for_it(self) -> None:
        made = report(plan(0, 0, 5), first_token_s=None, decode_tok_s=None)
        assert (speed_text(made), figures_text(made)) == ("", "reused 0 · replayed 0 · new 5")

    def test_drafts_are_told_where_there_were_any(self) -> None:
        tried = (
            Draft(3, 38, "device", 7, 90, (1, 2)),
            Draft(42, 9, "device", 7, 129, ()),
            Draft(52, 0, "host", 4, 12, (5,) * 20),
            Draft(60, 4, "text", 0, 30, (9,) * 6),
            Draft(70, 20, "device", 8, 300, ()),
        )
        drafts = Drafted("auto", 50, packed(tried))
        made = report(plan(5, 0, 2), generated=121, drafts=drafts)
        assert "63 tok/s · 2.4 tokens a step · 72% of drafts kept · reused 5" in figures_text(made)
        assert stats_line(made).endswith(" · 2.4 tokens a step · 72% of drafts kept")
        assert "step" not in figures_text(replace(made, drafts=NO_DRAFTS))
        assert "drafts" not in speed_text(made)
        assert stats_detail(made).split("\n")[-4:] == [
            "71 of 99 drafted tokens were the answer's",
            "From this conversation: tokens 61–64",
            "From another cached path: tokens 4–51, 71–90",
            "28 drafted tokens were rejected, beginning at 42, 53, 65",
        ]

    def test_of_many_passages_the_first_are_named(self) -> None:
        tried = (Draft(at, 1, "text", 0, 0, (2,)) for at in range(1, 30, 4))
        detail = stats_detail(report(plan(5, 0, 2), drafts=Drafted("text", 40, packed(tried))))
        assert "From this conversation: tokens 2, 6, 10, 14, 18 and 3 more" in detail

    def test_slow_decoding_keeps_a_digit(self) -> None:
        assert stats_line(report(plan(0, 0, 5), decode_tok_s=6.94)).endswith("6.9 tok/s")

    def test_the_detail_says_why_and_what_was_skipped(self) -> None:
        text = stats_detail(report(plan(5, 1, 2, detail="Because."), skipped_checkpoints=2))
        first, why, *_ = text.split("\n")
        assert first == "reused 5 · replayed 1 · new 2 · first token 0.18 s · 63 tok/s"
        assert why == "Because."
        assert "2 checkpoints skipped" in text

    def test_a_narrow_line_wraps_between_figures_only(self) -> None:
        line = "reused 55 · from disk · 60 tok/s"
        narrow = wrapping_by_figure(line)
        assert narrow.replace("\u00a0", " ").replace("\u2060", "") == line
        assert narrow.split(" ") == [
            "reused\u00a055",
            "·",
            "from\u00a0disk",
            "·",
            "60\u00a0tok/\u2060s",
        ]


class TestElsewhere:
    """What an engine elsewhere reports, and what it does not."""

    def test_reported(self) -> None:
        assert reuse_text(remote_plan(100, 60)) == "reused 60 · new 40"

    def test_not_reported(self) -> None:
        assert reuse_text(remote_plan(100, None)) == "prompt 100 · reuse not reported"

    def test_expected_stands_beside_reported(self) -> None:
        less = replace(remote_plan(100, 60), expected=96)
        assert reuse_text(less) == "reused 60 · expected 96 · new 40"
        silent = replace(remote_plan(100, None), expected=96)
        assert reuse_text(silent) == "prompt 100 · expected 96 · reuse not reported"

    def test_nothing_is_known(self) -> None:
        plan = plan_of(None, "the server")
        assert reuse_text(plan) == "prompt and reuse not reported"

    def test_no_times_are_made_up(self) -> None:
        said = stats_detail(finished(1, remote_plan(100, 60)).report)
        assert "lookup" not in said
        assert "As vLLM reports" in said
