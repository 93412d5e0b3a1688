"""A template that is slow with dummies costs a request a few seconds, not minutes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from engine.errors import PromptError
from engine.message import Message
from engine.text import probes
from engine.text.control_tokens import PromptText
from engine.text.probes import MOST_SLOW, Probes
from engine.text.sandbox.meter import Meter
from engine.text.template import ChatTemplate
from engine.text.text_model import TextModel
from tests.engine.text.conftest import WriteFolder

CHAT = [Message("user" if k % 2 == 0 else "assistant", f"mine {k}") for k in range(41)]
SLOW_WITH_DUMMIES = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if 'mine' not in messages[-1].content %}"
    "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}{% endif %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(time, "perf_counter", made)
    return made


def writer(clock: Clock, seconds: float, fails: bool) -> Callable[..., PromptText]:
    def write(messages: Sequence[Message], add_generation_prompt: bool) -> PromptText:
        clock.now += seconds
        if fails:
            raise PromptError("The model's chat template was stopped: it ran too long.")
        return PromptText("text", "text")

    return write


def tried(probe: Probes) -> int:
    """Renderings until it gives up, or a thousand."""
    for count in range(1000):
        try:
            probe.render([], True)
        except PromptError as error:
            if "too long to probe" in str(error):
                return count
    return 1000


def test_what_fails_slowly_is_not_tried_again_and_again(clock: Clock) -> None:
    assert tried(Probes(writer(clock, 2.0, fails=True))) == MOST_SLOW


def test_what_is_refused_at_once_is_no_reason_to_stop(clock: Clock) -> None:
    assert tried(Probes(writer(clock, 0.001, fails=True))) == 1000


def test_all_of_them_together_have_a_limit(clock: Clock) -> None:
    assert tried(Probes(writer(clock, 1.9, fails=False))) == 16


def test_a_template_that_is_slow_with_dummies_keeps_nobody_waiting(
    write_folder: WriteFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = TextModel(write_folder(SLOW_WITH_DUMMIES))
    monkeypatch.setattr("engine.text.template.Meter", lambda: Meter(seconds=0.05))
    monkeypatch.setattr(probes, "SLOW_SECONDS", 0.02)
    stopped = []
    whole = ChatTemplate.render

    def render(*given: Any, **named: Any) -> str:
        try:
            return whole(*given, **named)
        except PromptError as error:
            stopped.append(str(error))
            raise

    monkeypatch.setattr(ChatTemplate, "render", render)
    prompt = model.render(CHAT)
    assert "mine 40" in model.decode(prompt.ids)
    assert len(stopped) <= MOST_SLOW + 1, stopped
