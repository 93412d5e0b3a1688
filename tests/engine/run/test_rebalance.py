"""The split of the budget follows the workload of an open engine without breaking anything."""

from __future__ import annotations

import pytest
import torch

from engine import Engine
from tests.engine.run.conftest import Opener, ids


def sizes(engine: Engine) -> tuple[int, int]:
    snapshot = engine.snapshot()
    return snapshot.kv.total, snapshot.state.total


@pytest.mark.parametrize("mode", ["fast", "exact"])
def test_many_chats_that_need_states_get_more_of_them(open_engine: Opener, mode: str) -> None:
    engine = open_engine(mode=mode, cache_bytes=4 << 20, state_share=0.2, interval=64)
    before = sizes(engine)
    chats = [ids(n, 300) for n in range(12)]
    for turn in range(6):
        for n, chat in enumerate(chats):
            chats[n] = (*chat, *ids(100 * turn + n, 5))
            engine.logits(chats[n])
            engine.check_invariants()
    after = sizes(engine)
    if mode == "fast":
        assert after[1] > before[1]
        assert after[0] < before[0]
    for chat in chats[-2:]:
        cached, cold = engine.logits(chat), engine.logits(chat, reuse=False)
        if mode == "exact":
            assert torch.equal(cached.logits, cold.logits)
        else:
            assert torch.allclose(cached.logits, cold.logits, atol=1e-3)


def test_a_prompt_that_no_longer_fits_regains_its_room(open_engine: Opener) -> None:
    engine = open_engine(cache_bytes=4 << 20, state_share=0.2, interval=64)
    longest = engine.model.context - 300
    chats = [ids(n, 300) for n in range(12)]
    for turn in range(6):
        for chat in chats:
            engine.logits((*chat, *ids(turn, 5 + turn)))
    assert sizes(engine)[0] < longest
    result = engine.logits(ids(77, longest))
    assert result.computed == longest
    engine.check_invariants()


def test_it_can_be_turned_off(open_engine: Opener) -> None:
    engine = open_engine(cache_bytes=4 << 20, state_share=0.2, interval=64, rebalance=False)
    before = sizes(engine)
    for turn in range(4):
        for n in range(12):
            engine.logits((*ids(n, 300), *ids(turn, 5 + turn)))
    assert sizes(engine) == before
