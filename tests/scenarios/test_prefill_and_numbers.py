"""Scenarios 47 to 57: chunks, windows, and cached against cold for every kind of hit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from engine.run.core import Core
from kernels.state_codec import pack, unpack_part
from tests.engine.run.conftest import Opener, ids
from tests.scenarios.steps import answer, off_by, positions, right


def test_prefill_47_in_one_go_and_in_chunks(open_engine: Opener) -> None:
    """SGLang, vllm-ascend: chunks of 64 to 1,000 give the same logits."""
    prompt = ids(1, 1500)
    whole = open_engine(interval=0).logits(prompt, reuse=False).logits
    for interval in (64, 128, 192, 1024):
        engine = open_engine(interval=interval)
        assert off_by(engine.logits(prompt).logits, whole) < 1e-4
    exact = open_engine(mode="exact", interval=256)
    cold = exact.logits(prompt, reuse=False).logits
    exact.logits(prompt[:1300])
    assert torch.equal(exact.logits(prompt).logits, cold), "equal cuts give equal bits"


@pytest.mark.parametrize("length", [63, 64, 65, 700, 1089])
def test_prefill_48_every_state_is_what_its_position_says(open_engine: Opener, length: int) -> None:
    """TensorRT-LLM 15653: wherever a chunk ends, a stored state stands for its own prefix."""
    engine = open_engine(interval=64)
    answer(engine, ids(1, length), 20)
    for node in engine.snapshot().nodes:
        if node.checkpoint is not None:
            verdict = engine.verify(node.id)
            assert verdict is not None
            assert verdict.status == "verified"


def test_prefill_51_states_are_carried_through_every_window(open_engine: Opener) -> None:
    """sparkinfer 1071: the carry was zeroed beyond the first windows; scaled down."""
    engine = open_engine(interval=512)
    engine.logits(ids(1, 5200))
    for cut in (600, 1100, 2100, 4700, 5200):
        plan = right(engine, (*ids(1, cut), *ids(2, 11)))
        assert plan.reused >= cut // 512 * 512


@pytest.mark.parametrize("length", [1, 2, 3, 4])
@pytest.mark.parametrize("after", [1, 2, 3])
def test_prefill_52_the_conv_window_at_the_edges(
    open_engine: Opener, length: int, after: int
) -> None:
    """SGLang: prompts as short as the window, and cuts just after a state."""
    engine = open_engine(interval=64)
    right(engine, ids(1, length))
    right(engine, (*ids(1, length), *ids(2, after)))
    engine.logits(ids(1, 64 + length))
    right(engine, (*ids(1, 64), *ids(3, after)))
    right(engine, (*ids(1, 64 + length), *ids(3, after)))


KINDS: dict[str, tuple[dict[str, Any], float]] = {
    "prefill": ({}, 1e-4),
    "decode": ({}, 1e-4),
    "branch": ({}, 1e-4),
    "host": ({"cache_bytes": 1 << 20, "host_bytes": 16 << 20}, 1e-4),
    "disk": ({"disk_bytes": 32 << 20}, 1e-4),
    "int8": ({"cache_bytes": 1 << 20, "host_bytes": 16 << 20, "compression": "int8"}, 0.05),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("wrong", [False, True], ids=["right", "wrong"])
def test_prefill_53_and_54_cached_is_cold_and_a_wrong_state_is_not(
    open_engine: Opener, tmp_path: Path, kind: str, wrong: bool
) -> None:
    """Each kind of hit within its own bound; another chat's state in its place never is."""
    settings, bound = KINDS[kind]
    if kind == "disk":
        settings = {**settings, "cache_dir": tmp_path}
    engine = open_engine(interval=128, **settings)
    prompt = ids(1, 400)
    if kind == "decode":
        prompt = (*prompt, *answer(engine, prompt, 30).token_ids)
    elif kind == "branch":
        engine.logits((*prompt, *ids(8, 50)))
        engine.logits((*ids(1, 330), *ids(7, 50)))
        prompt = ids(1, 330)
    else:
        engine.logits(prompt)
    if kind in ("host", "int8"):
        for other in range(2, 9):
            engine.logits(ids(other, 400))
    elif kind == "disk":
        engine.close()
        engine = open_engine(interval=128, **settings)
    longer = (*prompt, *ids(5, 17))
    if wrong:
        # Bring it up first, then put something else in its place.
        engine.logits(longer)
        engine.on_core(_mix_up)
    cached = engine.logits((*longer, 9))
    cold = engine.logits((*longer, 9), reuse=False)
    assert cached.reused > 300
    off = off_by(cached.logits, cold.logits)
    if wrong:
        assert off > 2 * bound
    else:
        assert off <= bound


def _mix_up(core: Core) -> None:
    """Every state is another one's."""
    for node in core.cache.reader.checkpoints():
        held = core.cache.reader.holding(node).checkpoint
        assert held is not None
        for part in core.store.states.parts(held.slot)[:2]:
            part.copy_(part.flip(0))


def test_prefill_55_every_linear_layer_writes_its_state(open_engine: Opener) -> None:
    """SGLang, KDA: a layer that silently never wrote cost 0.75 of the accuracy."""
    engine = open_engine(interval=64)
    engine.logits(ids(1, 300))

    def check(core: Core) -> int:
        seen = 0
        for node in core.cache.reader.checkpoints():
            held = core.cache.reader.holding(node).checkpoint
            assert held is not None
            delta, conv, _ = core.store.states.parts(held.slot)
            assert all(layer.abs().max() > 0 for layer in delta)
            assert all(layer.abs().max() > 0 for layer in conv)
            seen += 1
        return seen

    assert engine.on_core(check) > 3
    assert len(positions(engine)) > 3


def test_prefill_57_int8_is_bounded_per_row_and_packing_twice_changes_nothing() -> None:
    """vLLM 55196, SGLang 28185: the error of a row is at most half a step of its own scale."""
    state = torch.randn(3, 4, 16, 16, generator=torch.Generator().manual_seed(57))
    packed, _ = pack({"delta": state}, "int8")
    back = unpack_part(packed, "delta", torch.float32)
    step = state.abs().amax(-1, keepdim=True) / 127
    assert ((back - state).abs() <= step * 0.501).all()
    again, error = pack({"delta": back}, "int8")
    assert torch.allclose(unpack_part(again, "delta", torch.float32), back, rtol=1e-6)
    assert error < 1e-6
