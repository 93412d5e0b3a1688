"""What a server reports about a request's cost, and the reuse plan derived from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.net.client.catalog import count, number, record, text
from engine.reuse import Reason, ReusePlan
from engine.sentence import from_data, in_turn, say

_LONGEST = 400
# How to make a silent server report it.
_SWITCHES = {
    "vLLM": say("It says so when it is started with --enable-prompt-tokens-details."),
    "SGLang": say("It says so when it is started with --enable-cache-report."),
}


@dataclass(frozen=True, slots=True)
class Told:
    """Usage of one request in tokens; None: the server does not report it.

    Attributes:
        prompt, generated: of prompt and answer.
        cached: of the prompt, reused.
        replayed: known, but run again: only of a server that distinguishes its planes.
        reason, detail: why no more was reused, of a server that knows: Biplane.
        tok_s: tokens per second of the answer.
    """

    prompt: int | None = None
    generated: int | None = None
    cached: int | None = None
    replayed: int | None = None
    reason: str = ""
    detail: str = ""
    tok_s: float | None = None


def told_in(chunk: Mapping[str, Any]) -> Told | None:
    """The usage in one event; None if it has none."""
    usage, timings = record(chunk.get("usage")), record(chunk.get("timings"))
    own = record(chunk.get("biplane")) or record(usage.get("biplane"))
    if not usage and not timings:
        return None
    details = record(usage.get("prompt_tokens_details"))
    cached = count(details.get("cached_tokens"))
    prompt = count(usage.get("prompt_tokens"))
    if timings and cached is None:
        cached = count(timings.get("cache_n"))
    if prompt is None and timings:
        ran = count(timings.get("prompt_n"))
        prompt = None if ran is None else ran + (cached or 0)
    generated = count(usage.get("completion_tokens"))
    try:
        detail = from_data(own.get("sentence"))
    except ValueError:
        # From an older Biplane.
        detail = text(own.get("detail"))
    return Told(
        prompt,
        count(timings.get("predicted_n")) if generated is None else generated,
        cached,
        count(own.get("replayed")),
        text(own.get("reason"))[:_LONGEST],
        detail if len(detail) <= _LONGEST else detail[:_LONGEST],
        number(timings.get("predicted_per_second")),
    )


def plan_of(told: Told | None, program: str) -> ReusePlan:
    """What a prompt reused, as far as known.

    program: the server's name, for the sentence.
    """
    if told is None or told.prompt is None:
        said = say(
            "{program} reports neither the length of the prompt nor what it reused.",
            program=_capital(program),
        )
        return _unknown(0, said, program)
    total = told.prompt
    if told.cached is None:
        switch = _SWITCHES.get(program, "")
        said = say("{program} does not report what it reused.", program=_capital(program))
        return _unknown(total, in_turn(said, switch), program)
    reused = min(told.cached, total)
    replayed = min(told.replayed or 0, total - reused)
    detail = told.detail or say("As {program} reports; it does not say why.", program=program)
    return ReusePlan(
        total,
        reused,
        replayed,
        total - reused - replayed,
        _reason(told.reason),
        detail,
        reported_by=program,
    )


def _capital(program: str) -> str:
    return program[:1].upper() + program[1:]


def _reason(said: str) -> Reason:
    try:
        return Reason(said)
    except ValueError:
        return Reason.NOT_REPORTED


def _unknown(total: int, detail: str, program: str) -> ReusePlan:
    return ReusePlan(
        total, 0, 0, 0, Reason.NOT_REPORTED, detail, unknown=total, reported_by=program
    )
