"""Positions that requests ran through the model, with the cache and without. Without Qt.

All counts are exact. "Cold" is every prompt computed from its first token, which is what an engine
does that keeps keys, values and states only until the answer ends; "bare" keeps nothing at all and
runs the whole sequence again for every token.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from app.session.ledger import Ran


@dataclass(frozen=True, slots=True)
class Positions:
    """Positions processed, by what is kept.

    Attributes:
        cached: as it ran.
        cold: without a cache between prompts.
        bare: without any, not even between two tokens of an answer.
    """

    cached: int
    cold: int
    bare: int

    def __add__(self, other: Positions) -> Positions:
        return Positions(self.cached + other.cached, self.cold + other.cold, self.bare + other.bare)


NONE = Positions(0, 0, 0)


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase of the runs as it was measured: tokens, and seconds for all of them together."""

    tokens: int
    seconds: float

    @property
    def token_ms(self) -> float | None:
        """Milliseconds a token; None if nothing was measured."""
        return 1e3 * self.seconds / self.tokens if self.tokens and self.seconds > 0 else None


def positions(ran: Ran) -> Positions:
    """What one request processed."""
    return sequence_positions(
        ran.report.plan.total, ran.steps, ran.report.plan.reused, started=ran.report.generated > 0
    )


def sequence_positions(prompt: int, steps: int, reused: int, *, started: bool = True) -> Positions:
    """A prompt of so many tokens, of which `reused` came from the cache, and so many decode steps.

    Without any cache each step runs the whole sequence again: n, n + 1, ... n + steps positions.
    `started`: its answer had at least one token.
    """
    passes = steps if started else 0
    bare = prompt * (passes + 1) + passes * (passes + 1) // 2
    return Positions(prompt - reused + steps, prompt + steps, bare)


def running_totals(runs: Sequence[Ran]) -> tuple[Positions, ...]:
    """The sums after each request."""
    return tuple(accumulate((positions(ran) for ran in runs), Positions.__add__))


def total(runs: Iterable[Ran]) -> Positions:
    return sum((positions(ran) for ran in runs), NONE)


def prefill(runs: Iterable[Ran]) -> Phase:
    """Prompt tokens that ran, and their time."""
    tokens, seconds = 0, 0.0
    for ran in runs:
        tokens += ran.report.plan.replayed + ran.report.plan.computed
        seconds += (ran.report.replay_ms + ran.report.prefill_ms) / 1e3
    return Phase(tokens, seconds)


def decode(runs: Iterable[Ran]) -> Phase:
    """Decode steps whose time was measured, and that time."""
    tokens, seconds = 0, 0.0
    for ran in runs:
        taken = ran.decode_s
        if taken is not None:
            tokens += ran.timed_steps
            seconds += taken
    return Phase(tokens, seconds)


def cold_seconds(runs: Sequence[Ran]) -> float | None:
    """What the prompts would have taken cold, at the prefill speed of these runs; an estimate.

    None if no prefill was measured.
    """
    speed = prefill(runs).token_ms
    if speed is None:
        return None
    return speed * sum(ran.report.plan.total for ran in runs) / 1e3
