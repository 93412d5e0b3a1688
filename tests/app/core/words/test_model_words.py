"""What is said where a conversation is with another model than the open one."""

from __future__ import annotations

import pytest

from app.core.words.model_words import SwitchCost, switch_sentence

BEGUN = "This conversation is with Qwen3.5-4B, and demo is open. "


@pytest.mark.parametrize(
    ("cost", "said"),
    [
        (
            SwitchCost(None, 0, None, files=True),
            "How long opening it takes is not known yet.",
        ),
        (
            SwitchCost(6.2, 3412, 20.0, files=True),
            "Opening it takes about 6.2 s; its 3,412 tokens are expected back from the cache on "
            "disk.",
        ),
        (
            SwitchCost(6.2, 3412, 20.0, files=False),
            "Opening it takes about 6.2 s; its 3,412 tokens have to be read again, about 20.0 s.",
        ),
        (
            SwitchCost(6.2, 12, None, files=False),
            "Opening it takes about 6.2 s; its 12 tokens have to be read again.",
        ),
    ],
)
def test_what_switching_costs(cost: SwitchCost, said: str) -> None:
    assert switch_sentence("Qwen3.5-4B", "demo", cost, waits=False) == BEGUN + said


def test_without_an_open_model_and_with_a_message_that_waits() -> None:
    cost = SwitchCost(2.0, 0, None, files=False)
    assert switch_sentence("Qwen3.5-4B", "", cost, waits=True) == (
        "This conversation is with Qwen3.5-4B. Opening it takes about 2.0 s. Your message waits "
        "until you choose."
    )
