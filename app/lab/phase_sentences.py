"""Prefill and decode in words: what ran, what it would have been, and how long. Without Qt."""

from __future__ import annotations

from collections.abc import Sequence

from app.lab.phases import Phase, cold_seconds, decode, positions, prefill, total
from app.session.ledger import Ran
from app.words import format as fmt

NOTHING_RAN = "Nothing has run since the model was opened. Ask something, and watch."
KINDS = {
    "cached": "With the cache",
    "cold": "Every prompt cold",
    "bare": "No cache at all",
}
WHAT = {
    "cached": "as it ran: only what is new or has to be replayed",
    "cold": "each prompt computed from its first token",
    "bare": "the whole sequence again for every token",
}
PHASES = (
    "Prefill runs many prompt tokens at once, so each reading of the weights serves all of them. "
    "Decode reads the weights again for every token."
)


def times(value: int, base: int) -> str:
    """How many times the base: "12.4 ×"; "" where that says nothing."""
    if not base or value == base:
        return ""
    ratio = value / base
    return f"{ratio:,.0f} ×" if ratio >= 99.5 else f"{ratio:.1f} ×"


def milliseconds(value: float | None) -> str:
    """Three significant digits: "0.71 ms", "201 ms"; "not measured" for None."""
    if value is None:
        return "not measured"
    digits = 2 if value < 9.995 else 1 if value < 99.95 else 0
    return f"{value:,.{digits}f} ms"


def headline(runs: Sequence[Ran], finished: int) -> str:
    """What the session's requests ran, against what they would have run cold."""
    if not runs:
        return NOTHING_RAN
    sums = total(runs)
    saved = sums.cold - sums.cached
    share = f" ({100 * saved / sums.cold:.0f} %)" if sums.cold else ""
    of = f"The last {fmt.count(len(runs))} of " if finished > len(runs) else ""
    requests = f"{of}{fmt.plural(finished, 'request')}"
    return (
        f"{requests}: {fmt.plural(sums.cached, 'position')} ran. Cold, every prompt computed from "
        f"its first token, it would be {fmt.count(sums.cold)}: the cache saved "
        f"{fmt.count(saved)}{share}."
    )


def gap_line(runs: Sequence[Ran]) -> str:
    """How far apart the two phases are, per token."""
    fast, slow = prefill(runs).token_ms, decode(runs).token_ms
    if fast is None or slow is None:
        return PHASES
    if slow >= fast:
        return f"A decoded token took {slow / fast:,.1f} times as long as a prefilled one. {PHASES}"
    return (
        "So far prefill was no faster per token: its prompts were too short to share a reading of "
        f"the weights. {PHASES}"
    )


def phase_text(phase: Phase) -> str:
    """Of what a time per token is the mean: "1,024 tokens in 2.15 s"."""
    if phase.token_ms is None:
        return ""
    return f"{fmt.plural(phase.tokens, 'token')} in {fmt.seconds(phase.seconds)}"


def time_line(runs: Sequence[Ran]) -> str:
    """Time of the prompts, measured, and cold, extrapolated."""
    measured, cold = prefill(runs), cold_seconds(runs)
    if cold is None:
        return ""
    return (
        f"Prompts took {fmt.seconds(measured.seconds)}; cold, at the same speed, "
        f"~{fmt.seconds(cold)}."
    )


def run_line(ran: Ran, runs: Sequence[Ran]) -> str:
    """One request: its parts, its counts and its time; "~" marks what is extrapolated."""
    plan, report, sums = ran.report.plan, ran.report, positions(ran)
    name = f"Request {fmt.count(ran.number)}" + (f' in "{ran.title}"' if ran.title else "")
    taken = (report.replay_ms + report.prefill_ms) / 1e3
    speed = prefill(runs).token_ms
    cold = f", cold ~{fmt.seconds(speed * plan.total / 1e3)}" if speed is not None else ""
    return (
        f"{name}: a prompt of {fmt.plural(plan.total, 'token')}, {fmt.count(plan.reused)} reused, "
        f"{fmt.count(plan.replayed)} replayed, {fmt.count(plan.computed)} new, then "
        f"{fmt.plural(ran.steps, 'decode step')}: {fmt.plural(sums.cached, 'position')}. Cold "
        f"{fmt.count(sums.cold)}, no cache at all {fmt.count(sums.bare)}. "
        f"The prompt took {fmt.seconds(taken)}{cold}."
    )
