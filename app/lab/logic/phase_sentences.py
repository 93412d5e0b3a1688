"""Sentences on prefill and decode: what ran, compared with no cache, and times. Without Qt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from app.core.session.ledger import Ran
from app.core.words import format as fmt
from app.core.words.tr import tr

EXAMPLE_RUNS = tr(
    "Recorded with the bundled model; your own requests stand here once you have asked something."
)
Caching = Literal["with", "without", "both"]
CACHING: dict[Caching, tuple[str, str]] = {
    "with": (tr("With"), tr("The positions that ran, with the cache")),
    "without": (tr("Without"), tr("The positions that would have run without a cache")),
    "both": (tr("Both"), tr("What ran, within the outline of what would have run without a cache")),
}
# The kinds of caching that each choice shows.
SHOWN: dict[Caching, tuple[str, ...]] = {
    "with": ("cached",),
    "without": ("cold", "bare"),
    "both": ("cached", "cold", "bare"),
}
KINDS = {
    "cached": tr("With the cache"),
    "cold": tr("Every prompt cold"),
    "bare": tr("No cache at all"),
}
WHAT = {
    "cached": tr("as it ran: only what is new or has to be replayed"),
    "cold": tr("each prompt computed from its first token"),
    "bare": tr("the whole sequence again for every token"),
}
PHASES = tr(
    "Prefill runs many prompt tokens at once, so each reading of the weights "
    "serves all of them. Decode reads the weights again for every token."
)


@dataclass(frozen=True, slots=True)
class Positions:
    """Positions processed, by kind of caching.

    Attributes:
        cached: as it ran.
        cold: without a cache between prompts.
        bare: without any cache, not even between two tokens of an answer.
    """

    cached: int
    cold: int
    bare: int

    def __add__(self, other: Positions) -> Positions:
        return Positions(self.cached + other.cached, self.cold + other.cold, self.bare + other.bare)


NONE = Positions(0, 0, 0)


@dataclass(frozen=True, slots=True)
class Phase:
    """A measured phase of the runs: tokens, and seconds for all of them together."""

    tokens: int
    seconds: float

    @property
    def token_ms(self) -> float | None:
        """Milliseconds per token; None if nothing was measured."""
        return 1e3 * self.seconds / self.tokens if self.tokens and self.seconds > 0 else None


def positions(ran: Ran) -> Positions:
    """The positions that one request processed."""
    return sequence_positions(
        ran.report.plan.total, ran.steps, ran.report.plan.reused, started=ran.report.generated > 0
    )


def sequence_positions(prompt: int, steps: int, reused: int, *, started: bool = True) -> Positions:
    """The positions of a prompt, with `reused` tokens from the cache, and of decode steps.

    Without any cache each step runs the whole sequence again: n, n + 1, ... n + steps positions.
    `started`: its answer had at least one token.
    """
    passes = steps if started else 0
    bare = prompt * (passes + 1) + passes * (passes + 1) // 2
    return Positions(prompt - reused + steps, prompt + steps, bare)


def running_totals(runs: Sequence[Ran]) -> tuple[Positions, ...]:
    """The running sums after each request."""
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
    """Decode steps with a measured time, and that time."""
    tokens, seconds = 0, 0.0
    for ran in runs:
        taken = ran.decode_s
        if taken is not None:
            tokens += ran.timed_steps
            seconds += taken
    return Phase(tokens, seconds)


def cold_seconds(runs: Sequence[Ran]) -> float | None:
    """An estimate of the prompts' time without a cache, at the prefill speed of these runs.

    None if no prefill was measured.
    """
    speed = prefill(runs).token_ms
    if speed is None:
        return None
    return speed * sum(ran.report.plan.total for ran in runs) / 1e3


def times(value: int, base: int) -> str:
    """A multiple of the base: "12.4 ×"; "" if meaningless."""
    if not base or value == base:
        return ""
    ratio = value / base
    return f"{ratio:,.0f} ×" if ratio >= 99.5 else f"{ratio:.1f} ×"


def milliseconds(value: float | None) -> str:
    """Three significant digits: "0.71 ms", "201 ms"; "not measured" for None."""
    if value is None:
        return tr("not measured")
    digits = 2 if value < 9.995 else 1 if value < 99.95 else 0
    return f"{value:,.{digits}f} ms"


def headline(runs: Sequence[Ran], finished: int) -> str:
    """What the session's requests ran, compared with what they would have run cold."""
    sums = total(runs)
    saved = sums.cold - sums.cached
    share = f" ({100 * saved / sums.cold:.0f}%)" if sums.cold else ""
    of = tr("The last {runs} of ").format(runs=fmt.count(len(runs))) if finished > len(runs) else ""
    requests = f"{of}{fmt.plural(finished, 'request')}"
    return tr(
        "{requests}: {positions} ran. Cold, every prompt computed from its first "
        "token, it would be {cold}: the cache saved {saved}{share}."
    ).format(
        requests=requests,
        positions=fmt.plural(sums.cached, "position"),
        cold=fmt.count(sums.cold),
        saved=fmt.count(saved),
        share=share,
    )


def gap_line(runs: Sequence[Ran]) -> str:
    """The ratio of the two phases' times per token."""
    fast, slow = prefill(runs).token_ms, decode(runs).token_ms
    if fast is None or slow is None:
        return PHASES
    if slow >= fast:
        return tr(
            "A decoded token took {slow:,.1f} times as long as a prefilled one. {phases}"
        ).format(slow=slow / fast, phases=PHASES)
    return tr(
        "So far prefill was no faster per token: its prompts were too short to "
        "share a reading of the weights. {phases}"
    ).format(phases=PHASES)


def phase_text(phase: Phase) -> str:
    """The basis of a mean time per token: "1,024 tokens in 2.15 s"."""
    if phase.token_ms is None:
        return ""
    return tr("{tokens} in {seconds}").format(
        tokens=fmt.plural(phase.tokens, "token"), seconds=fmt.seconds(phase.seconds)
    )


def time_line(runs: Sequence[Ran]) -> str:
    """The prompts' measured time, and the extrapolated time of cold prompts."""
    measured, cold = prefill(runs), cold_seconds(runs)
    if cold is None:
        return ""
    return tr("Prompts took {seconds}; cold, at the same speed, ~{cold}.").format(
        seconds=fmt.seconds(measured.seconds), cold=fmt.seconds(cold)
    )


def run_line(ran: Ran, runs: Sequence[Ran]) -> str:
    """One request: its parts, counts and time; "~" marks extrapolated figures."""
    plan, report, sums = ran.report.plan, ran.report, positions(ran)
    name = tr("Request {number}").format(number=fmt.count(ran.number)) + (
        tr(' in "{title}"').format(title=ran.title) if ran.title else ""
    )
    taken = (report.replay_ms + report.prefill_ms) / 1e3
    speed = prefill(runs).token_ms
    cold = (
        tr(", cold ~{speed}").format(speed=fmt.seconds(speed * plan.total / 1000.0))
        if speed is not None
        else ""
    )
    return tr(
        "{name}: a prompt of {tokens}, {reused} reused, {replayed} replayed, "
        "{computed} new, then {steps}: {positions}. Cold {cold}, no cache at all "
        "{bare}. The prompt took {taken}{cold2}."
    ).format(
        name=name,
        tokens=fmt.plural(plan.total, "token"),
        reused=fmt.count(plan.reused),
        replayed=fmt.count(plan.replayed),
        computed=fmt.count(plan.computed),
        steps=fmt.plural(ran.steps, "decode step"),
        positions=fmt.plural(sums.cached, "position"),
        cold=fmt.count(sums.cold),
        bare=fmt.count(sums.bare),
        taken=fmt.seconds(taken),
        cold2=cold,
    )
