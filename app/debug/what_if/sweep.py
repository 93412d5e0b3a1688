"""The curve of a sweep: what is reused at each position of a slider. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from app.debug.what_if.knobs import Knob
from app.debug.what_if.wanted import Wanted
from app.words.tr import tr
from engine.trace.predictions import Case
from engine.trace.report import ReplayReport

KEY = "sweep "


@dataclass(frozen=True, slots=True)
class Point:
    """One position: the share of the prompts that was reused, and that was replayed.

    `sentence`: why there is no result.
    """

    value: Any
    reused: float
    replayed: float
    sentence: str = ""


def sweep_cases(knob: Knob, wanted: Wanted, recorded: Wanted) -> tuple[Case, ...]:
    """A replay for every position of a slider, the others as they are."""
    return tuple(
        Case(f"{KEY}{at}", _at(wanted, knob, value).what_if(recorded), brief=True)
        for at, value in enumerate(knob.values)
    )


def point_of(value: Any, report: ReplayReport | None, sentence: str) -> Point:
    if report is None or not report.replayed.total:
        return Point(value, 0.0, 0.0, sentence or tr("No request was recorded."))
    sums = report.replayed
    return Point(value, sums.reused_share, sums.replayed / sums.total)


def best(points: list[Point | None]) -> Point | None:
    """The position that reuses most; of several the first, which is the smallest budget."""
    known = [point for point in points if point is not None and not point.sentence]
    return max(known, key=lambda point: point.reused, default=None)


def _at(wanted: Wanted, knob: Knob, value: Any) -> Wanted:
    return replace(wanted, **{knob.name: value})
