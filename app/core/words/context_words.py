"""Texts about the context's use. Without Qt."""

from __future__ import annotations

from app.core.words import format as fmt
from app.core.words.tr import tr

# Remaining tokens are rounded down to this, so that a sentence is stable while streaming.
_ROUND = 50
# A question needs about as many tokens for the template alone.
_NO_ROOM = 16


def context_detail(used: int, warm: int | None, window: int, longest: int) -> str:
    """The figures, line by line; `longest`: the maximum length of an answer in tokens."""
    lines = [
        tr("{used} of {window} tokens of context used").format(
            used=fmt.count(used), window=fmt.count(window)
        )
    ]
    if warm is not None:
        lines.append(tr("{warm} warm: the next prompt reuses them").format(warm=fmt.count(warm)))
        if used > warm:
            lines.append(
                tr("{used} cold: the next prompt has to run them").format(
                    used=fmt.count(used - warm)
                )
            )
    left = max(0, window - used)
    lines.append(
        tr("{left} left; an answer takes at most {left2}").format(
            left=fmt.count(left), left2=fmt.count(min(left, longest))
        )
    )
    return "\n".join(lines)


def context_warning(used: int, window: int) -> str:
    """What happens at the end of the context: answers stop and prompts are refused, never cut."""
    left = max(0, window - used)
    if left < _NO_ROOM:
        return tr(
            "The context is full. Nothing said so far is left out, but there is "
            "no room for another answer: shorten an earlier message, or continue "
            "in a new conversation."
        )
    rounded = left >= 2 * _ROUND
    amount = (
        tr("About {left}").format(left=fmt.count(left // _ROUND * _ROUND))
        if rounded
        else tr("Only {left}").format(left=left)
    )
    return tr(
        "{amount} of {window} tokens of context are left. An answer stops where "
        "they end, and a longer message is refused; nothing said before is ever "
        "left out."
    ).format(amount=amount, window=fmt.count(window))


def refused_prompt(tokens: int, window: int, *, alone: bool) -> str:
    """Why the composer's content cannot be sent; `alone`: it is too long even by itself."""
    figures = tr("{tokens} tokens; the context has room for {window}").format(
        tokens=fmt.count(tokens), window=fmt.count(window)
    )
    if alone:
        return tr("This message is too long: it makes a prompt of {figures}. Shorten it.").format(
            figures=figures
        )
    return tr(
        "With this message the prompt has {figures}. It cannot be sent like "
        "this: shorten it, or continue in a new conversation."
    ).format(figures=figures)


def cut_answer(window: int) -> str:
    """The sentence about an answer that was cut at the end of the context."""
    return tr(
        "The answer stopped because the context of {window} tokens is full. "
        "Nothing said so far is left out, but there is no room for more: "
        "continue in a new conversation."
    ).format(window=fmt.count(window))


def recent_offer(kept: int) -> str:
    """The text of the button that takes the last messages along."""
    return tr("Keep the last {messages}").format(messages=fmt.plural(kept, "message"))


def recent_detail(kept: int, left_out: int) -> str:
    """What the button leaves out."""
    out = (
        tr("the first one is")
        if left_out == 1
        else tr("the first {left_out} are").format(left_out=fmt.count(left_out))
    )
    last = fmt.plural(kept, "message")
    return tr(
        "A new conversation with the last {last} and what is in the composer; {out} left out"
    ).format(last=last, out=out)


def left_out(count: int, title: str) -> str:
    """The notice in the new conversation."""
    first = (
        tr("The first message was")
        if count == 1
        else tr("The first {count} messages were").format(count=fmt.count(count))
    )
    return tr("{first} left out here, and can be read in “{title}”.").format(
        first=first, title=title
    )


def refused_hint(tokens: int | None, window: int, sentence: str) -> str:
    """The composer's hint for a message that cannot be sent."""
    if tokens is None or not window:
        return sentence
    return tr("does not fit: {tokens} of at most {window} tokens").format(
        tokens=fmt.thousands(tokens), window=fmt.thousands(window)
    )
