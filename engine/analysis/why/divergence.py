"""Where two sequences part: both sides token by token, and what differs in between."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import Match, SequenceMatcher
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.cache.journal.request_ran import TokenArray
from engine.journal.sessions import shared_tokens
from engine.journal.tape import TapedRequest

AnyIds = npt.NDArray[np.integer[Any]]

BEFORE = 10
AFTER = 40
# Where the texts are compared as a whole; a template's header is longer than this.
COMPARED = 400
# So many tokens in a row are the same text; fewer may be a template's header, or a coincidence.
SAME_RUN = 16
# Where a text is left out, so many tokens after it may be cut otherwise.
EDGE = 2
# So many characters of tokens that differ are no coincidence.
SAME_CHARACTERS = 8
MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
DAYS = "mon|tue|wed|thu|fri|sat|sun"
TIMES = re.compile(
    rf"\d{{4}}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?"
    rf"|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}"
    rf"|\d{{1,2}}:\d\d(?::\d\d)?"
    rf"|\d{{1,2}}\.? (?:{MONTHS})[a-z]*\.?(?:,? \d{{4}})?"
    rf"|(?:{MONTHS})[a-z]*\.? \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?"
    rf"|\b(?:{DAYS})[a-z]*day\b",
    re.IGNORECASE,
)
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


def left_out(prompt: AnyIds, cached: AnyIds) -> Match | None:
    """Where both sides go on alike after a text that only the other side has; None if they do not.

    At its edges it may be cut into other tokens.

    Args:
        prompt, cached: both sides from the first token that differs.
    """
    for begins in range(min(EDGE, len(prompt) - SAME_RUN) + 1):
        for at in places_of(prompt[begins : begins + SAME_RUN], cached):
            if at - begins >= SAME_RUN:
                return Match(at, begins, SAME_RUN)
    return None


def places_of(run: AnyIds, ids: AnyIds) -> Iterator[int]:
    """Where a run of tokens, at least one, begins in others."""
    starts = max(len(ids) - len(run) + 1, 0)
    for at in np.flatnonzero(ids[:starts] == run[0]).tolist():
        if (ids[at : at + len(run)] == run).all():
            yield at


def alike_again(prompt: AnyIds, cached: AnyIds) -> Match | None:
    """Where both sides, from the first token that differs, go on alike after a change; or None."""
    mine, theirs = prompt[:COMPARED].tolist(), cached[:COMPARED].tolist()
    matcher = SequenceMatcher(None, theirs, mine, autojunk=False)
    found = matcher.find_longest_match()
    return found if found.size >= SAME_RUN else None


@dataclass(frozen=True, slots=True)
class SideToken:
    """One token of a side: its position, its text ("" if unknown), and whether the sides differ."""

    position: int
    text: str
    differs: bool


@dataclass(frozen=True, slots=True)
class Sides:
    """Both texts around the place where they part.

    Attributes:
        at: the first position that differs.
        cached, prompt: tokens on either side; the first few are the same.
        cached_to, prompt_to: where each side is the same text again; None if that is not seen.
        same_after: tokens of the prompt after the difference that the other side has, too.
        left_out: tokens of a text that only the other side has there, 0 if that is not all.
        known: the text of the tokens is known.
    """

    at: int
    cached: tuple[SideToken, ...]
    prompt: tuple[SideToken, ...]
    cached_to: int | None
    prompt_to: int | None
    same_after: int
    left_out: int
    known: bool


def sides_of(
    prompt: TokenArray,
    cached: TokenArray,
    at: int,
    text: Callable[[Sequence[int]], str],
    *,
    hashed: bool,
) -> Sides:
    """Both sides of a difference at token `at`. Of hashes, no text is known."""
    start = max(at - BEFORE, 0)
    mine = prompt[at : at + COMPARED].tolist()
    theirs = cached[at : at + COMPARED].tolist()
    matcher = SequenceMatcher(None, theirs, mine, autojunk=False)
    blocks = [block for block in matcher.get_matching_blocks() if block.size]
    same_mine = {block.b + n for block in blocks for n in range(block.size)}
    same_theirs = {block.a + n for block in blocks for n in range(block.size)}
    gap = left_out(prompt[at:], cached[at:])
    again = gap or alike_again(prompt[at:], cached[at:])
    cached_to, prompt_to, same_after = None, None, 0
    if again is not None:
        cached_to, prompt_to = at + again.a, at + again.b
        same_after = _alike(prompt[prompt_to:], cached[cached_to:])

    def side(tokens: TokenArray, same: set[int]) -> tuple[SideToken, ...]:
        shown = tokens[start : at + AFTER].tolist()
        return tuple(
            SideToken(
                start + n,
                "" if hashed else text([token]),
                start + n >= at and start + n - at not in same,
            )
            for n, token in enumerate(shown)
        )

    return Sides(
        at=at,
        cached=side(cached, same_theirs),
        prompt=side(prompt, same_mine),
        cached_to=cached_to,
        prompt_to=prompt_to,
        same_after=same_after,
        left_out=0 if gap is None else gap.a - gap.b,
        known=not hashed,
    )


def same_text_of(sides: Sides) -> bool:
    """Whether both sides have the same text there, in other tokens."""
    cached, prompt = (
        "".join(token.text for token in side if token.position >= sides.at)
        for side in (sides.cached, sides.prompt)
    )
    return same_text(cached, prompt)


def same_text(one: str, other: str) -> bool:
    """Whether two texts are the same as far as the shorter one goes, which is no coincidence."""
    length = min(len(one), len(other))
    return length >= SAME_CHARACTERS and one[:length] == other[:length]


def times_of(sides: Sides) -> tuple[str, str] | None:
    """The date or time of day that differs first, on either side; None if it is none."""
    if not sides.known:
        return None
    cached, prompt = (_time_at(side, sides.at) for side in (sides.cached, sides.prompt))
    return (cached, prompt) if cached and prompt and cached != prompt else None


def _time_at(side: Sequence[SideToken], at: int) -> str:
    """The date or time that the token at a position is part of, "" if it is of none."""
    whole = "".join(token.text for token in side)
    start = sum(len(token.text) for token in side if token.position < at)
    here = next((token for token in side if token.position == at), None)
    end = start + max(len(here.text), 1) if here is not None else start
    for found in TIMES.finditer(whole):
        if found.start() < end and found.end() > start:
            return found.group()
    return ""


def _alike(mine: TokenArray, theirs: TokenArray) -> int:
    length = min(len(mine), len(theirs))
    return int((mine[:length] == theirs[:length]).sum())
