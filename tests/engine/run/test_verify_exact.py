"""Bit-exact audits in exact mode, and audits that have to yield."""

from __future__ import annotations

import time
from collections import deque
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import pytest
import torch

from engine import EngineConfig, Reason, events
from engine.cache.node import Checkpoint
from engine.commands import PLAIN, AuditInBackground, Submit
from engine.config import Sampling
from engine.loop import RunLoop
from engine.run import verify
from engine.run.core import Core
from engine.run.sequence import LiveSequence
from engine.run.verify import LONGEST_PASS_TOKENS, cuts_of
from tests.engine.run.conftest import CACHE_BYTES, Opener, ids

CHAT = ids(1, 700)
LONGER = (*CHAT, *ids(2, 20))


def held_at(core: Core, position: int) -> tuple[int, Checkpoint]:
    for node in core.cache.reader.checkpoints():
        held = core.cache.reader.holding(node)
        if len(held.tokens) == position and held.checkpoint is not None:
            return node, held.checkpoint
    raise AssertionError(f"no checkpoint at {position}")


def nudge(core: Core, position: int) -> int:
    """Flip one bit of the state at `position`, the smallest possible change; returns its node."""
    node, held = held_at(core, position)
    state = core.store.states.delta[held.slot]
    core.store.states.delta[held.slot] = torch.nextafter(state, torch.full_like(state, 9.0))
    return node


class TestToTheBit:
    @pytest.mark.parametrize("interval", [64, 256, 1024])
    def test_the_cuts_are_recovered_from_the_kv(self, open_engine: Opener, interval: int) -> None:
        engine = open_engine(mode="exact", interval=interval)
        engine.logits(LONGER)
        engine.logits((*LONGER, *ids(3, 300)))

        def recovered(core: Core) -> list[bool]:
            held = [core.cache.reader.holding(node) for node in core.cache.reader.checkpoints()]
            return [
                cuts_of(h) is not None for h in held if h.checkpoint and h.checkpoint.state.exact
            ]

        assert any(engine.on_core(recovered))
        for node in engine.snapshot().nodes:
            verdict = engine.verify(node.id) if node.checkpoint is not None else None
            assert verdict is None or verdict.status == "verified", verdict

    def test_one_bit_is_noticed_and_not_used_in_exact_mode_again(self, open_engine: Opener) -> None:
        engine = open_engine(mode="exact", interval=256)
        engine.logits(CHAT)
        cold = engine.logits(LONGER, reuse=False)
        at = engine.probe(LONGER).reused
        assert at >= 512
        verdict = engine.verify(engine.on_core(lambda core: nudge(core, at)))
        assert verdict is not None
        assert verdict.status == "drifted"
        assert 0 < verdict.largest < 1e-3
        found = engine.logits(LONGER)
        assert found.reused < at
        assert found.plan.missing is not None
        assert found.plan.missing.why is Reason.NOT_EXACT
        assert torch.equal(found.logits, cold.logits)

    def test_fast_mode_attributes_one_bit_to_rounding(self, open_engine: Opener) -> None:
        engine = open_engine(interval=256)
        engine.logits(CHAT)
        verdict = engine.verify(engine.on_core(lambda core: nudge(core, 512)))
        assert verdict is not None
        assert verdict.status == "verified"

    def test_kv_written_under_other_cuts_yields_no_cuts(self, open_engine: Opener) -> None:
        engine = open_engine(mode="exact", interval=256)
        engine.logits(CHAT)

        def with_other_tags(core: Core) -> bool:
            node, _ = held_at(core, 512)
            held = core.cache.reader.holding(node)
            assert cuts_of(held) is not None
            held.tags[300:512] += 2
            return cuts_of(held) is None

        assert engine.on_core(with_other_tags)


class TestGivingWay:
    def lengths(self, monkeypatch: pytest.MonkeyPatch) -> list[int]:
        """Records how many tokens each pass of a private sequence runs."""
        seen: list[int] = []
        forward = LiveSequence.forward

        def noted(self: LiveSequence, end: int, *rest: Any) -> torch.Tensor:
            seen.append(end - self.position)
            return forward(self, end, *rest)

        monkeypatch.setattr(LiveSequence, "forward", noted)
        return seen

    @pytest.mark.parametrize("mode", ["fast", "exact"])
    @pytest.mark.parametrize("interval", [256, 1024])
    def test_no_segment_is_long(
        self, open_engine: Opener, monkeypatch: pytest.MonkeyPatch, mode: str, interval: int
    ) -> None:
        engine = open_engine(mode=mode, interval=interval)
        prompt = ids(1, 1500)
        engine.logits(prompt)
        engine.logits((*prompt, 7))
        seen = self.lengths(monkeypatch)
        done = engine.on_core(lambda core: core.audit(lambda: False))
        assert done is not None
        assert done[1] is not None
        assert done[1].status == "verified"
        assert max(seen) <= LONGEST_PASS_TOKENS

    @pytest.mark.parametrize("after", [0, 1, 2])
    def test_it_stops_between_two_segments_and_stamps_nothing(
        self, open_engine: Opener, monkeypatch: pytest.MonkeyPatch, after: int
    ) -> None:
        engine = open_engine()
        engine.logits(CHAT)
        engine.logits(LONGER)
        seen = self.lengths(monkeypatch)
        asked: list[int] = []

        def wanted() -> bool:
            asked.append(1)
            return len(asked) > after

        done = engine.on_core(lambda core: core.audit(wanted))
        assert done is not None
        assert done[1] is None
        # The resumed token and `after` segments of the cold run.
        assert len(seen) == 1 + after
        assert engine.on_core(lambda core: core.audit(lambda: False)) is not None
        engine.check_invariants()

    def test_a_request_goes_before_an_audit(
        self, tiny_folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The request is posted from within the audit's cold run; it must be answered first."""
        monkeypatch.setattr("engine.run.idle_audits.AUDIT_AFTER_S", 0.02)
        loop = started(tiny_folder, background_audit=True)
        ask(loop, 1, CHAT)
        plain = verify.plain_cuts
        posted: list[Submit] = []

        def interrupted(end: int) -> verify.Cuts:
            if not posted:
                posted.append(Submit(3, ids(8, 40), Sampling(temperature=0, max_tokens=2)))
                loop.post(posted[0])
            return plain(end)

        monkeypatch.setattr(verify, "plain_cuts", interrupted)
        ask(loop, 2, LONGER)
        first = wait(loop, (events.NodeVerified, events.RequestFinished))
        assert isinstance(first, events.RequestFinished)
        assert first.request == 3
        assert isinstance(wait(loop, (events.NodeVerified,)), events.NodeVerified)
        assert loop.close()


def test_an_idle_audit_finds_a_wrong_state_and_the_answer_is_right_again(
    tiny_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.run.idle_audits.AUDIT_AFTER_S", 0.02)
    loop = started(tiny_folder)
    ask(loop, 1, CHAT)
    loop.call(lambda core: core.store.spoil_states()).result()
    ask(loop, 2, LONGER)
    loop.post(AuditInBackground(True))
    done = wait(loop, (events.NodeVerified,))
    assert isinstance(done, events.NodeVerified)
    assert done.verdict is not None
    assert done.verdict.status == "quarantined"
    loop.post(AuditInBackground(False))
    cold = loop.call(lambda core: core.logits(LONGER, False, PLAIN)).result()
    again = loop.call(lambda core: core.logits(LONGER, True, PLAIN)).result()
    assert torch.allclose(again.logits, cold.logits, atol=1e-4)
    snapshot = loop.call(lambda core: core.snapshot()).result()
    # The one that was used, and the equally wrong one before it.
    assert snapshot.quarantined == 2
    loop.call(lambda core: core.check_invariants()).result()
    assert loop.close()


def started(folder: Path, **settings: Any) -> RunLoop:
    config = EngineConfig(**{"cache_bytes": CACHE_BYTES, "threads": 1, **settings})
    loop = RunLoop(folder, config)
    loop.start()
    return loop


# What loops have told and nobody has waited for.
UNREAD: WeakKeyDictionary[RunLoop, deque[events.Event]] = WeakKeyDictionary()


def ask(loop: RunLoop, request: int, prompt: tuple[int, ...]) -> None:
    loop.post(Submit(request, prompt, Sampling(temperature=0, max_tokens=2)))
    wait(loop, (events.RequestFinished,))


def wait(loop: RunLoop, kinds: tuple[type, ...], seconds: float = 60.0) -> events.Event:
    """The next event of these kinds; other events are kept for later."""
    deadline = time.perf_counter() + seconds
    while time.perf_counter() < deadline:
        unread = UNREAD.setdefault(loop, deque())
        unread += loop.drain()
        while unread:
            event = unread.popleft()
            if isinstance(event, kinds):
                return event
        time.sleep(0.01)
    raise AssertionError(f"none of {kinds} came")


def test_nothing_derived_from_a_state_that_lost_a_bit_is_exact(open_engine: Opener) -> None:
    """A run resumed from it before it was audited, and stored states of its own."""
    engine = open_engine(mode="exact", interval=256)
    engine.logits(CHAT)
    deeper = (*LONGER, *ids(3, 300))
    at = engine.probe(deeper).reused
    node = engine.on_core(lambda core: nudge(core, at))
    assert engine.logits(deeper).reused == at
    further = (*deeper, 7, 8, 9)
    cold = engine.logits(further, reuse=False)
    wrong = engine.on_core(lambda core: core.store.probe(core.prepare(further, PLAIN)).resume)
    assert wrong > at
    verdict = engine.verify(node)
    assert verdict is not None
    assert verdict.status == "drifted"
    found = engine.logits(further)
    assert found.reused < at
    assert torch.equal(found.logits, cold.logits)
    engine.check_invariants()


@pytest.mark.parametrize("mode", ["fast", "exact"])
def test_a_view_promises_bits_only_if_they_hold(open_engine: Opener, mode: str) -> None:
    engine = open_engine(mode=mode, interval=256)
    list(engine.generate(CHAT, Sampling(temperature=0, max_tokens=8, ignore_end=True)))
    points = [n.checkpoint for n in engine.snapshot().nodes if n.checkpoint is not None]
    promised = {p.state.position for p in points if p.state.exact}
    assert promised == ({256, 512, 640, 700} if mode == "exact" else set())
    assert {p.state.provenance for p in points} == {"prefill", "decode"}
    at = max(promised, default=0)
    node = next((n.id for n in engine.snapshot().nodes if n.end == at and n.checkpoint), None)
    if node is not None:
        engine.verify(engine.on_core(lambda core: nudge(core, at)))
        view = next(n for n in engine.snapshot().nodes if n.id == node)
        assert view.checkpoint is not None
        assert not view.checkpoint.state.exact
