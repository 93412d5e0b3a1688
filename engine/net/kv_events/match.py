"""What an engine should have reused by its own events, compared with what it reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.sentence import say

Kind = Literal["as expected", "not told", "in doubt", "no state", "less", "more"]


@dataclass(frozen=True, slots=True)
class Expected:
    """How much of a prompt an engine has, as far as its events show; before the request ran.

    Attributes:
        total: tokens of the prompt.
        device, host: tokens cached on each tier from the start, without a hole.
        block: tokens of a block, the smallest unit of reuse.
        worker: label of the engine that has the most of it.
        doubtful: part of it may have been removed: events were lost.
        state: position of its deepest recurrent state; None if the engine does not report states.
    """

    total: int
    device: int = 0
    host: int = 0
    block: int = 1
    worker: str = ""
    doubtful: bool = False
    state: int | None = None

    @property
    def known(self) -> int:
        """Tokens whose KV is cached, on any tier."""
        return max(self.device, self.host)

    @property
    def reusable(self) -> int:
        """Tokens that a request could reuse: the last one of a prompt is always computed."""
        least = min(self.known, self.total - 1) if self.total else 0
        if self.state is not None:
            least = min(least, self.state)
        return max(least, 0) // self.block * self.block


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of comparing one request.

    Attributes:
        reported: tokens the engine reports as reused; None if it does not.
        short: tokens by which it reused less than it could have; negative if it reused more.
    """

    kind: Kind
    expected: Expected
    reported: int | None
    short: int = 0


def compare(expected: Expected, reported: int | None) -> Finding:
    """Compare what should have been reused with what was."""
    if reported is None:
        return Finding("not told", expected, None)
    short = expected.reusable - reported
    # An engine may hold one more block back than it has to.
    if -expected.block < short <= expected.block:
        return Finding("as expected", expected, reported, short)
    if short < 0:
        return Finding("more", expected, reported, short)
    if expected.doubtful:
        return Finding("in doubt", expected, reported, short)
    return Finding("no state" if reported == 0 else "less", expected, reported, short)


def finding_sentence(found: Finding) -> str:
    """One sentence, or two if something differs."""
    expected = found.expected
    known, reusable = f"{expected.known:,}", f"{expected.reusable:,}"
    reported = "" if found.reported is None else f"{found.reported:,}"
    match found.kind:
        case "not told":
            return say(
                "KV for {known} tokens known; the engine does not say how many it reused.",
                known=known,
            )
        case "as expected":
            return say(
                "As expected: {reported} tokens reused of {known} known.",
                reported=reported,
                known=known,
            )
        case "in doubt":
            return say(
                "KV for {known} tokens was known before events were lost, engine reused"
                " {reported}: it may have dropped them meanwhile.",
                known=known,
                reported=reported,
            )
        case "no state":
            return say(
                "KV for {known} tokens known, engine reused 0: no state, or a dropped block.",
                known=known,
            )
        case "less":
            return say(
                "KV for {known} tokens known and {reusable} expected, engine reused {reported}:"
                " no state further on, or a dropped block.",
                known=known,
                reusable=reusable,
                reported=reported,
            )
        case "more":
            return say(
                "Engine reused {reported} tokens, and its events told of {known}: the others were"
                " stored before anybody listened, or are on a tier that it does not tell of.",
                reported=reported,
                known=known,
            )
