"""Requests as columns of a small plot; where there are many, several share one. Without Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.words import format as fmt
from app.words.joining import listed
from app.words.tr import tr
from engine.trace.report import ReplayedRequest, ReplayReport

_LEAST_PX = 3

# Reused, replayed and computed.
Tokens = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Column:
    """`requests` of them from place `first` on, and the sums of their tokens."""

    first: int
    requests: int
    reused: int
    replayed: int
    computed: int

    @property
    def total(self) -> int:
        return self.reused + self.replayed + self.computed


def today_tokens(today: ReplayReport) -> list[Tokens]:
    """By request, what it reused, replayed and computed; as measured where it was."""
    return [one.recorded or _replayed(one) for one in today.requests]


def predicted_tokens(today: ReplayReport, predicted: ReplayReport) -> list[Tokens]:
    """By request, today's tokens, changed as the two replays differ."""
    return [
        _shifted(one.recorded or _replayed(one), _replayed(one), _replayed(other))
        for one, other in zip(today.requests, predicted.requests, strict=False)
    ]


def _replayed(request: ReplayedRequest) -> Tokens:
    return request.reused, request.replayed, request.computed


def _shifted(measured: Tokens, before: Tokens, after: Tokens) -> Tokens:
    """A prompt has as many tokens as before."""
    total = sum(measured)
    reused = min(max(measured[0] + after[0] - before[0], 0), total)
    replayed = min(max(measured[1] + after[1] - before[1], 0), total - reused)
    return reused, replayed, total - reused - replayed


def columns(requests: Sequence[Tokens], width: float) -> list[Column]:
    """As many columns as fit into `width` pixels."""
    if not requests:
        return []
    most = max(int(width // _LEAST_PX), 1)
    each = -(-len(requests) // most)
    return [
        Column(first, len(part), *(sum(kind) for kind in zip(*part, strict=True)))
        for first in range(0, len(requests), each)
        if (part := requests[first : first + each])
    ]


def tooltip(today: Column, predicted: Column | None) -> str:
    last = today.first + today.requests
    name = (
        tr("Request {last}").format(last=last)
        if today.requests == 1
        else tr("Requests {first} to {last}").format(first=today.first + 1, last=last)
    )
    lines = [
        listed((name, fmt.plural(today.total, "token"))),
        tr("today: {today}").format(today=_parts(today)),
    ]
    if predicted is not None:
        lines.append(tr("predicted: {predicted}").format(predicted=_parts(predicted)))
    return "\n".join(lines)


def _parts(column: Column) -> str:
    return tr("{reused} reused, {replayed} replayed, {computed} new").format(
        reused=fmt.count(column.reused),
        replayed=fmt.count(column.replayed),
        computed=fmt.count(column.computed),
    )
