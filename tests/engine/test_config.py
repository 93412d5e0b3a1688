"""Settings are checked when they are made: field, value and range in one sentence."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from engine import CacheError, EngineConfig, PromptError, Sampling
from engine.config import POLICY_NAMES
from engine.field_check import MOST

SIZES = ("decode_interval", "expert_bytes", "cache_bytes", "host_bytes", "disk_bytes", "context")
NO_COUNT = (-1, 20.0, True, "20", None, math.nan, MOST + 1, 10**5000)
NO_NUMBER = (True, "0.5", None, math.nan, math.inf, -math.inf, [0.5])

BAD_CONFIG: list[tuple[str, Any]] = [
    *((name, value) for name in (*SIZES, "interval", "threads") for value in NO_COUNT),
    ("interval", 100),
    ("threads", 1025),
    *(("parallel", value) for value in (*NO_COUNT, 0, 16)),
    *(("state_share", value) for value in (*NO_NUMBER, -0.1, 1, 1.5)),
    *((name, value) for name in ("rebalance", "background_audit") for value in (1, None, "yes")),
    *(
        (name, value)
        for name in ("device", "dtype", "weights", "mode", "policy", "compression", "drafts")
        for value in ("", "fats", "Auto", None, 3, ["auto"], "\ud800", "x" * 10_000)
    ),
    *(("cache_dir", value) for value in ("/tmp/cache", b"/tmp", Path("a\0b"), 3)),
]
BAD_SAMPLING: list[tuple[str, Any]] = [
    *(("temperature", value) for value in (*NO_NUMBER, -0.1, 101)),
    *((name, value) for name in ("top_p", "min_p") for value in (*NO_NUMBER, -0.5, 1.5)),
    *(("repetition_penalty", value) for value in (*NO_NUMBER, 0, -1.0, 101)),
    *(
        (name, value)
        for name in ("presence_penalty", "frequency_penalty")
        for value in (*NO_NUMBER, 101, -101)
    ),
    *(
        ("logit_bias", value)
        for value in ({5: 1}, ((5,),), ((-1, 1.0),), ((5, 101.0),), ((5, "1"),), None)
    ),
    *(("min_tokens", value) for value in (*NO_COUNT, 1025)),
    *(("grammar", value) for value in (None, 5, b"start: x")),
    *(("scores", value) for value in (-1, 21, True, 2.0, "2")),
    *((name, value) for name in ("top_k", "max_tokens", "thinking_tokens") for value in NO_COUNT),
    ("max_tokens", -5),
    ("max_tokens", 0),
    *(("seed", value) for value in (1.0, True, "1")),
    *(("stop", value) for value in ("end", ["end"], ("end", ""), (3,), None)),
    *(("stop_ids", value) for value in (3, [3], (-1,), (True,), ("3",), None)),
    *(("ignore_end", value) for value in (1, None)),
]


def named(cases: list[tuple[str, Any]]) -> pytest.MarkDecorator:
    ids = [f"{name}-{type(value).__name__}-{at}" for at, (name, value) in enumerate(cases)]
    return pytest.mark.parametrize(("name", "value"), cases, ids=ids)


def refusal(record: EngineConfig | Sampling, name: str, value: Any, error: type[Exception]) -> str:
    with pytest.raises(error) as caught:
        replace(record, **{name: value})
    return str(caught.value)


class TestRefused:
    @named(BAD_CONFIG)
    def test_a_setting_of_the_engine(self, name: str, value: Any) -> None:
        sentence = refusal(EngineConfig(), name, value, CacheError)
        assert sentence.startswith(f"{name} is ")
        assert "; it must be " in sentence
        assert len(sentence) < 200

    @named(BAD_SAMPLING)
    def test_a_setting_of_the_sampling(self, name: str, value: Any) -> None:
        sentence = refusal(Sampling(), name, value, PromptError)
        assert sentence.startswith(f"{name} is ")
        assert "; it must be " in sentence
        assert len(sentence) < 200

    def test_every_field_is_checked(self) -> None:
        assert {name for name, _ in BAD_CONFIG} == {field.name for field in fields(EngineConfig)}
        assert {name for name, _ in BAD_SAMPLING} == {field.name for field in fields(Sampling)}

    def test_the_value_and_what_it_must_be_are_said(self) -> None:
        assert refusal(Sampling(), "top_k", 20.0, PromptError) == (
            "top_k is 20.0; it must be a whole number of at least 0."
        )
        assert refusal(Sampling(), "min_p", 2, PromptError) == (
            "min_p is 2; it must be a number from 0 to 1."
        )
        assert refusal(EngineConfig(), "mode", "fats", CacheError) == (
            'mode is \'fats\'; it must be one of "fast", "exact".'
        )
        assert refusal(EngineConfig(), "threads", -1, CacheError) == (
            "threads is -1; it must be a whole number from 0 to 1,024."
        )

    def test_what_is_merged_is_checked_too(self) -> None:
        with pytest.raises(PromptError, match="top_p"):
            Sampling().merged({"top_p": 7})


class TestAccepted:
    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("interval", 0),
            ("interval", 64),
            ("state_share", 0),
            ("state_share", 0.999),
            ("threads", 1024),
            ("context", MOST),
            ("cache_dir", None),
            ("cache_dir", Path("cache")),
            *(("device", name) for name in ("auto", "cpu", "cuda")),
            *(("dtype", name) for name in ("auto", "float32", "bfloat16", "float16")),
            *(("policy", name) for name in POLICY_NAMES),
        ],
    )
    def test_a_setting_of_the_engine(self, name: str, value: Any) -> None:
        assert getattr(replace(EngineConfig(), **{name: value}), name) == value

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("temperature", 0),
            ("temperature", 100),
            ("top_k", 0),
            ("top_p", 0),
            ("top_p", 1),
            ("min_p", 1.0),
            ("repetition_penalty", 1),
            ("presence_penalty", -100),
            ("max_tokens", 1),
            ("seed", -1),
            ("seed", 1 << 80),
            ("stop", ("a", "b")),
            ("stop_ids", (0, 7)),
        ],
    )
    def test_a_setting_of_the_sampling(self, name: str, value: Any) -> None:
        assert getattr(replace(Sampling(), **{name: value}), name) == value
