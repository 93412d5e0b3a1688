"""A wrong state on a running engine with files: nothing that may derive from it is read again."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
import torch

from engine import Engine
from engine.cache.eviction.cause import Cause
from engine.run.core import Core
from tests.engine.cache.conftest import parts_of
from tests.engine.journal.overlay import disk_layer
from tests.engine.run.conftest import Opener, disk_of, ids
from tests.present import present

CHAT = ids(1, 300)
SETTINGS = {"interval": 64, "disk_bytes": 64 << 20}


def node_of(engine: Engine, position: int) -> int:
    nodes = engine.on_core(lambda core: core.cache.reader.nodes())
    return next(node.id for node in nodes if node.checkpoint and node.end == position)


def positions_on_disk(engine: Engine) -> list[int]:
    layer = engine.on_core(lambda core: list(disk_layer(disk_of(core).told())))
    return sorted(present(node.checkpoint).state.position for node in layer)


def spoil_below(core: Core, least: int) -> None:
    """The effect of a wrong state: everything from a position on is wrong."""
    for node in core.cache.reader.checkpoints():
        held = core.cache.reader.holding(node)
        if len(held.tokens) >= least and held.checkpoint is not None:
            core.store.states.zero(held.checkpoint.slot)


def lose(core: Core, node: int) -> None:
    parts_of(core.cache).evictor.drop_checkpoint(
        parts_of(core.cache).tree.node(node), Cause.STATE_PRESSURE
    )


@pytest.mark.parametrize("mode", ["fast", "exact"])
@pytest.mark.parametrize("host_bytes", [0, 8 << 20], ids=["disk", "host and disk"])
def test_the_deeper_copies_of_a_wrong_chat_are_not_used(
    open_engine: Opener, tmp_path: Path, mode: str, host_bytes: int
) -> None:
    engine = open_engine(mode=mode, cache_dir=tmp_path, host_bytes=host_bytes, **SETTINGS)
    engine.logits(CHAT[:290])
    engine.on_core(lambda core: spoil_below(core, 128))
    first = engine.on_core(lambda core: core.cache.reader.checkpoints())
    wrong = min(
        (n for n in engine.snapshot().nodes if n.checkpoint and n.end >= 128 and n.id in first),
        key=lambda n: n.end,
    )
    longer = (*CHAT[:290], *ids(2, 40))
    engine.logits(longer)
    engine.on_core(lambda core: core.tiers.save())
    verdict = engine.verify(wrong.id)
    assert verdict is not None
    assert verdict.status == "quarantined"
    assert max(positions_on_disk(engine), default=0) < wrong.end
    for prompt in (longer, (*longer, *ids(3, 9)), CHAT):
        again, cold = engine.logits(prompt), engine.logits(prompt, reuse=False)
        assert torch.allclose(again.logits, cold.logits, atol=1e-3)


def test_possible_ancestors_that_only_the_disk_has_are_removed_too(
    open_engine: Opener, tmp_path: Path
) -> None:
    engine = open_engine(cache_dir=tmp_path, **SETTINGS)
    engine.logits(CHAT)
    assert engine.on_core(lambda core: core.tiers.save()) >= 0
    assert positions_on_disk(engine) == [64, 128, 192, 256, 300]
    engine.on_core(lambda core: spoil_below(core, 300))
    for position in (128, 192):
        node = node_of(engine, position)
        engine.on_core(partial(lose, node=node))
    assert engine.verify(node_of(engine, 256)) is not None
    verdict = engine.verify(node_of(engine, 300))
    assert verdict is not None
    assert verdict.status == "quarantined"
    assert positions_on_disk(engine) == [64, 128, 192, 256], "256 was found right"
    engine.on_core(lambda core: spoil_below(core, 256))
    node = node_of(engine, 256)
    verdict = engine.verify(node)
    assert verdict is not None
    assert verdict.status == "quarantined"
    # 64 is on the device and passes the audit; 128 and 192 cannot be audited.
    assert positions_on_disk(engine) == [64]
