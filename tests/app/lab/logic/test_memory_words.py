"""What is said of a token that was fed."""

from __future__ import annotations

from app.lab.logic.memory_words import (
    entries_line,
    figures,
    number,
    percent,
    readback_line,
    state_line,
    token_line,
    window_line,
)
from app.lab.logic.token_words import cut, quoted, shown
from tests.app.fake_loop import MODEL
from tests.app.lab.readings import memory
from tests.present import present

SHAPE = MODEL.cache_shape


class TestSentences:
    def test_which_tokens_are_shown(self) -> None:
        assert window_line(memory()) == "10 tokens, from the first one."
        assert window_line(memory(start=1000)).startswith("The last 10 of 1,010 tokens;")

    def test_where_the_reader_is(self) -> None:
        assert token_line(memory(), 6) == 'Token 7 of 10: "⏎"'
        assert token_line(memory(start=1000), 0) == 'Token 1,001 of 1,010: "Hello"'

    def test_entries_grow(self) -> None:
        reading = memory(start=1000)
        line = entries_line(reading, present(reading.entries), SHAPE, 0)
        assert line == (
            "Token 1,001 appended a key and a value for each of 2 heads: 2,048 B. The layer now "
            "holds 1.96 MiB for 1,001 tokens; the earlier entries are as they were."
        )

    def test_the_state_does_not(self) -> None:
        state = present(memory().state)
        line = state_line(state, 0, SHAPE, 3)
        assert "the layer still holds 1.04 MiB" in line
        assert "the gate first kept 95.3%" in line
        assert line.endswith("moved the state by 25% of its norm.")

    def test_figures(self) -> None:
        state = present(memory().state)
        assert figures(state, 2, 0) == (
            ("Norm", "2"),
            ("Changed by", "100%"),
            ("Kept by the gate", "95.3%"),
            ("Beta", "25%"),
            ("Like 1 token ago", "–"),
            ("Like 4 tokens ago", "–"),
        )
        assert figures(state, 2, 9)[-1] == ("Like 4 tokens ago", "0.50")

    def test_what_can_be_read_back(self) -> None:
        reading = memory()
        head = present(reading.state).heads[0]
        assert "a cosine of 1.00" in readback_line(reading, head, 0)
        line = readback_line(reading, head, 4)
        assert "returns 2 of 5 values clearly" in line
        assert 'least well that of "Hello", 0.60' in line


class TestNumbers:
    def test_shares_near_either_end(self) -> None:
        found = [percent(v) for v in (0.0, 1e-5, 0.002, 0.37, 0.998, 1.0, -0.003, -1e-6)]
        assert found == ["0%", "0.0%", "0.2%", "37%", "99.8%", "100%", "-0.3%", "0.0%"]

    def test_three_digits(self) -> None:
        assert [number(v) for v in (0.01234, 52.91, 1234.5)] == ["0.0123", "52.9", "1,234"]

    def test_tokens_in_a_line(self) -> None:
        assert [shown("a\n"), shown(""), quoted(" x"), cut("abcdef", 4)] == [
            "a⏎",
            "∅",
            '" x"',
            "abc…",
        ]
