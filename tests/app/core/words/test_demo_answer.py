"""The window knows every honest sentence that the bundled model was taught, and only those."""

from __future__ import annotations

import pytest

from app.chat.answer_message import asks_for_a_real_model
from assets.demo import requests


@pytest.mark.parametrize("answer", requests.ANSWERS)
def test_every_honest_answer_is_known(answer: str) -> None:
    assert asks_for_a_real_model(answer)
    assert asks_for_a_real_model(f"\n{answer}\n")


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "Your name is Ada.",
        "That is more than a small demo model ",
        f'It would say: "{requests.ANSWERS[0]}"',
        requests.ANSWERS[0] + " And then a real answer goes on" * 10,
    ],
)
def test_other_answers_are_not(answer: str) -> None:
    assert not asks_for_a_real_model(answer)
