"""Sessions of agents: from the second turn on only what is new is processed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine import Engine
from tests.engine.net.server.agents import AGENTS, ChatAgent, question, result
from tests.engine.net.server.conftest import Caller
from tests.engine.net.server.scripted import Script, script
from tests.mostly_slow import mostly_slow

__all__ = ["script"]


@pytest.mark.parametrize(
    ("kind", "turns"),
    mostly_slow(zip(AGENTS, (30, 8, 8), strict=True)),
    ids=["chat", "responses", "messages"],
)
def test_thirty_tool_turns_process_only_their_new_tokens(
    kind: Callable[[], ChatAgent], turns: int, caller: Caller, script: Script, engine: Engine
) -> None:
    engine.drop_cache()
    agent = kind()
    agent.asks(question(0))
    before = 0
    for turn in range(turns):
        # Spelt as no template would: order and spaces of the JSON differ from turn to turn.
        gap = " " * (turn % 3)
        call = f'{{"arguments":{gap}{{"path": "m{turn}.py"}}, "name": "read_file"}}'
        script.add(f"I read module {turn}.\n<tool_call>\n{call}\n</tool_call>")
        heard = agent.heard(caller.post(agent.path, agent.body()))
        told = heard.biplane
        assert [name for _, name, _ in heard.calls] == ["read_file"]
        assert told["replayed"] == 0
        if turn:
            # The last token of an answer is sampled and not applied.
            assert heard.cached >= before - 1
            assert told["new"] < 80, told
        before = heard.total
        agent.answers(heard.calls[0][0], result(turn))


@pytest.mark.parametrize("kind", AGENTS)
def test_a_head_that_changes_is_named(
    kind: Callable[[], ChatAgent], caller: Caller, script: Script, engine: Engine
) -> None:
    engine.drop_cache()
    told = {}
    for turn in range(2):
        agent = kind()
        # The engine remembers prompts, so each kind of agent has a version of its own.
        version = AGENTS.index(kind)
        agent.head = f"x-agent-version: {version}; request={'ab'[turn] * 6}\n{agent.head}"
        agent.asks(question(0))
        script.add("It is a module.")
        told = agent.heard(caller.post(agent.path, agent.body())).biplane
    assert told["reason"] in ("system text changed", "diverged")
    assert "aaa" in told["divergence"]["cached"]
    assert "bbb" in told["divergence"]["prompt"]
