"""A conversation's own sampling: what it overrides, and what damaged records leave of it."""

from __future__ import annotations

import json
import logging
from dataclasses import replace

import pytest

from app.core.session import settings
from app.core.session.records import Conversation
from engine.config import Sampling
from tests.app.fake_loop import MODEL

DEFAULTS = Sampling(temperature=0.5, top_k=20, max_tokens=300, seed=4, stop=("END",))


def having(text: str) -> Conversation:
    return Conversation(1, sampling=text)


class TestEffective:
    def test_without_overrides_it_is_the_defaults(self) -> None:
        assert settings.effective(DEFAULTS, having("")) == DEFAULTS
        assert settings.changed_names(DEFAULTS, having("")) == ()

    def test_only_what_is_set_differs(self) -> None:
        text = settings.with_value("", "temperature", 0.0)
        text = settings.with_value(text, "stop", ("A", "\n\n"))
        one = having(text)
        assert settings.effective(DEFAULTS, one) == replace(
            DEFAULTS, temperature=0.0, stop=("A", "\n\n")
        )
        assert settings.changed_names(DEFAULTS, one) == ("temperature", "stop")

    def test_a_random_seed_overrides_a_fixed_one(self) -> None:
        one = having(settings.with_value("", "seed", None))
        assert settings.effective(DEFAULTS, one).seed is None
        assert settings.changed_names(DEFAULTS, one) == ("seed",)

    def test_no_stop_strings_override_some(self) -> None:
        one = having(settings.with_value("", "stop", ()))
        assert settings.effective(DEFAULTS, one).stop == ()

    def test_what_has_become_the_default_is_not_marked(self) -> None:
        one = having(settings.with_value("", "temperature", 0.5))
        assert settings.changed_names(DEFAULTS, one) == ()

    def test_what_is_reset_is_the_default(self) -> None:
        text = settings.with_value(settings.with_value("", "top_k", 1), "seed", 9)
        text = settings.without(text, "seed")
        assert settings.overrides_of(text) == {"top_k": 1}
        assert settings.without(text, "top_k") == ""

    def test_every_name_is_a_field_and_has_a_valid_default(self) -> None:
        for name in settings.NAMES:
            assert settings.problem(name, getattr(Sampling(), name)) == ""

    def test_the_sentence_is_that_of_the_engine(self) -> None:
        assert settings.problem("top_p", 2.0) == "top_p is 2.0; it must be a number from 0 to 1."
        assert "'abc'" in settings.problem("temperature", "abc")


class TestDamage:
    @pytest.mark.parametrize(
        "text", ["{", "[1]", "null", '"x"', "7", "[" * 100_000, "9" * 5_000], ids=lambda t: t[:5]
    )
    def test_what_is_no_object_is_the_defaults(
        self, text: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        settings.overrides_of.cache_clear()
        with caplog.at_level(logging.WARNING):
            assert settings.effective(DEFAULTS, having(text)) == DEFAULTS
        assert len(caplog.records) == 1
        assert text not in caplog.text
        assert settings.sound(text) == ""
        assert settings.overrides_of(settings.with_value(text, "top_k", 2)) == {"top_k": 2}

    def test_an_invalid_value_costs_only_itself(self, caplog: pytest.LogCaptureFixture) -> None:
        settings.overrides_of.cache_clear()
        text = '{"temperature": 900, "top_k": 2, "stop": "x", "seed": true, "min_p": NaN}'
        with caplog.at_level(logging.WARNING):
            assert settings.overrides_of(text) == {"top_k": 2}
        assert len(caplog.records) == 4
        assert "900" not in caplog.text

    def test_each_text_is_complained_about_once(self, caplog: pytest.LogCaptureFixture) -> None:
        settings.overrides_of.cache_clear()
        with caplog.at_level(logging.WARNING):
            for _ in range(3):
                settings.effective(DEFAULTS, having('{"top_k": -1}'))
        assert len(caplog.records) == 1

    def test_what_a_newer_version_wrote_stays(self) -> None:
        text = settings.with_value('{"mirostat": 2, "top_k": 5}', "top_k", 6)
        assert json.loads(settings.without(text, "top_k")) == {"mirostat": 2}
        assert settings.sound(text) == text


class TestSource:
    def test_where_a_default_comes_from(self) -> None:
        model = replace(MODEL, recommended=("temperature", "top_k"))
        given = {"top_k": 3}
        assert settings.source("top_k", given, model) == "start option"
        assert settings.source("temperature", given, model) == "model's generation_config"
        assert settings.source("top_p", given, model) == "Biplane's own default"
        assert settings.source("temperature", given, None) == "Biplane's own default"
