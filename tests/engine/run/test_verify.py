"""Verified hits: a right state is stamped, a wrong one is never used again."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
import torch

from engine import BiplaneError, Engine, EngineConfig, Reason, events
from engine.commands import AuditInBackground, Submit, VerifyNode
from engine.config import Sampling
from engine.loop import RunLoop
from engine.run.core import Core
from engine.verdict import Verdict
from tests.engine.run.conftest import CACHE_BYTES, Opener, ids, write_out
from tests.engine.run.test_disk_tier import files
from tests.engine.run.test_requests import wait

CHAT = ids(1, 300)
LONGER = (*CHAT, *ids(2, 20))


def deepest(engine: Engine) -> int:
    """The node of the deepest checkpoint."""
    held = [node for node in engine.snapshot().nodes if node.checkpoint is not None]
    return max(held, key=lambda node: node.end).id


def verdict_of(engine: Engine, node: int) -> str:
    view = next(shown for shown in engine.snapshot().nodes if shown.id == node)
    assert view.checkpoint is not None
    return "" if view.checkpoint.state.verdict is None else view.checkpoint.state.verdict.status


@pytest.mark.parametrize("mode", ["fast", "exact"])
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_every_right_checkpoint_is_verified(open_engine: Opener, mode: str, dtype: str) -> None:
    engine = open_engine(mode=mode, dtype=dtype, interval=64, decode_interval=8)
    list(engine.generate(CHAT, Sampling(temperature=0, max_tokens=30, ignore_end=True)))
    nodes = [node for node in engine.snapshot().nodes if node.checkpoint is not None]
    assert len({node.checkpoint.state.provenance for node in nodes if node.checkpoint}) > 1
    for node in nodes:
        verdict = engine.verify(node.id)
        assert verdict is not None
        assert verdict.status == "verified", verdict
        assert verdict_of(engine, node.id) == "verified"
    engine.check_invariants()


def test_a_wrong_state_is_quarantined_and_the_answer_is_right_again(open_engine: Opener) -> None:
    engine = open_engine(interval=64)
    engine.logits(CHAT)
    engine.on_core(lambda core: core.store.spoil_states())
    cold = engine.logits(LONGER, reuse=False)
    assert not torch.allclose(engine.logits(LONGER).logits, cold.logits, atol=1e-2)
    engine.on_core(lambda core: core.store.spoil_states())
    first = min((n for n in engine.snapshot().nodes if n.checkpoint), key=lambda n: n.end)
    verdict = engine.verify(first.id)
    assert verdict is not None
    assert verdict.status == "quarantined", verdict
    again = engine.logits(LONGER)
    assert again.reused == 0
    assert torch.allclose(again.logits, cold.logits, atol=1e-4)
    assert engine.snapshot().quarantined > 0
    engine.check_invariants()


def test_kv_computed_from_a_wrong_state_is_recomputed(open_engine: Opener) -> None:
    """A run that resumed from a wrong state wrote wrong KV, which must not be read any more."""
    engine = open_engine(interval=512)
    engine.logits(CHAT)
    spoiled = engine.on_core(_spoil_and_keep)
    engine.logits(LONGER)
    engine.on_core(lambda core: _put_back(core, spoiled))
    verdict = engine.verify(deepest(engine))
    assert verdict is not None
    assert verdict.status == "quarantined"
    further = (*LONGER, *ids(5, 12))
    again, cold = engine.logits(further), engine.logits(further, reuse=False)
    assert again.reused == 300
    assert torch.allclose(again.logits, cold.logits, atol=1e-4)
    # Now the KV is right and is reused as usual.
    last = (*further, *ids(6, 9))
    again, cold = engine.logits(last), engine.logits(last, reuse=False)
    assert again.reused == len(further)
    assert torch.allclose(again.logits, cold.logits, atol=1e-4)
    engine.check_invariants()


def _spoil_and_keep(core: Core) -> list[tuple[torch.Tensor, ...]]:
    """Corrupt every stored state; returns the right ones, by slot."""
    states = core.store.states
    kept = [tuple(part.clone() for part in states.parts(slot)) for slot in range(states.slots)]
    core.store.spoil_states()
    return kept


def _put_back(core: Core, kept: list[tuple[torch.Tensor, ...]]) -> None:
    """Restore the states that existed before; those stored since stay as they are."""
    for node in core.cache.reader.checkpoints():
        held = core.cache.reader.holding(node)
        if held.checkpoint is not None and len(held.tokens) <= len(CHAT):
            slot = held.checkpoint.slot
            for part, right in zip(core.store.states.parts(slot), kept[slot], strict=True):
                part.copy_(right)


def test_a_fresh_state_replaces_a_quarantined_one(open_engine: Opener) -> None:
    engine = open_engine(interval=64)
    engine.logits(CHAT)
    engine.on_core(lambda core: core.store.spoil_states())
    node = deepest(engine)
    engine.verify(node)
    plan = engine.probe(LONGER)
    assert plan.missing is not None
    assert plan.missing.why is Reason.QUARANTINED
    engine.drop_cache()
    engine.logits(CHAT)
    assert engine.logits(LONGER).reused == 300


def test_a_wrong_state_is_not_used_on_any_tier(open_engine: Opener, tmp_path: Path) -> None:
    engine = open_engine(cache_dir=tmp_path, disk_bytes=64 << 20, host_bytes=8 << 20)
    engine.logits(CHAT)
    engine.on_core(lambda core: core.store.tiers.save())
    engine.on_core(write_out)
    before = len(files(tmp_path))
    node = deepest(engine)
    engine.on_core(lambda core: core.store.spoil_states())
    engine.verify(node)
    assert len(files(tmp_path)) < before
    engine.on_core(lambda core: core.cache.drop_all())
    assert engine.logits(LONGER).reused < 300


def test_a_slightly_wrong_state_is_noticed(open_engine: Opener) -> None:
    engine = open_engine(dtype="float32")
    engine.logits(CHAT)

    def nudge(core: Core) -> None:
        for node in core.cache.reader.checkpoints():
            held = core.cache.reader.holding(node).checkpoint
            assert held is not None
            core.store.states.delta[held.slot].mul_(1.02)

    engine.on_core(nudge)
    verdict = engine.verify(deepest(engine))
    assert verdict is not None
    assert verdict.status in ("drifted", "quarantined")
    assert verdict.largest > 1e-3


def test_a_missing_node_is_reported(open_engine: Opener) -> None:
    engine = open_engine()
    with pytest.raises(BiplaneError, match="no longer in memory"):
        engine.verify(12345)


class TestInTheBackground:
    def loop(self, folder: Path, **settings: Any) -> RunLoop:
        config = EngineConfig(**{"cache_bytes": CACHE_BYTES, "threads": 1, **settings})
        loop = RunLoop(folder, config)
        loop.start()
        return loop

    def wait(self, loop: RunLoop, kind: type, seconds: float = 60.0) -> events.Event:
        deadline = time.perf_counter() + seconds
        while time.perf_counter() < deadline:
            for event in loop.drain():
                if isinstance(event, kind):
                    return event
            time.sleep(0.01)
        raise AssertionError(f"no {kind.__name__} came")

    def ask(self, loop: RunLoop, request: int, prompt: tuple[int, ...]) -> None:
        loop.post(Submit(request, prompt, Sampling(temperature=0, max_tokens=2)))
        self.wait(loop, events.RequestFinished)

    def test_an_idle_engine_verifies_what_was_resumed_from(
        self, tiny_folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("engine.run.idle_audits.AUDIT_AFTER_S", 0.05)
        loop = self.loop(tiny_folder, background_audit=True)
        self.ask(loop, 1, CHAT)
        self.ask(loop, 2, LONGER)
        done = self.wait(loop, events.NodeVerified)
        assert isinstance(done, events.NodeVerified)
        assert done.verdict is not None
        assert done.verdict.status == "verified"
        assert loop.close()

    def test_a_planted_wrong_state_is_quarantined_and_reported(
        self, tiny_folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("engine.run.idle_audits.AUDIT_AFTER_S", 0.05)
        loop = self.loop(tiny_folder)
        self.ask(loop, 1, CHAT)
        loop.call(lambda core: core.store.spoil_states()).result()
        self.ask(loop, 2, LONGER)
        loop.post(AuditInBackground(True))
        notice = self.wait(loop, events.Notice)
        assert isinstance(notice, events.Notice)
        assert "wrong answer" in notice.sentence
        assert loop.close()

    def test_it_is_off_unless_allowed(
        self, tiny_folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("engine.run.idle_audits.AUDIT_AFTER_S", 0.0)
        loop = self.loop(tiny_folder)
        self.ask(loop, 1, CHAT)
        self.ask(loop, 2, LONGER)
        time.sleep(0.3)
        assert not [e for e in loop.drain() if isinstance(e, events.NodeVerified)]
        assert loop.close()

    def test_on_demand(self, tiny_folder: Path) -> None:
        loop = self.loop(tiny_folder)
        self.ask(loop, 1, CHAT)
        node = loop.call(lambda core: core.cache.reader.checkpoints()[0]).result()
        loop.post(VerifyNode(node))
        done = self.wait(loop, events.NodeVerified)
        assert isinstance(done, events.NodeVerified)
        assert done.node == node
        loop.post(VerifyNode(99999))
        said = self.wait(loop, events.VerifyStopped)
        assert isinstance(said, events.VerifyStopped)
        assert (said.node, "no longer in memory" in said.sentence) == (99999, True)
        assert loop.close()


def test_a_cache_dropped_meanwhile_leaves_nothing_to_stamp(open_engine: Opener) -> None:
    engine = open_engine(interval=64)
    engine.logits(CHAT)
    node = deepest(engine)

    def verify(core: Core) -> Verdict | None:
        def drop() -> bool:
            core.drop_cache()
            return False

        return core.verify(node, drop)

    dropped = engine.on_core(verify)
    assert dropped is None
    engine.check_invariants()
    assert engine.logits(CHAT).reused == 0


def test_a_long_requested_audit_yields_to_a_request(tiny_folder: Path) -> None:
    long = ids(1, 6000)
    loop = RunLoop(tiny_folder, EngineConfig(cache_bytes=CACHE_BYTES, threads=1))
    loop.start()
    loop.post(Submit(1, long, Sampling.greedy(1)))
    received = wait(loop, events.RequestFinished)
    node = loop.call(lambda core: core.cache.reader.nodes()[-1].id).result()
    loop.post(VerifyNode(node))
    # Answered between two passes of the audit, which has begun then.
    loop.call(lambda core: None, anytime=True).result()
    loop.post(Submit(2, ids(3, 20), Sampling.greedy(1)))
    received = wait(loop, events.RequestFinished)
    assert not any(isinstance(event, events.NodeVerified) for event in received)
    assert any("starts over" in e.sentence for e in received if isinstance(e, events.Notice))
    assert isinstance(wait(loop, events.NodeVerified)[-1], events.NodeVerified)
    assert loop.close(60)
