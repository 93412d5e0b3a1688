"""Scenarios 58 to 63: what templates do to the past."""

from __future__ import annotations

import json

import pytest

from engine import Engine, Message, PromptOptions, Reason
from engine.run.core import Core
from tests.engine.run.conftest import Opener
from tests.scenarios.steps import answer, message_of

SYSTEM = Message("system", "You are a careful assistant on board a small aeroplane. " * 3)


def user(text: str) -> Message:
    return Message("user", text)


def header_end(engine: Engine, messages: list[Message], options: PromptOptions) -> int:
    """Where the answer's header ends in a prompt: the last ids that any next prompt shares."""

    def ask(core: Core) -> int:
        anchors = core.text.render(messages, options).anchors
        return max(a.position for a in anchors if a.kind == "next turn")

    return engine.on_core(ask)


@pytest.mark.parametrize("thinking", [True, False], ids=["58-thinking", "59-no-think"])
def test_template_58_and_59_the_next_turn_resumes_at_the_answers_header(
    bundled: Engine, thinking: bool
) -> None:
    """Rapid-MLX 214, Qwen3 1826: the template drops the thought; the anchor is exact, no grid."""
    options = PromptOptions(thinking=thinking)
    messages = [SYSTEM, user("My name is Oda. Say hello.")]
    for turn in range(3):
        at = header_end(bundled, messages, options)
        said = answer(bundled, messages, 24, thinking=thinking)
        if turn:
            assert said.report.plan.replayed == 0
        messages += [message_of(said), user(f"And what about number {turn}?")]
        plan = bundled.probe(messages, options)
        assert plan.reused >= at
        assert plan.replayed == 0


def test_template_60_a_tool_loop_then_a_user_message(bundled: Engine) -> None:
    """Rapid-MLX 3464: the hit is at the first assistant row after the last real user message."""
    tool = {
        "type": "function",
        "function": {"name": "weather", "description": "The weather.", "parameters": {}},
    }
    options = PromptOptions(thinking=True, tools=(tool,))
    messages = [SYSTEM, user("What is the weather like on the way?")]
    first_row = header_end(bundled, messages, options)
    for place in ("hill", "lake", "mill", "sea", "town"):
        answer(bundled, messages, 8, thinking=True, tools=(tool,))
        call = {"name": "weather", "arguments": {"place": place}}
        messages.append(Message("assistant", "", f"I look at the {place}.", tool_calls=(call,)))
        messages.append(Message("tool", json.dumps({"place": place, "sky": "clear"})))
    said = answer(bundled, messages, 8, thinking=True, tools=(tool,))
    messages += [message_of(said), user("Thank you.")]
    plan = bundled.probe(messages, options)
    assert plan.reused == first_row
    assert plan.replayed == 0


def test_template_61_a_template_that_keeps_thoughts_reuses_the_whole_turn(
    open_engine: Opener,
) -> None:
    """Qwen3.6 and 3.8: append-only prompts reuse the former turn, answer and all."""
    engine = open_engine()
    messages = [Message("system", " w1 w2 w3 w4"), user(" w10 w11 w12")]
    said = answer(engine, messages, 10)
    before = said.report.plan.total
    messages += [message_of(said), user(" w20 w21")]
    plan = engine.probe(messages)
    assert plan.reused == before + 9, "the last sampled token was not applied"
    assert plan.replayed == 0


def test_template_62_a_date_in_the_system_text_is_the_reason(bundled: Engine) -> None:
    """llama.cpp 24714: the miss names the span that changed, on both sides."""
    text = "You keep the logbook of a small aeroplane and its crew of two. Today is {}."
    answer(bundled, [Message("system", text.format("Monday")), user("Hello.")], 8)
    changed = [Message("system", text.format("Friday")), user("Hello.")]
    plan = answer(bundled, changed, 8).report.plan
    assert plan.reason is Reason.SYSTEM_TEXT_CHANGED
    assert plan.divergence is not None
    assert "onday" in plan.divergence.cached
    assert "riday" in plan.divergence.prompt
    assert plan.reused + plan.replayed == plan.divergence.token


def test_template_63_an_anchor_is_a_true_token_prefix(bundled: Engine) -> None:
    """TensorRT-LLM 16473: prompts that part after an anchor share exactly its ids."""
    messages = [SYSTEM, user("First."), Message("assistant", "One."), user("Second.")]

    def ask(core: Core) -> None:
        rendered = core.text.render(messages, PromptOptions())
        assert rendered.anchors
        for anchor in rendered.anchors:
            if anchor.kind != "next turn":
                continue
            longer = [*messages, Message("assistant", "Two."), user("Third, please.")]
            other = core.text.render(longer, PromptOptions()).ids
            assert other[: anchor.position] == rendered.ids[: anchor.position]

    bundled.on_core(ask)
