"""A short soak: everything a restless user does, at random, on the real engine."""

from __future__ import annotations

import pytest

from app.bench.soak import soak
from app.core.options.shared import demo_model_dir

TURNS, CHATS = 40, 4
# So little that device and host memory are full after a few turns.
CACHE_BYTES = 3 << 20


@pytest.mark.slow
@pytest.mark.parametrize("seed", [7])
def test_a_restless_user_breaks_nothing(seed: int) -> None:
    report = soak(demo_model_dir(), TURNS, CHATS, seed, CACHE_BYTES)
    print(report)
    assert report.broken == ()
    assert report.compared >= TURNS
    assert report.scrubbed >= TURNS
    assert report.on_disk > 0, "nothing was ever in files alone"
    assert sum(report.acts.values()) >= TURNS
    assert {"say", "again", "edit", "continue", "step", "stop"} <= report.acts.keys()
    assert 2 <= report.conversations <= CHATS
    # Widgets are those of the conversation on screen, not of all that was shown.
    assert report.rows[-1].widgets < 1500
