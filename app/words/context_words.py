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


def refused_prompt(tokens: int, window: int, *, alone: bool) -> str:
    """Why what is in the composer cannot be sent; `alone`: the rest of the prompt is not why."""
    figures = f"{fmt.count(tokens)} tokens; the context has room for {fmt.count(window)}"
    if alone:
        return f"This message is too long: it makes a prompt of {figures}. Shorten it."
    return (
        f"With this message the prompt has {figures}. It cannot be sent like this: shorten it, or "
        "continue in a new conversation."
    )


def cut_answer(window: int) -> str:
    """What became of an answer that the context had no more room for."""
    return (
        f"The answer stopped because the context of {fmt.count(window)} tokens is full. Nothing "
        "said so far is left out, but there is no room for more: continue in a new conversation."
    )


def recent_offer(kept: int) -> str:
    """The button that takes the last messages along."""
    return f"Keep the last {fmt.plural(kept, 'message')}"


def recent_detail(kept: int, left_out: int) -> str:
    """What that leaves out."""
    out = "the first one is" if left_out == 1 else f"the first {fmt.count(left_out)} are"
    last = fmt.plural(kept, "message")
    return f"A new conversation with the last {last} and what is in the composer; {out} left out"


def left_out(count: int, title: str) -> str:
    """Said in the new conversation."""
    first = "The first message was" if count == 1 else f"The first {fmt.count(count)} messages were"
    return f"{first} left out here, and can be read in “{title}”."


def refused_hint(tokens: int | None, window: int, sentence: str) -> str:
    """The composer's hint for a message that cannot be sent."""
    if tokens is None or not window:
        return sentence
    return f"does not fit: {fmt.thousands(tokens)} of at most {fmt.thousands(window)} tokens"
