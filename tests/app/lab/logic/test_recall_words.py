"""What is said of a needle."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.lab.logic.recall_words import (
    even_share,
    heads_line,
    needle_text,
    query_line,
    summary,
    tokens_line,
)
from tests.app.lab.readings import TEXTS, recall


class TestSentences:
    def test_the_layers_in_which_it_counts_most(self) -> None:
        assert summary(recall(), 3) == (
            'Layer 3 (full) puts 80% of its attention on " Ada"; an even share would be 10%. '
            "Of what a linear layer reads, at most 2.0% was written by it (layer 0). "
            "Asked with the needle's own key, layer 0 returns its value best: 0.40."
        )

    def test_a_model_of_one_kind(self) -> None:
        reading = recall()
        full = replace(reading, layers=tuple(x for x in reading.layers if x.kind == "full"))
        assert "linear" not in summary(full, 0)
        linear = replace(reading, layers=tuple(x for x in reading.layers if x.kind == "linear"))
        assert "attention on" not in summary(linear, 0)

    def test_from_where_is_asked(self) -> None:
        assert query_line(recall(), 0) == (
            'Token 7 of 10 has just been read: "⏎", and the next token is " so".'
        )
        assert query_line(recall(), 3).endswith('" yes", the last token there is.')

    def test_an_even_share(self) -> None:
        assert even_share(recall(), 3) == pytest.approx(1 / 10)
        assert even_share(recall((5, 8)), 0) == pytest.approx(2 / 7)
        assert even_share(recall(None), 0) == 0

    def test_heads(self) -> None:
        layers = recall().layers
        assert heads_line(layers[3], 0) == (
            "Layer 3, full: head 0 0%, head 1 10%, head 2 20%, head 3 30%."
        )
        assert heads_line(layers[0], 0).endswith("Own key, by head: 0.40, 0.40, 0.40, 0.40.")

    def test_tokens(self) -> None:
        assert tokens_line(recall(None)) == "10 tokens."
        late = replace(recall(None), total=5000, start=4990)
        assert tokens_line(late) == "The last 10 of 5,000 tokens."
        assert needle_text(recall((5, 8))) == " Ada\n so"
        assert needle_text(replace(late, needle=(4995, 4996))) == TEXTS[5]
