"""The table of engines side by side."""

from __future__ import annotations

import pytest

from app.cli.speed_tables import beside_lines, figure, rival


class TestRival:
    @pytest.mark.parametrize(
        ("model", "name", "weights"),
        [
            ("", "llama.cpp", "stored"),
            ("qwen35 0.8B BF16", "llama.cpp BF16", "stored"),
            ("qwen35 0.8B F16", "llama.cpp F16", "stored"),
            ("qwen35 0.8B all F32", "llama.cpp F32", "stored"),
            ("qwen35 0.8B Q8_0", "llama.cpp Q8_0", "int8"),
            ("qwen35 0.8B Q4_0", "llama.cpp Q4_0", "int4"),
            ("qwen35 0.8B Q4_K - Medium", "llama.cpp Q4_K", "int4"),
            ("qwen35 0.8B Q6_K", "llama.cpp Q6_K", ""),
            ("qwen35 0.8B", "llama.cpp qwen35 0.8B", ""),
        ],
    )
    def test_the_format_it_is_compared_with(self, model: str, name: str, weights: str) -> None:
        found = rival("llama.cpp", model, {})
        assert (found.name, found.weights) == (name, weights)


class TestLines:
    def test_each_format_stands_beside_its_own_rivals(self) -> None:
        ours = {"stored": {500: 20.0, 5000: 19.0}, "int8": {500: 35.0}, "int4": {500: 50.0}}
        rivals = [
            rival("transformers", "", {500: 5.0, 5000: 4.0}),
            rival("llama.cpp", "x BF16", {500: 16.0}),
            rival("llama.cpp", "x Q8_0", {500: 28.0}),
        ]
        head, *rows = [line.split() for line in beside_lines("context", ours, rivals)]
        assert head[:3] == ["context", "weights", "Biplane"]
        assert [" ".join(row) for row in rows] == [
            "500 stored 20.0 transformers 5.0 (4.00), llama.cpp BF16 16.0 (1.25)",
            "5,000 stored 19.0 transformers 4.0 (4.75)",
            "500 int8 35.0 llama.cpp Q8_0 28.0 (1.25)",
            "500 int4 50.0",
        ]

    def test_without_a_rival_there_is_no_table(self) -> None:
        assert beside_lines("context", {"stored": {500: 20.0}}, []) == []

    def test_a_rival_in_a_format_that_was_not_measured_stands_beside_all(self) -> None:
        ours = {"int8": {500: 20.0}, "int4": {500: 40.0}}
        rivals = [rival("transformers", "", {500: 5.0}), rival("llama.cpp", "x Q8_0", {500: 10.0})]
        _, eight, four = beside_lines("context", ours, rivals)
        assert eight.endswith("20.0   transformers 5.0 (4.00), llama.cpp Q8_0 10.0 (2.00)")
        assert four.endswith("40.0   transformers 5.0 (8.00)")

    def test_figures_have_the_digits_that_are_worth_reading(self) -> None:
        assert [figure(value) for value in (7.04, 99.94, 449.6, 2048.0)] == [
            "7.0",
            "99.9",
            "450",
            "2,048",
        ]
