"""How full the context is, in words. Without Qt."""

from __future__ import annotations

from app.words import format as fmt

# Tokens left are rounded down to this, so that a sentence stands still while an answer streams.
_ROUND = 50
# A question needs about as many for the template alone.
_NO_ROOM = 16


def context_detail(used: int, warm: int | None, window: int, longest: int) -> str:
    """The figures, line by line; `longest`: how many tokens an answer may have."""
    lines = [f"{fmt.count(used)} of {fmt.count(window)} tokens of context used"]
    if warm is not None:
        lines.append(f"{fmt.count(warm)} warm: the next prompt reuses them")
        if used > warm:
            lines.append(f"{fmt.count(used - warm)} cold: the next prompt has to run them")
    left = max(0, window - used)
    lines.append(f"{fmt.count(left)} left; an answer takes at most {fmt.count(min(left, longest))}")
    return "\n".join(lines)


def context_warning(used: int, window: int) -> str:
    """What happens at the end of the context: answers stop and prompts are refused, never cut."""
    left = max(0, window - used)
    if left < _NO_ROOM:
        return (
            "The context is full. Nothing said so far is left out, but there is no room for "
            "another answer: shorten an earlier message, or continue in a new conversation."
        )
    rounded = left >= 2 * _ROUND
    amount = f"About {fmt.count(left // _ROUND * _ROUND)}" if rounded else f"Only {left}"
    return (
        f"{amount} of {fmt.count(window)} tokens of context are left. An answer stops where they "
        "end, and a longer message is refused; nothing said before is ever left out."
    )
