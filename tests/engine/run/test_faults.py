"""Whatever fails inside a request, nothing leaks, and the next request is answered correctly."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
import torch

from engine import Engine, Sampling, events
from engine.commands import Submit
from engine.run.core import Core
from tests.engine.run.conftest import Opener, ids

PROMPT = ids(1, 300)
FOLLOWING = (*PROMPT, *ids(2, 40))
GREEDY = Sampling.greedy(12)


def settled(engine: Engine) -> None:
    """No request runs: every slot is free or the tree's, and no lock is held."""
    engine.check_invariants()
    snapshot = engine.snapshot()
    assert (snapshot.kv.live, snapshot.state.live) == (0, 1), "a request left slots behind"
    assert (snapshot.kv.locked, snapshot.state.locked) == (0, 0), "a request left locks behind"


def answered_right(engine: Engine) -> None:
    cached, cold = engine.logits(FOLLOWING), engine.logits(FOLLOWING, reuse=False)
    assert torch.allclose(cached.logits, cold.logits, atol=1e-3)


@pytest.mark.parametrize("mode", ["fast", "exact"])
def test_a_forward_pass_that_fails_leaves_nothing_behind(open_engine: Opener, mode: str) -> None:
    engine = open_engine(mode=mode, interval=64, decode_interval=4)

    def break_at(core: Core, call: int) -> None:
        whole, calls = type(core.model).forward, iter(range(1_000_000))

        def forward(*args: Any, **kwargs: Any) -> object:
            if next(calls) == call:
                raise RuntimeError("out of memory")
            return whole(core.model, *args, **kwargs)

        core.model.forward = forward  # type: ignore[assignment]

    def mend(core: Core) -> None:
        del core.model.forward

    for call in range(16):
        engine.drop_cache()
        engine.on_core(partial(break_at, call=call))
        last = list(engine.generate(PROMPT, GREEDY))[-1]
        assert isinstance(last, events.RequestFailed | events.RequestFinished)
        engine.on_core(mend)
        settled(engine)
        answered_right(engine)
    settled(engine)


def test_a_state_that_cannot_be_copied_leaves_nothing_behind(open_engine: Opener) -> None:
    engine = open_engine(interval=64)
    for call in range(4):
        engine.drop_cache()

        def break_copy(core: Core, call: int = call) -> None:
            states, calls = core.store.states, iter(range(1_000_000))
            whole = type(states).copy

            def copy(source: int, target: int) -> None:
                if next(calls) == call:
                    raise RuntimeError("out of memory")
                whole(states, source, target)

            core.store.states = _Wrapped(states, copy)  # type: ignore[assignment]

        def mend(core: Core) -> None:
            core.store.states = core.store.states._whole  # type: ignore[attr-defined]

        engine.on_core(break_copy)
        for prompt in (PROMPT, FOLLOWING):
            list(engine.generate(prompt, GREEDY))
            settled(engine)
        engine.on_core(mend)
        answered_right(engine)
        settled(engine)


@pytest.mark.parametrize("mode", ["fast", "exact"])
@pytest.mark.parametrize("tight", [False, True], ids=["roomy", "tight"])
def test_cancel_at_every_point(open_engine: Opener, mode: str, tight: bool) -> None:
    """Before, between and after every step; what was computed may be kept, if correct."""
    budget = {"cache_bytes": 3 << 20} if tight else {}
    engine = open_engine(mode=mode, interval=64, decode_interval=4, **budget)
    for point in range(24):
        engine.drop_cache()

        def run(core: Core, point: int = point) -> list[events.Event]:
            asked = iter(range(1_000_000))
            said: list[events.Event] = []
            submit = Submit(1, PROMPT, GREEDY)
            core.run(submit, said.append, lambda: next(asked) == point)
            return said

        last = engine.on_core(run)[-1]
        assert isinstance(last, events.RequestFinished)
        settled(engine)
        answered_right(engine)
    settled(engine)


class _Wrapped:
    """A state plane with a replaced `copy`."""

    def __init__(self, whole: object, copy: object) -> None:
        self._whole = whole
        self.copy = copy

    def __getattr__(self, name: str) -> object:
        return getattr(self._whole, name)
