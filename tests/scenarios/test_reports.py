"""Public reports about other engines, replayed here: the same shape, the lengths scaled down."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import torch

from engine import Engine, Message, Reason, Sampling
from engine.run.core import Core
from tests.engine.run.conftest import Opener, ids, write_out
from tests.present import present
from tests.scenarios.steps import HALF, answer, message_of, positions, right


def test_report_llama_cpp_18497_an_edit_in_the_middle_of_a_prompt(open_engine: Opener) -> None:
    """There: n_past 105,331 of 117,565, and all read again. Here: from the last grid state."""
    engine = open_engine(interval=256)
    prompt = ids(1, 3000)
    engine.logits(prompt)
    edited = (*prompt[:2700], *ids(9, 20), *prompt[2720:])
    plan = right(engine, edited)
    assert plan.reused >= 2560
    assert plan.replayed + plan.computed <= 440
    # Hundreds of tokens hide what a run resumed from; so few do not.
    assert right(engine, (*edited[:2720], 7)).reused >= 2700


def test_report_llama_cpp_19394_an_edit_before_the_earliest_state(open_engine: Opener) -> None:
    """There: the earliest of 8 checkpoints lay behind the edit. Here: early ones do not all go."""
    engine = open_engine(interval=256, cache_bytes=2 << 20, state_share=0.25, rebalance=False)
    prompt = ids(1, 2600)
    engine.logits(prompt)
    for turn in range(6):
        prompt = (*prompt, *ids(20 + turn, 60))
        engine.logits(prompt)
    assert min(positions(engine)) <= 1300
    edited = (*prompt[:1500], *ids(9, 40))
    assert right(engine, edited).reused > 0


def test_report_llama_cpp_19794_only_a_state_after_the_divergence(open_engine: Opener) -> None:
    """There: one checkpoint at 19,255 of 19,892, erased by the next. Here: the grid."""
    engine = open_engine(interval=512)
    prompt = ids(1, 1990)
    engine.logits(prompt)
    plan = right(engine, (*prompt[:1900], *ids(5, 100)))
    assert plan.reused >= 1536
    back = right(engine, (*prompt, 7))
    assert back.reused == 1990, "the old branch was not erased"


def test_report_llama_cpp_20153_a_short_common_prefix(bundled: Engine) -> None:
    """There: n_past 70, no checkpoint, all again. Here: the end of the system text is an anchor."""
    system = Message("system", "You keep the logbook of a yellow aeroplane with two wings. " * 4)
    answer(bundled, [system, Message("user", "Who flies it?")], 8)
    plan = answer(bundled, [system, Message("user", "What colour is it?")], 8).report.plan
    assert plan.reason is Reason.ANOTHER_CHAT
    assert plan.reused > 40
    assert plan.replayed <= 2
    right(bundled, [system, Message("user", "How old is it?")], HALF)


def test_report_llama_cpp_20225_a_long_chat_with_stripped_thinking(bundled: Engine) -> None:
    """There: 15k tokens read again on every turn. Here: only the new ones, with a reason."""
    messages = [Message("system", "You are calm. " * 60)]
    for turn in range(5):
        messages.append(Message("user", f"Tell me about number {turn}, please."))
        said = answer(bundled, messages, 16, thinking=True)
        plan = said.report.plan
        if turn:
            assert plan.replayed == 0
            assert plan.computed < 80
            assert plan.reason is Reason.TEMPLATE_DROPPED_THINKING
        messages.append(message_of(said))
    messages.append(Message("user", "And the last one?"))
    assert right(bundled, messages, HALF).computed < 80


def save_all(core: Core) -> None:
    core.store.tiers.save()
    write_out(core)


def test_report_llama_cpp_21762_serialising_does_not_stop_the_second_request(
    open_engine: Opener, tmp_path: Path
) -> None:
    """There: the process died saving the prompt cache. Here: a write that fails is one sentence."""
    engine = open_engine(cache_dir=tmp_path, disk_bytes=64 << 20)
    engine.logits(ids(1, 300))
    # Both in one go: nothing is left that an idle moment could begin to write.
    engine.on_core(save_all)
    # The folder goes away under the engine.
    shutil.rmtree(next(tmp_path.iterdir()))
    for n in range(2, 5):
        right(engine, ids(n, 300))
        engine.on_core(lambda core: core.store.tiers.save())
        engine.on_core(write_out)
    right(engine, (*ids(2, 300), 8))
    engine.check_invariants()


def test_report_llama_cpp_21099_every_state_lies_past_the_divergence(open_engine: Opener) -> None:
    """There: 258k tokens, 32 checkpoints, all after token 11: 437 s. Here: thinned by coverage."""
    engine = open_engine(interval=64, cache_bytes=4 << 20, state_share=0.2, rebalance=False)
    slots = engine.snapshot().state.total - 1
    prompt = ids(1, 5000)
    engine.logits(prompt)
    held = positions(engine)
    assert slots < 5000 // 64, "there is not room for all"
    gaps = [b - a for a, b in zip([0, *held], held, strict=False)]
    assert max(gaps) <= 2 * (5000 / max(len(held), 1)) + 64
    plan = right(engine, (*prompt[:1200], *ids(3, 40)))
    assert plan.reused > 0


def test_report_llama_cpp_25913_a_restore_keeps_the_states(
    open_engine: Opener, tmp_path: Path
) -> None:
    """There: restored in 0.12 s, then 75.9 s of recompute. Here: regenerate runs nothing."""
    kept = {"cache_dir": tmp_path, "disk_bytes": 64 << 20}
    engine = open_engine(**kept)
    first = answer(engine, ids(1, 600), 10)
    engine.close()
    engine = open_engine(**kept)
    again = answer(engine, ids(1, 600), 10)
    assert (again.report.plan.replayed, again.report.plan.computed) == (0, 0)
    assert again.token_ids == first.token_ids
    edited = right(engine, (*ids(1, 450), *ids(4, 30)))
    assert edited.reused + edited.replayed == 450


def test_report_mlx_lm_980_a_cache_that_cannot_be_trimmed(open_engine: Opener) -> None:
    """There: whole caches are copied at three places, none inside. Here: any stored position."""
    engine = open_engine(interval=128)
    engine.logits(ids(1, 1000))
    for cut in (300, 555, 900):
        plan = right(engine, (*ids(1, cut), *ids(cut, 20)))
        assert plan.reused >= cut // 128 * 128


@pytest.mark.parametrize("length", [20, 63, 64, 65, 1008])
def test_report_sglang_22935_an_identical_prompt(open_engine: Opener, length: int) -> None:
    """There: 0 hit where the suffix was shorter than 64. Here: all of it, at any length."""
    engine = open_engine()
    first = engine.logits(ids(1, length))
    again = engine.logits(ids(1, length))
    assert (again.reused, again.replayed, again.computed) == (length, 0, 0)
    assert torch.equal(first.logits, again.logits)


def test_report_sglang_36935_branches_of_a_long_prompt(open_engine: Opener) -> None:
    """There: reuse fell from 40k to 0 once chunks outnumbered slots. Here: it does not collapse."""
    engine = open_engine(interval=64, cache_bytes=4 << 20, state_share=0.2, rebalance=False)
    prompt = ids(1, 4000)
    engine.logits(prompt)
    for branch in range(5):
        at = 900 + 600 * branch
        plan = right(engine, (*prompt[:at], *ids(30 + branch, 25)))
        assert plan.reused >= at // 3


def test_report_sglang_39830_a_full_length_hit_from_host(open_engine: Opener) -> None:
    """There: wrong 20 of 20. Here: the same bits as the first time."""
    engine = open_engine(cache_bytes=1 << 20, host_bytes=16 << 20)
    first = engine.logits(ids(1, 400)).logits
    for other in range(2, 9):
        engine.logits(ids(other, 400))
    again = engine.logits(ids(1, 400))
    assert (present(again.plan.state).tier, again.reused) == ("host", 400)
    assert torch.equal(again.logits, first)


@pytest.mark.parametrize("slots", [0, 1])
def test_report_sglang_36770_no_state_slot_is_left(open_engine: Opener, slots: int) -> None:
    """There: "Can not alloc mamba cache" ended the scheduler. Here: a state is skipped, counted."""
    probe = open_engine()
    state = probe.model.checkpoint_bytes
    share = (slots * state + 1) / (1 << 20) if slots else 0.0
    engine = open_engine(cache_bytes=1 << 20, state_share=share, interval=64, rebalance=False)
    assert engine.snapshot().state.total == slots + 1
    for n in range(3):
        said = answer(engine, ids(n, 300), 5)
        assert len(said.token_ids) == 5
        right(engine, (*ids(n, 300), 4))
    assert engine.snapshot().skipped_checkpoints > 0
    engine.check_invariants()


def test_report_vllm_45238_a_state_that_falls_on_unique_tokens(open_engine: Opener) -> None:
    """There: 0 of 64 hits, since the block's end lay in unique tokens. Here: the third one hits."""
    engine = open_engine(interval=1024)
    shared = ids(1, 700)
    reused = [right(engine, (*shared, *ids(100 + n, 37 + n))).reused for n in range(6)]
    assert reused[0] == 0
    assert all(found == 700 for found in reused[2:])


def test_report_vllm_51250_a_silent_zero(open_engine: Opener) -> None:
    """There: 0 % and no word why. Here: a prompt that reuses nothing says what is in the way."""
    engine = open_engine(interval=0, decode_interval=0)
    engine.logits(ids(1, 500))
    plan = engine.logits((*ids(1, 400), *ids(2, 50))).plan
    assert plan.reused == 0
    assert plan.reason is not Reason.NONE
    assert len(plan.detail) > 20


def test_report_freetoken_287_a_donated_slot_is_nobodys_to_write(open_engine: Opener) -> None:
    """There: one hit in ten was corrupted by a live slot given away. Here: every hit is cold's."""
    engine = open_engine(interval=64, decode_interval=4)
    for n in range(12):
        prompt = (*ids(1, 120), *ids(n, 30))
        said = answer(engine, prompt, 25)
        right(engine, (*prompt, *said.token_ids))
        right(engine, (*ids(1, 120), *ids(n + 50, 11)))
    sampling = Sampling(temperature=0, max_tokens=5)
    streams = [engine.generate(ids(1, 120 + n), sampling) for n in range(4)]
    for stream in streams:
        list(stream)
    right(engine, (*ids(1, 120), 9))
