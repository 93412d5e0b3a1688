"""Where two sequences diverge: both sides token by token, and what differs in between."""

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
# How many tokens are aligned as a whole; longer than a template's header.
COMPARED = 400
# This many equal tokens in a row are the same text; fewer may be a header or a coincidence.
SAME_RUN = 16
# Where text was removed, up to this many of the tokens after it may be tokenised differently.
EDGE = 2
# This many equal characters in differing tokens are no coincidence.
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
# Less than this share of a prompt is not significant, unless it is many tokens in itself.
SMALL_SHARE = 0.125
MANY_TOKENS = 32
# A template's header and the first words: a state this early costs memory, and saves no time.
LEAST_SAVED = 16

# To count as well, an alternative must save at least this share of the best one's saving.
MOST_OF_IT = 0.75


def is_slight(shared: int, total: int) -> bool:
    """Whether a prompt of `total` tokens shares too few with another to be significant."""
    return shared < max(LEAST_SAVED, min(SMALL_SHARE * total, MANY_TOKENS))


def shared_with(earlier: TapedRequest, prompt: TokenArray) -> int:
    """The number of leading tokens of a prompt that an earlier request had applied."""
    if not earlier.bare.reuse:
        return 0
    return shared_tokens(earlier.tokens[: earlier.bare.position], prompt)


def nearest_of(earlier: Sequence[TapedRequest], prompt: TokenArray) -> tuple[int | None, int]:
    """The number of the request sharing most with a prompt, the latest of equals, and how much.

    (None, 0) if none shares any tokens.
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
    """Where both sides match again after text that only the cached side has; None if they do not.

    At its edges the text may be tokenised differently.

    Args:
        prompt, cached: both sides from the first token that differs.
    """
    for begins in range(min(EDGE, len(prompt) - SAME_RUN) + 1):
        for at in places_of(prompt[begins : begins + SAME_RUN], cached):
            if at - begins >= SAME_RUN:
                return Match(at, begins, SAME_RUN)
    return None


def places_of(run: AnyIds, ids: AnyIds) -> Iterator[int]:
    """The positions where a run of tokens, at least one, occurs in others."""
    starts = max(len(ids) - len(run) + 1, 0)
    for at in np.flatnonzero(ids[:starts] == run[0]).tolist():
        if (ids[at : at + len(run)] == run).all():
            yield at


def alike_again(prompt: AnyIds, cached: AnyIds) -> Match | None:
    """Where both sides, from the first differing token, match again after a change; or None."""
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
    """Both texts around the place where they diverge.

    Attributes:
        at: the first position that differs.
        cached, prompt: tokens on either side; the first few are equal.
        cached_to, prompt_to: where the text is the same again on each side; None if not found.
        same_after: tokens of the prompt after the difference that the other side has, too.
        left_out: tokens of text that only the other side has, 0 if that is not the only difference.
        known: whether the text of the tokens is known.
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
    """Both sides of a difference at token `at`. Text is unknown if the ids are hashes."""
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
    """Whether both sides have the same text there, tokenised differently."""
    cached, prompt = (
        "".join(token.text for token in side if token.position >= sides.at)
        for side in (sides.cached, sides.prompt)
    )
    return same_text(cached, prompt)


def same_text(one: str, other: str) -> bool:
    """Whether two texts agree up to the end of the shorter one, long enough not to be chance."""
    length = min(len(one), len(other))
    return length >= SAME_CHARACTERS and one[:length] == other[:length]


def times_of(sides: Sides) -> tuple[str, str] | None:
    """The first differing date or time of day on both sides; None if it is something else."""
    if not sides.known:
        return None
    cached, prompt = (_time_at(side, sides.at) for side in (sides.cached, sides.prompt))
    return (cached, prompt) if cached and prompt and cached != prompt else None


def _time_at(side: Sequence[SideToken], at: int) -> str:
    """The date or time that the token at a position is part of, "" if none."""
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
