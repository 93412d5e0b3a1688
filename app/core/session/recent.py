"""The most recent part of a conversation: what can be continued when the whole no longer fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.core.session.records import Turn

# Share of the context; the rest is left for what follows and for the estimate's error.
_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Recent:
    """The last messages of a branch.

    first: the turn that they begin with, a user's.
        first: the turn that they begin with, a user's.
        kept, left_out: numbers of messages.
    """

    first: int
    kept: int
    left_out: int


def recent_part(turns: Sequence[Turn], tokens: int, window: int, draft: int = 0) -> Recent | None:
    """As many of the last messages as fit well into a context of `window` tokens.

    Tokens are estimated from characters: `tokens` is the whole prompt, whose last message has
    `draft` characters. None if there is nothing to leave out, or nothing fits.
    """
    said = [turn for turn in turns if turn.role != "error"]
    sizes = [len(turn.text) + len(turn.thinking) for turn in said]
    per_char = tokens / max(1, sum(sizes) + draft)
    room = window * _SHARE - draft * per_char
    found: Recent | None = None
    for at in range(len(said) - 1, 0, -1):
        room -= sizes[at] * per_char
        if room < 0:
            break
        if said[at].role == "user":
            found = Recent(said[at].id, len(said) - at, at)
    return found
