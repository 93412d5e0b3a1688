"""One poll of the counters: the value of each track at that time."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.errors import RemoteError
from engine.events import Event
from engine.net.counters.known import TRACKS, Track

MOST_BYTES = 8 << 20
_MOST_LINES = 200_000
_MOST_NAME = 200

# The samples of each name: one per set of labels.
Samples = Mapping[str, tuple[float, ...]]


def samples_of(body: bytes) -> Samples:
    """The samples by name, without labels and timestamps.

    Other lines are skipped, as extensions of the Prometheus format would be.

    Raises:
        RemoteError: no line is a sample, so this is something else.
    """
    found: dict[str, list[float]] = {}
    lines = 0
    for line in _lines(body):
        lines += 1
        sample = _sample(line)
        if sample is not None:
            found.setdefault(sample[0], []).append(sample[1])
    if lines and not found:
        raise RemoteError("The address of the counters answers with something else than counters.")
    return {name: tuple(values) for name, values in found.items()}


def _lines(body: bytes) -> Iterator[str]:
    for at, raw in enumerate(body[:MOST_BYTES].decode(errors="replace").split("\n")):
        if at >= _MOST_LINES:
            return
        line = raw.strip()
        if line and not line.startswith("#"):
            yield line


def _sample(line: str) -> tuple[str, float] | None:
    """Name and value of `name{labels} value time`; None if the line is not one or has no number."""
    at = next((at for at, c in enumerate(line[:_MOST_NAME]) if c in "{ \t"), -1)
    if at <= 0:
        return None
    name, rest = line[:at], line[at:].lstrip()
    if rest.startswith("{"):
        end = _end_of_labels(rest)
        if end < 0:
            return None
        rest = rest[end + 1 :].lstrip()
    words = rest.split()
    if not 1 <= len(words) <= 2:
        return None
    try:
        value = float(words[0])
    except ValueError:
        return None
    return (name, value) if math.isfinite(value) else None


def _end_of_labels(rest: str) -> int:
    """The index of the closing brace, ignoring quoted ones; -1 without one."""
    quoted = escaped = False
    for at, c in enumerate(rest):
        if escaped:
            escaped = False
        elif quoted and c == "\\":
            escaped = True
        elif c == '"':
            quoted = not quoted
        elif c == "}" and not quoted:
            return at
    return -1


@dataclass(frozen=True, slots=True)
class Reading:
    """The value of one track; None if undefined, as a share of nothing is."""

    key: str
    value: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CountersRead(Event):
    """One poll of a remote engine's counters.

    Attributes:
        readings: of the tracks that the server has, in the order of TRACKS.
        sentence: why there are none, "" if there are.
    """

    readings: tuple[Reading, ...] = ()
    sentence: str = ""


def readings_of(
    now: Samples, before: Samples | None, seconds: float, tracks: Sequence[Track] = TRACKS
) -> tuple[Reading, ...]:
    """The values of the tracks.

    Args:
        before: the previous poll, None for the first.
        seconds: since the previous poll.
    """
    made: list[Reading] = []
    for track in tracks:
        name = _first(track.names, now)
        if not name:
            continue
        match track.how:
            case "now":
                value: float | None = _value(now[name], track)
            case "rate":
                grown = _growth(name, now, before)
                value = None if grown is None or seconds <= 0 else grown / seconds
            case "share":
                value = _share(name, _first(track.over, now), now, before)
        made.append(Reading(track.key, value))
    return tuple(made)


def _first(names: Sequence[str], found: Samples) -> str:
    return next((name for name in names if name in found), "")


def _value(samples: tuple[float, ...], track: Track) -> float:
    """Combine several engines behind one address: numbers are summed, shares are averaged."""
    whole = sum(samples)
    return whole / len(samples) if track.unit == "parts" else whole


def _growth(name: str, now: Samples, before: Samples | None) -> float | None:
    """None after the first poll, and if the server has restarted."""
    if before is None or name not in before:
        return None
    grown = sum(now[name]) - sum(before[name])
    return grown if grown >= 0 else None


def _share(name: str, over: str, now: Samples, before: Samples | None) -> float | None:
    """None while the whole does not grow, as without requests."""
    if not over:
        return None
    part, whole = _growth(name, now, before), _growth(over, now, before)
    if part is None or not whole:
        return None
    return min(1.0, part / whole)
