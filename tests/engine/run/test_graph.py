"""A recorded decode step, substituted for the eager one, gives the same answers."""

from __future__ import annotations

from pathlib import Path

import pytest

import assets
from engine import Engine, EngineConfig, Sampling
from engine.config import Mode
from engine.events import RequestFinished
from engine.message import Message
from engine.model.decode_graph import DecodeGraph
from engine.run.core import Core

DEMO = Path(assets.__file__).parent / "demo_model"


def answers(engine: Engine) -> list[tuple[int, ...]]:
    """A chat of three turns, the second one edited and answered again."""
    given, chat = [], []
    for text in ("My name is Oda.", "What is my name?", "And the weather?"):
        chat.append(Message("user", text))
        *_, end = engine.generate(tuple(chat), Sampling.greedy(24))
        assert isinstance(end, RequestFinished)
        given.append(end.token_ids)
        chat.append(Message("assistant", end.text, token_ids=end.token_ids))
    chat[2] = Message("user", "Who am I?")
    *_, end = engine.generate(tuple(chat[:3]), Sampling.greedy(24))
    assert isinstance(end, RequestFinished)
    return [*given, end.token_ids]


@pytest.mark.parametrize("mode", ["fast", "exact"])
def test_answers_are_the_plain_steps(mode: Mode) -> None:
    config = EngineConfig(dtype="float32", mode=mode, decode_interval=8)
    with Engine.open(DEMO, config) as engine:
        expected = answers(engine)
    with Engine.open(DEMO, config) as engine:

        def use_graph(core: Core) -> DecodeGraph:
            store = core.store
            store.graph = DecodeGraph(core.model, store.kv, store.states)
            return store.graph

        graph = engine.on_core(use_graph)
        assert answers(engine) == expected
        engine.check_invariants()
        assert graph.recorded == 1
        assert graph.nbytes > 0
