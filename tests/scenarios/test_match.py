"""Scenarios 3 to 11 on whole engines: what a match says is what a run may use, on every tier."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from engine import Engine, Reason
from engine.snapshot import CacheSnapshot
from tests.engine.run.conftest import Opener, ids, write_out
from tests.scenarios.steps import answer, off_by, positions, right


def test_match_03_a_strict_prefix_never_gets_the_longer_state(open_engine: Opener) -> None:
    """SGLang 22935, and the public fix that hands a split's upper half the state below it."""
    engine = open_engine(interval=1024)
    engine.logits(ids(1, 60))
    shorter = right(engine, ids(1, 45))
    assert (shorter.reused, shorter.replayed) == (0, 45)
    assert shorter.missing is not None
    assert shorter.missing.why is Reason.NO_CHECKPOINT
    # Now a node ends at 45 and another at 33, split off the longer ones.
    engine.logits((*ids(1, 33), *ids(2, 20)))
    for cut, reused in ((32, 0), (34, 33), (44, 34), (46, 45)):
        assert right(engine, (*ids(1, cut), *ids(100 + cut, 9))).reused == reused


def test_match_04_and_05_one_token_runs_unless_the_state_has_its_hidden_row(
    open_engine: Opener,
) -> None:
    """SGLang 22935, 29633: a full-length hit gives logits, from a row or a token that ran."""
    engine = open_engine(interval=64)
    engine.logits(ids(1, 300))
    for length in (64, 65, 128, 255, 256, 257, 299, 300):
        result = engine.logits(ids(1, length))
        cold = engine.logits(ids(1, length), reuse=False)
        assert off_by(result.logits, cold.logits) < 1e-4
        assert result.reused + result.replayed + result.computed == length
        again = engine.logits(ids(1, length))
        assert (again.reused, again.replayed, again.computed) == (length, 0, 0)
        assert torch.equal(again.logits, result.logits)


@pytest.mark.parametrize("mode", ["fast", "exact"])
def test_match_06_08_and_10_no_match_promises_what_no_run_could_have_left(
    open_engine: Opener, tmp_path: Path, mode: str
) -> None:
    """SGLang 38597, exl3: KV ends with the tokens, states at their positions, on three tiers.

    Random prompts that share stretches, against the plainest model: the longest beginning that any
    earlier sequence had. Both planes are crowded, so much of it comes back from host and disk.
    """
    engine = open_engine(
        mode=mode,
        interval=64,
        cache_bytes=1 << 20,
        host_bytes=2 << 20,
        cache_dir=tmp_path,
        disk_bytes=32 << 20,
    )
    rng = np.random.default_rng(6)
    seen: list[tuple[int, ...]] = []
    tiers = set()
    for _ in range(50):
        prompt = ids(int(rng.integers(4)), int(rng.integers(100, 330)))
        if rng.random() < 0.6:
            prompt = (*prompt, *ids(int(rng.integers(10, 16)), int(rng.integers(1, 60))))
        plan = engine.probe(prompt)
        shared = max((common(prompt, other) for other in seen), default=0)
        assert plan.reused + plan.replayed <= shared
        assert plan.reused + plan.replayed + plan.computed == plan.total == len(prompt)
        cached, cold = engine.logits(prompt), engine.logits(prompt, reuse=False)
        assert cached.reused >= plan.reused, "a probe promises no more than the run has"
        assert off_by(cached.logits, cold.logits) <= (0 if mode == "exact" else 1e-4)
        assert (cached.plan.reason is Reason.NONE) == (cached.reused == len(prompt))
        tiers.add("" if cached.plan.state is None else cached.plan.state.tier)
        seen.append(prompt)
        engine.on_core(lambda core: core.store.tiers.save(1))
    assert {"device", "host"} <= tiers
    engine.check_invariants()


def test_match_09_a_probe_changes_nothing_on_any_tier(open_engine: Opener, tmp_path: Path) -> None:
    """The panel may ask as often as it likes: no clock, lock, counter, node, file or copy moves."""
    settled = {"interval": 64, "cache_bytes": 1 << 20, "host_bytes": 16 << 20}
    engine = open_engine(**settled, cache_dir=tmp_path, disk_bytes=32 << 20)
    for chat in range(1, 9):
        engine.logits(ids(chat, 400))
    engine.on_core(lambda core: core.store.tiers.save())
    engine.on_core(write_out)
    # What went until now is told once; from now on nothing goes.
    engine.snapshot()
    before = seen_of(engine)
    for chat in range(1, 10):
        for prompt in (ids(chat, 400), ids(chat, 250), (*ids(chat, 310), *ids(20, 30))):
            engine.probe(prompt)
    assert seen_of(engine) == before


def test_match_11_a_prompt_that_ends_at_its_state_replays_nothing(open_engine: Opener) -> None:
    """pymllm: 75 known tokens gave a branch at 64, 63 none. Here it is at 75 and at 63."""
    for known in (63, 75):
        engine = open_engine(interval=1024)
        answer(engine, (*ids(1, known), *ids(2, 40)), 3)
        second = right(engine, (*ids(1, known), *ids(3, 40)))
        assert (second.reused, second.replayed) == (known // 64 * 64, known % 64)
        assert known in positions(engine, "branch")
        third = right(engine, (*ids(1, known), *ids(4, 40)))
        assert (third.reused, third.replayed) == (known, 0)
        assert positions(engine).count(known) == 1


def common(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    """How many leading tokens are the same."""
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def seen_of(engine: Engine) -> tuple[object, ...]:
    """Everything that a snapshot shows but the moment it was made at."""
    snapshot: CacheSnapshot = engine.snapshot()
    return tuple(
        getattr(snapshot, name)
        for name in CacheSnapshot.__struct_fields__
        if name not in ("time", "live")
    )
