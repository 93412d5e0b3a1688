"""Scenarios 19, 39, 40, 43, 44 and 46 on whole engines: what people do to chats, logits and all."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from engine import Engine, Message, PromptOptions, Reason, Sampling, events
from engine.run.core import Core
from tests.engine.run.conftest import Opener, ids
from tests.present import present
from tests.scenarios.steps import HALF, answer, message_of, off_by, positions, right

SYSTEM = Message("system", "You are a careful assistant on board a small aeroplane. " * 3)


def user(text: str) -> Message:
    return Message("user", text)


def chat(engine: Engine, turns: int, options: PromptOptions) -> list[Message]:
    """A chat of so many turns, ending with an answer."""
    messages = [SYSTEM]
    for turn in range(turns):
        messages.append(user(f"Tell me about number {37 * turn}, please, and be brief."))
        messages.append(message_of(answer(engine, messages, 16, thinking=options.thinking)))
    return messages


def prompt_of(engine: Engine, messages: list[Message], options: PromptOptions) -> tuple[int, ...]:
    def ask(core: Core) -> tuple[int, ...]:
        return tuple(core.prompt_ids(tuple(messages), options))

    return engine.on_core(ask)


@pytest.mark.parametrize("thinking", [True, False], ids=["thinking", "no-think"])
def test_branch_39_regenerate_runs_from_before_the_answer(bundled: Engine, thinking: bool) -> None:
    """ik_llama 1295 went on from the end of the old answer. The same question, the same answer."""
    options = PromptOptions(thinking=thinking)
    messages = chat(bundled, 2, options)
    question = [*messages, user("And what about the sea?")]
    first = answer(bundled, question, 20, thinking=thinking)
    again = answer(bundled, question, 20, thinking=thinking)
    plan = again.report.plan
    assert (plan.reused, plan.replayed, plan.computed) == (plan.total, 0, 0)
    assert again.token_ids == first.token_ids


@pytest.mark.parametrize("thinking", [True, False], ids=["thinking", "no-think"])
def test_branch_40_an_edit_of_any_message_resumes_right_where_it_begins(
    bundled: Engine, thinking: bool
) -> None:
    """SillyTavern, llama.cpp: an edit k turns back. Exact to the token, and right, at every k."""
    options = PromptOptions(thinking=thinking)
    messages = chat(bundled, 4, options)
    for at in range(1, len(messages), 2):
        edited = [*messages[:at], user(f"What about the colour of {at} instead?")]
        asked = prompt_of(bundled, messages[: at + 1], options)
        prompt = prompt_of(bundled, edited, options)
        shared = next(n for n, (a, b) in enumerate(zip(asked, prompt, strict=False)) if a != b)
        cached = bundled.logits(edited, options=options)
        cold = bundled.logits(edited, reuse=False, options=options)
        assert (cached.reused, cached.replayed) == (shared, 0)
        assert off_by(cached.logits, cold.logits) < HALF
        assert cached.plan.reason in (Reason.MESSAGE_EDITED, Reason.ANOTHER_CHAT)


def test_branch_43_two_long_chats_in_turns_both_stay_warm(open_engine: Opener) -> None:
    """qwen38-27b-rtx3090 174: two alternating chats gave 0. Only what is new runs, every turn."""
    engine = open_engine()
    chats = [ids(1, 900), ids(2, 1100)]
    for prompt in chats:
        engine.logits(prompt)
    for turn in range(5):
        for which, prompt in enumerate(chats):
            longer = (*prompt, *ids(40 + 2 * turn + which, 30))
            plan = right(engine, longer)
            assert (plan.reused, plan.replayed) == (len(prompt), 0)
            chats[which] = longer


@pytest.mark.parametrize("shared", [63, 64, 65, 333])
def test_branch_44_the_third_comer_has_the_whole_of_what_two_shared(
    open_engine: Opener, shared: int
) -> None:
    """TensorRT-LLM 18486: floor64 of it. Here every token, since a state lies right there."""
    engine = open_engine(interval=1024)
    engine.logits((*ids(1, shared), *ids(2, 80)))
    second = right(engine, (*ids(1, shared), *ids(3, 90)))
    assert (second.reused, second.replayed) == (0, shared)
    assert shared in positions(engine, "branch")
    third = right(engine, (*ids(1, shared), *ids(4, 70)))
    assert (third.reused, third.replayed) == (shared, 0)
    assert present(third.state).provenance == "branch"


def test_branch_46_a_shared_beginning_whose_length_wavers(open_engine: Opener) -> None:
    """SGLang 37198: 1 to 63 tokens more or less each time never met a checkpoint there."""
    engine = open_engine(interval=256)
    rng = np.random.default_rng(46)
    whole = ids(1, 600)
    engine.logits(whole)
    lost = []
    for n in range(12):
        shared = 512 + int(rng.integers(1, 64))
        plan = right(engine, (*whole[:shared], *ids(100 + n, 20)))
        assert plan.reused >= 512
        lost.append(plan.replayed)
    assert max(lost) < 64
    assert np.mean(lost[6:]) <= np.mean(lost[:6]), "branch points are learned on the way"


def test_insert_19_two_requests_of_the_same_tokens_have_one_winner(open_engine: Opener) -> None:
    """FreeToken 287: a prompt queued twice. One path, each state once, both answers right."""
    engine = open_engine(interval=64, decode_interval=8)
    sampling = Sampling(temperature=0, max_tokens=20, ignore_end=True)
    streams = [engine.generate(ids(1, 200), sampling) for _ in range(2)]
    first, second = (list(stream)[-1] for stream in streams)
    assert isinstance(first, events.RequestFinished)
    assert isinstance(second, events.RequestFinished)
    assert first.token_ids == second.token_ids
    held = positions(engine)
    assert len(held) == len(set(held))
    snapshot = engine.snapshot()
    assert snapshot.state.cached == len(held)
    assert snapshot.kv.cached == 200 + len(first.token_ids) - 1, "each token's KV once"
    right(engine, (*ids(1, 200), *first.token_ids, 8))


def test_template_58_in_exact_mode_every_turn_has_the_bits_of_a_cold_run(
    open_engine: Opener,
) -> None:
    """vllm-ascend 16451 asks for it; nobody promises it. A chat, edits and a regenerate."""
    engine = open_engine(mode="exact", interval=64, decode_interval=8)
    messages = [Message("system", " w1 w2 w3 w4" * 30)]
    asked: list[list[Message]] = []
    for turn in range(4):
        messages.append(user(f" w{20 + turn} w{40 + turn}" * 20))
        asked.append(list(messages))
        messages.append(message_of(answer(engine, messages, 12)))
    edits = [[*question[:-1], user(" w90 w91 w92")] for question in asked]
    reused = 0
    for prompt in (*asked, *edits, asked[2], edits[1]):
        cached, cold = engine.logits(prompt), engine.logits(prompt, reuse=False)
        assert torch.equal(cached.logits, cold.logits)
        reused += cached.reused
    assert reused > 500, "there was something to be right about"
