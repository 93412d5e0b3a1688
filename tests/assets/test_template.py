"""The demo model's chat template behaves like the family's published one."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
from jinja2 import TemplateError

from assets.demo.bundle import MODEL_FOLDER
from assets.demo.template import TEMPLATE_FILE, render

USER = {"role": "user", "content": "hi"}
THOUGHT = {"role": "assistant", "content": "yo", "reasoning_content": "a thought"}


class TestTurns:
    def test_a_system_message_is_optional(self) -> None:
        assert render([USER]) == "<|im_start|>user\nhi<|im_end|>\n"
        text = render([{"role": "system", "content": "Be kind."}, USER])
        assert text.startswith("<|im_start|>system\nBe kind.<|im_end|>\n<|im_start|>user\n")

    def test_text_parts_are_joined(self) -> None:
        parts = [{"type": "text", "text": "h"}, {"type": "text", "text": "i"}]
        assert render([{"role": "user", "content": parts}]) == render([USER])

    @pytest.mark.parametrize("role", ["critic", "developer"])
    def test_an_unknown_role_is_refused(self, role: str) -> None:
        with pytest.raises(TemplateError, match=role):
            render([{"role": role, "content": "x"}])

    def test_a_late_system_message_is_refused(self) -> None:
        with pytest.raises(TemplateError, match="first"):
            render([USER, {"role": "system", "content": "x"}])


class TestThinking:
    def test_history_drops_it(self) -> None:
        text = render([USER, THOUGHT, USER])
        assert "a thought" not in text
        assert "<|im_start|>assistant\nyo<|im_end|>" in text

    def test_the_last_answer_keeps_it(self) -> None:
        assert render([USER, THOUGHT]).endswith(
            "<|im_start|>assistant\n<think>\na thought\n</think>\n\nyo<|im_end|>\n"
        )

    def test_it_may_stand_inside_the_content(self) -> None:
        inside = {"role": "assistant", "content": "<think>\na thought\n</think>\n\nyo"}
        assert render([USER, inside]) == render([USER, THOUGHT])
        assert render([USER, inside, USER]) == render([USER, THOUGHT, USER])

    def test_an_answer_without_it_gets_the_empty_block(self) -> None:
        plain = {"role": "assistant", "content": "yo"}
        assert "<think>\n\n</think>\n\nyo" in render([USER, plain])

    @pytest.mark.parametrize(
        ("enabled", "ending"),
        [(True, "<think>\n"), (False, "<think>\n\n</think>\n\n")],
        ids=["thinking", "plain"],
    )
    def test_the_prompt_ends_as_asked(self, enabled: bool, ending: str) -> None:
        text = render([USER], add_generation_prompt=True, enable_thinking=enabled)
        assert text.endswith("<|im_start|>assistant\n" + ending)

    def test_a_prompt_is_a_prefix_of_its_own_answer(self) -> None:
        for enabled, answer in ((True, THOUGHT), (False, {"role": "assistant", "content": "yo"})):
            prompt = render([USER], add_generation_prompt=True, enable_thinking=enabled)
            assert render([USER, answer]).startswith(prompt)


class TestTools:
    CALL: ClassVar[dict[str, Any]] = {
        "role": "assistant",
        "content": "",
        "reasoning_content": "look it up",
        "tool_calls": [{"function": {"name": "clock", "arguments": {"zone": "UTC"}}}],
    }

    def test_calls_and_results_are_wrapped(self) -> None:
        text = render([USER, self.CALL, {"role": "tool", "content": "12:00"}])
        assert '<tool_call>\n{"name": "clock", "arguments": {"zone": "UTC"}}\n</tool_call>' in text
        assert text.endswith(
            "<|im_start|>user\n<tool_response>\n12:00\n</tool_response><|im_end|>\n"
        )

    def test_neighbouring_results_share_a_turn(self) -> None:
        results = [{"role": "tool", "content": "1"}, {"role": "tool", "content": "2"}]
        text = render([USER, self.CALL, *results])
        assert text.count("<|im_start|>user") == 2
        assert text.count("<tool_response>") == 2

    def test_a_result_does_not_end_the_thinking(self) -> None:
        text = render([USER, self.CALL, {"role": "tool", "content": "1"}])
        assert "look it up" in text
        assert "look it up" not in render([USER, self.CALL, {"role": "tool", "content": "1"}, USER])

    def test_descriptions_come_first(self) -> None:
        text = render([{"role": "system", "content": "Be kind."}, USER], tools=[{"name": "clock"}])
        assert text.startswith("<|im_start|>system\n")
        assert text.index('{"name": "clock"}') < text.index("Be kind.")
        assert text.count("<|im_start|>system") == 1


def test_the_model_folder_holds_this_template() -> None:
    assert (MODEL_FOLDER / "chat_template.jinja").read_bytes() == TEMPLATE_FILE.read_bytes()
