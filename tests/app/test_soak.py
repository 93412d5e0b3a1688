"""A short soak: everything a restless user does, at random, on the real engine."""

from __future__ import annotations

import pytest

from app.bench.soak import soak
from app.commands.options import demo_model_dir

TURNS, CHATS = 40, 4


@pytest.mark.parametrize("seed", [7])
def test_a_restless_user_breaks_nothing(seed: int) -> None:
    report = soak(demo_model_dir(), TURNS, CHATS, seed)
    print(report)
    assert report.broken == ()
    assert report.compared >= TURNS
    assert report.scrubbed >= TURNS
    assert sum(report.acts.values()) >= TURNS
    assert {"say", "again", "edit", "continue", "step", "stop"} <= report.acts.keys()
    assert 2 <= report.conversations <= CHATS
    # Widgets are those of the conversation on screen, not of all that was shown.
    assert report.rows[-1].widgets < 1500
