"""The host tier of a running engine: what comes back from it equals a cold run."""

from __future__ import annotations

import pytest
import torch

from engine import BiplaneError, Engine
from engine.message import PromptOptions
from engine.run.core import Core
from engine.storage.mover import TierMover
from tests.engine.run.conftest import Opener, ids
from tests.present import present

CHATS = [ids(n, 400) for n in range(1, 9)]
SMALL = {"cache_bytes": 1 << 20, "host_bytes": 16 << 20, "interval": 64}


def crowd(engine: Engine) -> None:
    """Run eight chats where two fit on the device."""
    for chat in CHATS:
        engine.logits(chat)


def tier_of(engine: Engine, prompt: tuple[int, ...]) -> str:
    """The tier that the next run of a prompt would resume from."""

    def ask(core: Core) -> str:
        prepared = core.prepare(prompt, core_options())
        found = core.store.probe(prepared).checkpoint
        return "" if found is None else found.state.tier

    return engine.on_core(ask)


def core_options() -> PromptOptions:
    return PromptOptions()


@pytest.mark.parametrize("mode", ["fast", "exact"])
def test_an_evicted_chat_comes_back_complete(open_engine: Opener, mode: str) -> None:
    engine = open_engine(mode=mode, **SMALL)
    crowd(engine)
    longer = (*CHATS[0], 17, 18, 19)
    assert tier_of(engine, longer) == "host"
    cold = engine.logits(longer, reuse=False)
    back = engine.logits(longer)
    assert back.reused >= 320
    if mode == "exact":
        assert torch.equal(back.logits, cold.logits)
    else:
        assert torch.allclose(back.logits, cold.logits, atol=1e-4)
    engine.check_invariants()


@pytest.mark.parametrize("mode", ["fast", "exact"])
def test_a_full_length_hit_is_as_correct_as_one_from_the_device(
    open_engine: Opener, mode: str
) -> None:
    engine = open_engine(mode=mode, **SMALL)
    first = engine.logits(CHATS[0]).logits
    crowd(engine)
    assert tier_of(engine, CHATS[0]) == "host"
    again = engine.logits(CHATS[0])
    assert (again.reused, again.computed) == (400, 0)
    assert torch.equal(again.logits, first)


def test_a_wrong_host_copy_is_noticed(open_engine: Opener) -> None:
    """The check above can fail: another chat's state in host memory changes the logits."""
    engine = open_engine(**SMALL)
    crowd(engine)
    longer = (*CHATS[0], 17, 18, 19)
    cold = engine.logits(longer, reuse=False)

    def spoil(core: Core) -> None:
        mover = present(core.store._lower).mover
        assert isinstance(mover, TierMover)
        states = mover._host_states
        for packed in states._slots.values():
            packed["delta"].add_(0.1)

    engine.on_core(spoil)
    back = engine.logits(longer)
    assert back.reused >= 320
    assert not torch.allclose(back.logits, cold.logits, atol=1e-2)


@pytest.mark.parametrize(("form", "bound"), [("bfloat16", 0.02), ("int8", 0.05)])
def test_a_compressed_state_is_close_and_marked(
    open_engine: Opener, form: str, bound: float
) -> None:
    engine = open_engine(compression=form, **SMALL)
    crowd(engine)
    longer = (*CHATS[0], 17, 18, 19)
    cold = engine.logits(longer, reuse=False)
    back = engine.logits(longer)
    assert back.reused >= 320
    difference = float((back.logits - cold.logits).abs().max() / cold.logits.abs().max())
    assert 0 < difference < bound
    stored = [n.checkpoint for n in engine.snapshot().nodes if n.checkpoint is not None]
    assert {point.state.stored for point in stored} == {"none", form}
    for point in stored:
        assert (point.state.error > 0) == (point.state.stored == form)
        assert point.state.error < 0.02


def test_exact_mode_uses_no_compressed_state(open_engine: Opener) -> None:
    engine = open_engine(mode="exact", compression="int8", **SMALL)
    crowd(engine)
    longer = (*CHATS[0], 17, 18, 19)
    assert tier_of(engine, longer) != "host"
    assert torch.equal(engine.logits(longer).logits, engine.logits(longer, reuse=False).logits)


def test_a_host_budget_that_holds_nothing_is_refused(open_engine: Opener) -> None:
    with pytest.raises(BiplaneError, match="--host-mb"):
        open_engine(host_bytes=1000)


@pytest.mark.parametrize("form", ["bfloat16", "int8"])
def test_what_derives_from_a_compressed_state_is_marked(open_engine: Opener, form: str) -> None:
    """As long as the lineage continues; what is not derived from it is not marked."""
    engine = open_engine(compression=form, **SMALL)
    crowd(engine)
    longer = (*CHATS[0], 17, 18, 19)
    back = present(engine.logits(longer).plan.state)
    assert (back.stored, back.tier) == (form, "host")
    for prompt in (longer, (*longer, *ids(20, 70))):
        found = present(engine.probe(prompt).state)
        assert found.error >= back.error > 0
        assert found.stored == form
        engine.logits((*prompt, 21, 22))
        assert present(engine.probe((*prompt, 21, 22)).state).stored == form
    fresh = ids(30, 300)
    engine.logits(fresh)
    found = present(engine.probe(fresh).state)
    assert (found.stored, found.error) == ("none", 0)


def test_a_cold_run_across_its_position_restores_it(open_engine: Opener) -> None:
    engine = open_engine(compression="int8", **SMALL)
    crowd(engine)
    longer = (*CHATS[0], 17, 18, 19)
    engine.logits(longer)
    assert present(engine.probe(longer).state).stored == "int8"
    engine.drop_cache()
    engine.logits(longer)
    found = present(engine.probe(longer).state)
    assert (found.stored, found.error) == ("none", 0.0)
