"""The bundled model through the whole engine: chats that come back to their own past."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import assets
from engine import Engine, EngineConfig, Message, PromptOptions, Sampling, events

DEMO = Path(assets.__file__).parent / "demo_model"


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine.open(DEMO, EngineConfig()) as opened:
        yield opened
        opened.check_invariants()


def say(
    engine: Engine, messages: list[Message], text: str, options: PromptOptions
) -> events.RequestFinished:
    messages.append(Message("user", text))
    *_, last = engine.generate(messages, Sampling.greedy(40), options)
    assert isinstance(last, events.RequestFinished)
    messages.append(
        Message("assistant", last.text, thinking=last.thinking, token_ids=last.token_ids)
    )
    return last


@pytest.mark.parametrize("system", ["You are a friendly assistant.", ""], ids=["system", "bare"])
@pytest.mark.parametrize("thinking", [True, False], ids=["thinking", "no-think"])
def test_ten_turns_whose_thoughts_are_dropped_replay_nothing(
    engine: Engine, thinking: bool, system: str
) -> None:
    """From turn 2 on: replayed 0, and computed is exactly what lies after the anchor."""
    engine.drop_cache()
    options = PromptOptions(thinking=thinking)
    messages: list[Message] = [Message("system", system)] if system else []
    earlier: tuple[int, ...] = ()
    for turn in range(10):
        said = say(engine, messages, f"And {turn * 37}?" if turn else "Hi", options)
        plan = said.report.plan
        prompt = engine.on_core(
            lambda core, known=tuple(messages[:-1]): core.prompt_ids(known, options)
        )
        if turn:
            shared = common(prompt, earlier)
            assert (plan.reused, plan.replayed) == (shared, 0)
            assert plan.computed == len(prompt) - shared
            # The anchor: where the earlier prompt opened a thought that history drops.
            assert 0 < len(earlier) - shared < 8
        earlier = prompt


def common(a: tuple[int, ...], b: tuple[int, ...]) -> int:
    """How many leading ids agree."""
    return next(
        (i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )
