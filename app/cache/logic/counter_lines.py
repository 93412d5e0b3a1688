"""The lines of counters over time: points in a unit square, with gaps where unknown. No Qt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from app.core.session.counters import GAP_S, SPAN_S, Point
from app.core.words import format as fmt
from app.core.words.tr import tr
from engine.net.counters.known import Unit


@dataclass(frozen=True, slots=True)
class CounterLine:
    """One track of the last two minutes.

    Attributes:
        runs: stretches without a gap, each of (x, y): x from 0 (two minutes ago) to 1 (now), y
            from 0 to 1 at `top`.
        gaps: stretches of x of which nothing is known.
        top: the value at the upper edge.
    """

    runs: tuple[tuple[tuple[float, float], ...], ...]
    gaps: tuple[tuple[float, float], ...]
    top: float


def line_of(points: Iterable[Point], now: float, unit: Unit) -> CounterLine:
    """Split the readings into runs and gaps."""
    first = now - SPAN_S
    seen = [point for point in points if first - GAP_S <= point.time <= now]
    values = [point.value for point in seen if point.value is not None]
    top = 1.0 if unit == "parts" else round_top(max(values, default=0.0))
    runs: list[list[tuple[float, float]]] = []
    gaps: list[tuple[float, float]] = []
    # Nothing is known before the first reading.
    last: float | None = None
    known_to = first
    for point in seen:
        x = (point.time - first) / SPAN_S
        broken = last is None or point.time - last > GAP_S
        if broken and point.time > known_to:
            gaps.append(((known_to - first) / SPAN_S, x))
        if point.value is not None:
            if broken or not runs:
                runs.append([])
            runs[-1].append((min(1.0, max(0.0, x)), min(1.0, point.value / top)))
        elif runs and runs[-1]:
            # A reading without a value is no gap: there was no request.
            runs.append([])
        last = known_to = max(point.time, first)
    if now - known_to > GAP_S:
        gaps.append(((known_to - first) / SPAN_S, 1.0))
    return CounterLine(tuple(tuple(run) for run in runs if run), _joined(gaps), top)


def value_text(value: float | None, unit: Unit) -> str:
    """The label of a value next to its track; "–" without one."""
    if value is None:
        return "–"
    if unit == "parts":
        return f"{100 * value:.0f}%"
    figure = fmt.count(round(value)) if value >= 9.95 or value == round(value) else f"{value:.1f}"
    match unit:
        case "tokens/s":
            return f"{figure} tok/s"
        case "times/s":
            return tr("{count} per second").format(count=figure)
    return figure


def round_top(value: float) -> float:
    """Round up to 1, 2, 5, 10, … so that a line does not jump with each new maximum."""
    top = 1.0
    while top < value:
        for step in (2, 5, 10):
            if top * step >= value:
                return top * step
        top *= 10
    return top


def _joined(gaps: list[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    made: list[tuple[float, float]] = []
    for first, end in gaps:
        if made and first <= made[-1][1]:
            made[-1] = (made[-1][0], end)
        elif end > first:
            made.append((max(0.0, first), min(1.0, end)))
    return tuple(made)
