"""Where two sequences part: both sides token by token, and what differs in between."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from engine.cache.journal.request_ran import TokenArray

BEFORE = 10
AFTER = 40
# Where the texts are compared as a whole; a template's header is longer than this.
COMPARED = 400
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
        known: the text of the tokens is known.
    """

    at: int
    cached: tuple[SideToken, ...]
    prompt: tuple[SideToken, ...]
    cached_to: int | None
    prompt_to: int | None
    same_after: int
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
    again = max(blocks, key=lambda block: block.size, default=None)
    # A few equal tokens are a coincidence; a tail that goes on alike is the same text.
    joined = again is not None and again.size >= min(8, max(len(mine) - again.b, 1))
    same_after = 0
    if again is not None and joined:
        same_after = _alike(prompt[at + again.b :], cached[at + again.a :])

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
        cached_to=at + again.a if again is not None and joined else None,
        prompt_to=at + again.b if again is not None and joined else None,
        same_after=same_after,
        known=not hashed,
    )


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
