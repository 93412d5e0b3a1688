"""Whether things on screen may fade and move by themselves. Without Qt."""

from __future__ import annotations

_reduced = False


def reduced() -> bool:
    """Whether the user wants none of it; asked when something would begin to move."""
    return _reduced


def set_reduced(on: bool) -> None:
    global _reduced
    _reduced = on
