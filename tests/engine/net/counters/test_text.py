"""The text of counters: what is a sample counts, what is none is read over, and never forever."""

from __future__ import annotations

import random

import pytest

from engine.errors import RemoteError
from engine.net.counters.reading import samples_of
from tests.engine.net.counters.texts import LLAMA, SGLANG, VLLM


class TestSamples:
    def test_labels_may_hold_anything(self) -> None:
        found = samples_of(VLLM)
        assert found["vllm:kv_cache_usage_perc"] == (0.25, 0.75)
        assert found["vllm:num_requests_running"] == (2.0, 1.0)

    @pytest.mark.parametrize(
        ("line", "value"),
        [
            ("a 1", 1.0),
            ("a 1 1700000000000", 1.0),
            ("a{} -2.5e3", -2500.0),
            ('a{x="}"} 3', 3.0),
            ('a{x="\\"}"} 4', 4.0),
            ("a\t5", 5.0),
        ],
    )
    def test_ways_to_write_one(self, line: str, value: float) -> None:
        assert samples_of(line.encode())["a"] == (value,)

    @pytest.mark.parametrize(
        "line", ["a", "a b", "a NaN", "a +Inf", 'a{x="y 1', "{} 1", "a 1 2 3", "<html> 1 x y"]
    )
    def test_what_is_none_is_read_over(self, line: str) -> None:
        assert samples_of(f"b 1\n{line}\n".encode()) == {"b": (1.0,)}

    def test_something_else(self) -> None:
        with pytest.raises(RemoteError, match="something else"):
            samples_of(b"<!DOCTYPE html>\n<p>hello</p>")

    def test_nothing_at_all(self) -> None:
        assert samples_of(b"") == {}

    def test_ten_thousand_damaged_texts(self) -> None:
        chance = random.Random(11)
        for _ in range(10_000):
            text = bytearray(chance.choice((LLAMA, SGLANG[:600], VLLM[:600])))
            for _ in range(8):
                text[chance.randrange(len(text))] = chance.randrange(256)
            samples_of(bytes(text))
