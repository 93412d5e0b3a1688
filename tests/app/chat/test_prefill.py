"""How fast a prompt is read."""

from __future__ import annotations

from app.chat.logic.turn_words import PrefillClock, progress_text
from app.core.session.records import Turn, TurnState


def test_the_rate_and_the_time_left() -> None:
    clock = PrefillClock()
    clock.note(0, 4000, 10.0)
    assert clock.tok_s is None
    assert clock.left_s(10.5) is None
    clock.note(1000, 4000, 11.0)
    assert clock.tok_s == 1000
    assert clock.left_s(11.0) == 3
    # Between two chunks the time goes on.
    assert clock.left_s(12.0) == 2
    assert clock.left_s(99.0) == 0


def test_another_prompt_starts_again() -> None:
    clock = PrefillClock()
    clock.note(0, 100, 1.0)
    clock.note(100, 100, 2.0)
    clock.note(0, 50, 5.0)
    assert clock.tok_s is None


def test_what_is_said() -> None:
    turn = Turn(1, "assistant", state=TurnState.READING, done=1024, total=4800)
    said = progress_text(turn, 2100.0, 1.8)
    assert said == "Reading prompt 1,024 of 4,800 · 2,100 tok/s · 2 s left"
    assert progress_text(turn, 2100.0, 0.3).endswith("less than 1 s left")
    assert progress_text(turn, 20.0, 185.0).endswith("3 min 5 s left")
