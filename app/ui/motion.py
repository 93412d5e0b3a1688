"""Whether animations are allowed. Without Qt."""

from __future__ import annotations

_reduced = False


def reduced() -> bool:
    """Whether the user disabled animations; queried before each one."""
    return _reduced


def set_reduced(on: bool) -> None:
    global _reduced
    _reduced = on
