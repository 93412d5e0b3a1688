"""Knows the sentence with which the bundled demo model says that it cannot know. Without Qt."""

from __future__ import annotations

_BEGINNING = "That is more than a small demo model "
_WAY_OUT = "open a real model"


def asks_for_a_real_model(answer: str) -> bool:
    """Whether an answer is the demo model's sentence about itself, and nothing else."""
    said = answer.strip()
    return said.startswith(_BEGINNING) and _WAY_OUT in said and len(said) < 200
