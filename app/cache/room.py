"""Which parts of the cache pane stand where there is little height. Without Qt."""

from __future__ import annotations

from collections.abc import Sequence


def standing(height: int, fixed: int, parts: Sequence[int]) -> int:
    """How many of `parts` fit: their heights in pixels, the most important first.

    fixed: what is always there. A part that does not fit takes all after it along, so that what
    goes and comes back while a window is resized does so in one order.
    """
    used = fixed
    for number, part in enumerate(parts):
        used += part
        if used > height:
            return number
    return len(parts)
