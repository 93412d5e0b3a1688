"""Which parts of the cache pane are shown when height is short. Without Qt."""

from __future__ import annotations

from collections.abc import Sequence


def standing(height: int, fixed: int, parts: Sequence[int]) -> int:
    """How many of `parts` fit: their heights in pixels, the most important first.

    fixed: height that is always taken. The first part that does not fit hides all after it too,
    so that parts disappear and return in one order while a window is resized.
    """
    used = fixed
    for number, part in enumerate(parts):
        used += part
        if used > height:
            return number
    return len(parts)
