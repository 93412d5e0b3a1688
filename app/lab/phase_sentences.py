"""Prefill and decode in words: what ran, what it would have been, and how long. Without Qt."""

from __future__ import annotations

from collections.abc import Sequence

from app.lab.phases import Phase, cold_seconds, decode, positions, prefill, total
from app.session.ledger import Ran
from app.words import format as fmt
from app.words.tr import tr

NOTHING_RAN = tr("Nothing has run since the model was opened. Ask something, and watch.")
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


def times(value: int, base: int) -> str:
    """How many times the base: "12.4 ×"; "" where that says nothing."""
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
    """What the session's requests ran, against what they would have run cold."""
    if not runs:
        return NOTHING_RAN
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
    """How far apart the two phases are, per token."""
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
    """Of what a time per token is the mean: "1,024 tokens in 2.15 s"."""
    if phase.token_ms is None:
        return ""
    return tr("{tokens} in {seconds}").format(
        tokens=fmt.plural(phase.tokens, "token"), seconds=fmt.seconds(phase.seconds)
    )


def time_line(runs: Sequence[Ran]) -> str:
    """Time of the prompts, measured, and cold, extrapolated."""
    measured, cold = prefill(runs), cold_seconds(runs)
    if cold is None:
        return ""
    return tr("Prompts took {seconds}; cold, at the same speed, ~{cold}.").format(
        seconds=fmt.seconds(measured.seconds), cold=fmt.seconds(cold)
    )


def run_line(ran: Ran, runs: Sequence[Ran]) -> str:
    """One request: its parts, its counts and its time; "~" marks what is extrapolated."""
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
