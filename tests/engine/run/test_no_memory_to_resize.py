"""Out of memory when the split of the budget moves: the cache stays correct."""

from __future__ import annotations

import pytest
import torch

from engine.planes import KVPlane, StatePlane
from engine.run.core import Core
from tests.engine.run.conftest import Opener, ids

CHATS = [ids(n, 300) for n in range(12)]
ALLOCATES = {KVPlane: "_empty", StatePlane: "_append"}
SPLITS = {"state grows": (0.6, 1.5), "kv grows": (1.4, 0.5)}


@pytest.mark.parametrize("broken", ALLOCATES, ids=["kv", "state"])
@pytest.mark.parametrize("split", SPLITS)
def test_pools_hold_no_more_than_the_planes(
    open_engine: Opener, monkeypatch: pytest.MonkeyPatch, broken: type, split: str
) -> None:
    engine = open_engine(cache_bytes=4 << 20, state_share=0.2, interval=64)
    for chat in CHATS:
        engine.logits(chat)

    def no_memory(*args: object) -> None:
        raise RuntimeError("DefaultCPUAllocator: can't allocate memory")

    def resize(core: Core) -> None:
        sizes = [
            int(old * part)
            for old, part in zip(core.cache.reader.sizes, SPLITS[split], strict=True)
        ]
        with monkeypatch.context() as patch:
            patch.setattr(broken, ALLOCATES[broken], no_memory)
            core.store._apply(core.cache.resize(*sizes))
        assert core.cache.reader.sizes[0] <= core.store.kv.slots
        assert core.cache.reader.sizes[1] <= core.store.states.slots - 1

    engine.on_core(resize)
    engine.check_invariants()
    for chat in CHATS:
        for _ in range(2):
            cached = engine.logits((*chat, 7, 8))
            cold = engine.logits((*chat, 7, 8), reuse=False)
            assert torch.allclose(cached.logits, cold.logits, atol=1e-3)
