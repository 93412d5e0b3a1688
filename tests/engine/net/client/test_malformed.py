"""What servers may send that no server should: an error at most, never an exception of ours."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from engine.errors import RemoteError
from engine.net.client.address import Address
from engine.net.client.answer import delta_of
from engine.net.client.catalog import catalog_of
from engine.net.client.trouble import message_in
from engine.net.client.usage import plan_of
from tests.engine.net.client.server import usage

ADDRESS = Address.parse("http://127.0.0.1:1")
CHUNK: dict[str, Any] = {
    "choices": [{"index": 0, "delta": {"content": "a", "reasoning_content": "b"}}],
    "usage": {**usage(10, 2, 4), "biplane": {"replayed": 1, "reason": "none", "detail": "x"}},
    "timings": {"cache_n": 4, "prompt_n": 6, "predicted_n": 2, "predicted_per_second": 3.5},
    "prompt_progress": {"total": 10, "cache": 4, "processed": 6},
}
MODELS: dict[str, Any] = {
    "data": [{"id": "m", "owned_by": "vllm", "max_model_len": 4096, "meta": {"n_params": 5}}]
}
ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 1 << 80, 1e308, 1.5, "", "x", "\u0000", [], {}, [[]], [None], {"a": {}}),
)


def spoilt(value: Any, chance: random.Random) -> Any:
    """The same with something else in one place or several."""
    if chance.random() < 0.15:
        return chance.choice(ODD)
    if isinstance(value, dict):
        return {name: spoilt(inner, chance) for name, inner in value.items()}
    if isinstance(value, list):
        return [spoilt(inner, chance) for inner in value]
    return value


def test_ten_thousand_events() -> None:
    chance = random.Random(17)
    for _ in range(10_000):
        text = json.dumps(spoilt(CHUNK, chance))
        try:
            made = delta_of(text, ADDRESS, seen=True)
        except RemoteError:
            continue
        plan = plan_of(made.told, "vLLM")
        assert plan.reused + plan.replayed + plan.computed + plan.unknown == plan.total
        assert min(plan.reused, plan.replayed, plan.computed, plan.unknown) >= 0
        assert made.read >= 0
        assert made.to_read >= 0


def test_ten_thousand_lists_of_models() -> None:
    chance = random.Random(19)
    for _ in range(10_000):
        try:
            found = catalog_of(json.dumps(spoilt(MODELS, chance)).encode(), ADDRESS)
        except RemoteError:
            continue
        assert all(model.name and model.context >= 0 for model in found.models)


@pytest.mark.parametrize(
    "body", [b"[" * 100_000, b"\xff", b'{"error": {"message": {"message": 4}}}']
)
def test_errors_that_say_nothing(body: bytes) -> None:
    assert message_in(body) == ""


def test_what_an_error_says_is_one_short_line() -> None:
    said = message_in(json.dumps({"error": {"message": "a\n\x1b[31mb " * 200}}).encode())
    assert len(said) <= 160
    assert said.isprintable()
