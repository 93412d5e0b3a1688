"""Scenario 54 for all others: with a wrong state planted, every comparison with a cold run fails.

A scenario that compares cached with cold proves nothing unless it would notice. Each is run again
here while something is resumed wrongly, and has to fail at its comparison.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
import torch

from engine import Engine
from engine.cache.extents import Extents
from engine.cache.tiers.lower import OnDisk
from engine.planes import LIVE_SLOT, StatePlane
from engine.storage import mover
from engine.storage.disk_tier import DiskTier
from engine.storage.host_planes import unpack_state
from tests.engine.run.conftest import Opener, ids
from tests.scenarios import (
    test_fork_and_cancel,
    test_prefill_and_numbers,
    test_reports,
    test_tiers,
    test_whole_chats,
)
from tests.scenarios.steps import right

Plant = Callable[[pytest.MonkeyPatch], None]


def turn_round(*parts: torch.Tensor) -> None:
    """Every layer's state becomes another layer's: numbers as likely as the right ones."""
    for part in parts:
        part.copy_(part.flip(0))


def resumed(*wrong: int) -> Plant:
    """Whatever is copied into the live slot arrives with some of its parts wrong."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        whole = StatePlane.copy

        def copy(self: StatePlane, source: int, target: int) -> None:
            whole(self, source, target)
            if target == LIVE_SLOT:
                turn_round(*(self.parts(target)[part] for part in wrong))

        patch.setattr(StatePlane, "copy", copy)

    return plant


def one_layer_never_written(patch: pytest.MonkeyPatch) -> None:
    """The state of one linear layer is zero wherever a run resumes."""
    whole = StatePlane.copy

    def copy(self: StatePlane, source: int, target: int) -> None:
        whole(self, source, target)
        if target == LIVE_SLOT:
            self.delta[target][0].zero_()

    patch.setattr(StatePlane, "copy", copy)


def from_host(patch: pytest.MonkeyPatch) -> None:
    """A state that comes up from host is wrong."""

    def unpack(packed: dict[str, torch.Tensor], states: StatePlane, slot: int) -> None:
        unpack_state(packed, states, slot)
        turn_round(*states.parts(slot))

    patch.setattr(mover, "unpack_state", unpack)


def kv_from_host(patch: pytest.MonkeyPatch) -> None:
    """Keys that come up from host land one slot beside their values."""
    whole = mover.TierMover.kv_to_device

    def beside(self: mover.TierMover, host: Extents, device: Extents) -> None:
        whole(self, host, device)
        for first, length in device:
            for keys in self._kv.k:
                stretch = keys[:, first : first + length]
                stretch.copy_(stretch.roll(1, dims=1))

    patch.setattr(mover.TierMover, "kv_to_device", beside)


def from_disk(patch: pytest.MonkeyPatch) -> None:
    """A state that comes up from disk is wrong, though its file is whole."""
    whole = DiskTier.restore

    def restore(self: DiskTier, found: OnDisk, start: int, extents: Extents, slot: int) -> bool:
        done = whole(self, found, start, extents, slot)
        turn_round(*self._states.parts(slot))
        return done

    patch.setattr(DiskTier, "restore", restore)


STATE, HIDDEN = resumed(0, 1), resumed(2)

SCENARIOS = (
    (test_reports, "test_report_llama_cpp_18497_", STATE),
    (test_reports, "test_report_llama_cpp_19394_", STATE),
    (test_reports, "test_report_llama_cpp_19794_", STATE),
    (test_reports, "test_report_llama_cpp_21099_", STATE),
    (test_reports, "test_report_llama_cpp_21762_", STATE),
    (test_reports, "test_report_llama_cpp_25913_", from_disk),
    (test_reports, "test_report_mlx_lm_980_", STATE),
    (test_reports, "test_report_sglang_22935_", HIDDEN),
    (test_reports, "test_report_sglang_36935_", STATE),
    (test_reports, "test_report_sglang_39830_", from_host),
    (test_reports, "test_report_vllm_45238_", STATE),
    (test_reports, "test_report_freetoken_287_", STATE),
    (test_prefill_and_numbers, "test_prefill_51_", STATE),
    (test_fork_and_cancel, "test_cancel_42_", STATE),
    (test_fork_and_cancel, "test_branch_45_", STATE),
    (test_fork_and_cancel, "test_cancel_41_and_53_", STATE),
    (test_tiers, "test_tier_64_", from_host),
    (test_tiers, "test_tier_67_", from_disk),
    (test_tiers, "test_tier_68_", from_disk),
    (test_whole_chats, "test_branch_43_", STATE),
    (test_whole_chats, "test_branch_44_", STATE),
    (test_whole_chats, "test_branch_46_", STATE),
    (test_whole_chats, "test_template_58_", STATE),
)


def notices(scenario: Callable[..., None], **fixtures: object) -> None:
    """Demand that a scenario fails, and where it compares, not by accident."""
    with pytest.raises(AssertionError) as failure:
        scenario(**fixtures)
    failed = str(failure.traceback[-1].statement)
    assert "logits" in failed or "off_by" in failed or "token_ids" in failed, failed


def named(module: ModuleType, prefix: str) -> Callable[..., None]:
    """The one scenario of a module whose name begins so."""
    (found,) = [name for name in vars(module) if name.startswith(prefix)]
    scenario: Callable[..., None] = getattr(module, found)
    return scenario


@pytest.mark.parametrize(
    ("module", "prefix", "plant"), SCENARIOS, ids=[prefix for _, prefix, _ in SCENARIOS]
)
def test_prefill_54_a_scenario_notices_a_wrong_state(
    module: ModuleType,
    prefix: str,
    plant: Plant,
    open_engine: Opener,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """FlashRT's ablation, SGLang's KDA: what compares with a cold run fails on a wrong state."""
    scenario = named(module, prefix)
    settings = {"open_engine": open_engine, "tmp_path": tmp_path, "mode": "fast"}
    settings |= {"length": 64, "shared": 333}
    wanted = scenario.__code__.co_varnames[: scenario.__code__.co_argcount]
    plant(monkeypatch)
    notices(scenario, **{name: settings[name] for name in wanted})


@pytest.mark.parametrize("thinking", [True, False], ids=["thinking", "no-think"])
def test_prefill_54_an_edited_chat_notices_a_wrong_state(
    bundled: Engine, thinking: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bundled model's bound is that of bfloat16, and still far below what is wrong."""
    STATE(monkeypatch)
    notices(named(test_whole_chats, "test_branch_40_"), bundled=bundled, thinking=thinking)


@pytest.mark.parametrize("report", [20153, 20225])
def test_prefill_54_a_report_on_chats_notices_a_wrong_state(
    bundled: Engine, report: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same for the reports that run on the bundled model."""
    STATE(monkeypatch)
    notices(named(test_reports, f"test_report_llama_cpp_{report}_"), bundled=bundled)


KINDS: dict[str, Plant] = {
    "delta": resumed(0),
    "conv": resumed(1),
    "one layer": one_layer_never_written,
}


@pytest.mark.parametrize("kind", KINDS)
def test_prefill_54_every_part_of_a_state_counts(
    open_engine: Opener, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The conv window of three tokens, or one layer of four, is enough to be noticed."""
    engine = open_engine(interval=64)
    engine.logits(ids(1, 300))
    right(engine, (*ids(1, 300), *ids(2, 2)))
    KINDS[kind](monkeypatch)
    with pytest.raises(AssertionError):
        right(engine, (*ids(1, 300), *ids(3, 2)))


def test_prefill_54_kv_from_host_counts_as_well(
    open_engine: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other plane: keys that are one slot beside their values are noticed."""
    engine = open_engine(cache_bytes=1 << 20, host_bytes=16 << 20, interval=64)
    for chat in range(1, 9):
        engine.logits(ids(chat, 400))
    kv_from_host(monkeypatch)
    with pytest.raises(AssertionError):
        right(engine, (*ids(1, 400), *ids(9, 5)))
