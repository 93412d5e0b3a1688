"""Requests as columns of a small plot; where there are many, several share one. Without Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.words import format as fmt
from app.words.joining import listed
from app.words.tr import tr
from engine.trace.report import ReplayedRequest

_LEAST_PX = 3


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


def columns(requests: Sequence[ReplayedRequest], width: float) -> list[Column]:
    """As many columns as fit into `width` pixels."""
    if not requests:
        return []
    most = max(int(width // _LEAST_PX), 1)
    each = -(-len(requests) // most)
    return [
        Column(
            first,
            len(part),
            sum(one.reused for one in part),
            sum(one.replayed for one in part),
            sum(one.computed for one in part),
        )
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
