"""Progress in words."""

from __future__ import annotations

from typing import Any

import pytest

from app.core.words.download_words import progress_line, time_left
from engine.hub.download import Progress

GIB = 1 << 30


def at(phase: Any, **more: Any) -> Progress:
    return Progress("a/b", phase, done_bytes=GIB, total_bytes=4 * GIB, **more)


@pytest.mark.parametrize(
    ("progress", "text"),
    [
        (at("asking"), "Asking what the repository holds…"),
        (at("checking"), "1.00 of 4.00 GiB · checking what is there"),
        (at("downloading"), "1.00 of 4.00 GiB"),
        (
            at("downloading", rate_bytes_s=GIB / 60),
            "1.00 of 4.00 GiB · 17.1 MiB a second · 3 min left",
        ),
        (at("waiting"), "1.00 of 4.00 GiB · waiting for the connection"),
        (at("paused"), "Paused at 1.00 of 4.00 GiB"),
        (at("failed"), "Stopped at 1.00 of 4.00 GiB"),
        (at("cancelled"), "Cancelled"),
        (at("done"), "Downloaded, every file verified"),
    ],
)
def test_line(progress: Progress, text: str) -> None:
    assert progress_line(progress) == text


def test_time_left() -> None:
    assert [time_left(s) for s in (0.2, 40, 200, 4800)] == ["1 s", "40 s", "3 min", "1 h 20 min"]
