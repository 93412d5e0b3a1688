"""How far earlier sequences and a prompt are the same."""

from __future__ import annotations

from collections.abc import Sequence

from engine.cache.journal.request_ran import TokenArray
from engine.trace.sessions import shared_tokens
from engine.trace.tape import TapedRequest

# Fewer tokens than these are a coincidence.
FEW_TOKENS = 8
# Less than this share of a prompt is no cause of what it ran, unless it is many tokens by itself.
SMALL_SHARE = 0.125
MANY_TOKENS = 32
# A template's header and the first words: a state after so few costs memory, and saves no time.
LEAST_SAVED = 16

# Of what the best would have saved, another one must save so much to count as well.
MOST_OF_IT = 0.75


def is_slight(shared: int, total: int) -> bool:
    """Whether a prompt of `total` tokens has too few in common with another to speak of."""
    return shared < max(LEAST_SAVED, min(SMALL_SHARE * total, MANY_TOKENS))


def shared_with(earlier: TapedRequest, prompt: TokenArray) -> int:
    """The leading tokens of a prompt that an earlier request had applied."""
    if not earlier.bare.reuse:
        return 0
    return shared_tokens(earlier.tokens[: earlier.bare.position], prompt)


def nearest_of(earlier: Sequence[TapedRequest], prompt: TokenArray) -> tuple[int | None, int]:
    """The number of the request that shares most with a prompt, the latest of equals, and how much.

    (None, 0) if none shares anything.
    """
    best, most = None, 0
    for taped in reversed(earlier):
        if most >= len(prompt):
            break
        if taped.bare.position <= most or not taped.bare.reuse:
            continue
        tokens = taped.tokens
        # To share more, it must have the same token there.
        if tokens[most] != prompt[most]:
            continue
        shared = shared_tokens(tokens[: taped.bare.position], prompt)
        if shared > most:
            best, most = taped.number, shared
    return best, most
