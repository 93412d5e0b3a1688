"""Which format to choose, for every order of the formats' speeds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.words.model_words import advice, opening_text
from engine.machine_speed import MachineSpeed
from tests.engine.test_machine_speed import SPEED


def speeds(stored: float, int8: float, int4: float) -> MachineSpeed:
    rates = {"stored": stored, "int8": int8, "int4": int4}
    formats = [replace(each, decode_tok_s=rates[each.weights]) for each in SPEED.formats]
    return replace(SPEED, formats=tuple(formats))


class TestAdvice:
    @pytest.mark.parametrize(
        ("found", "begins", "says"),
        [
            (speeds(10, 10, 10), "Keep the weights as stored", "50% of it"),
            (speeds(10, 9, 8), "Keep the weights as stored", "no faster"),
            (speeds(10, 10, 20), "Choose int4", "2.0 times"),
            (speeds(10, 20, 20), "Choose int8", "int4 is no faster"),
            (speeds(10, 20, 26), "Choose int8", "1.3 times as fast again"),
            (speeds(10, 20, 40), "Choose int8", "if speed matters most choose int4, 2.0 times"),
        ],
    )
    def test_it_follows_from_the_speeds(self, found: MachineSpeed, begins: str, says: str) -> None:
        sentence = advice(found)
        assert sentence.startswith(begins)
        assert says in sentence
        assert sentence.endswith(".")

    def test_int8_says_what_it_gains_and_saves(self) -> None:
        assert "1.8 times as fast as the stored weights, in 50% of" in advice(SPEED)

    def test_with_some_formats_only_the_fastest_is_named(self) -> None:
        assert advice(replace(SPEED, formats=SPEED.formats[:2])).startswith("Choose int8")
        assert "as stored" in advice(replace(SPEED, formats=SPEED.formats[:1]))


class TestOpening:
    def test_without_a_measurement_it_says_how_to_make_one(self) -> None:
        assert "biplane bench quick" in opening_text(None)

    def test_it_says_when_and_what_was_measured(self) -> None:
        text = opening_text(SPEED)
        assert text.startswith(advice(SPEED))
        assert "2026-11-22 with 752 million parameters" in text
        assert "stored 18 tok/s, int8 33 tok/s, int4 48 tok/s." in text
