"""One look at the counters: what each track shows then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.events import Event
from engine.remote.counters.known import TRACKS, Track
from engine.remote.counters.text import Samples


@dataclass(frozen=True, slots=True)
class Reading:
    """The value of one track; None where nothing can be said, as of a share of nothing."""

    key: str
    value: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CountersRead(Event):
    """A look at the counters of an engine elsewhere.

    Attributes:
        readings: of the tracks that the server has, in the order of TRACKS.
        sentence: why there are none, "" if there are.
    """

    readings: tuple[Reading, ...] = ()
    sentence: str = ""


def readings_of(
    now: Samples, before: Samples | None, seconds: float, tracks: Sequence[Track] = TRACKS
) -> tuple[Reading, ...]:
    """What the tracks show.

    Args:
        before: the look before, None for the first one.
        seconds: since then.
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
    """Of several engines behind one address: numbers add up, shares are averaged."""
    whole = sum(samples)
    return whole / len(samples) if track.unit == "parts" else whole


def _growth(name: str, now: Samples, before: Samples | None) -> float | None:
    """None after the first look, and where the server has begun anew."""
    if before is None or name not in before:
        return None
    grown = sum(now[name]) - sum(before[name])
    return grown if grown >= 0 else None


def _share(name: str, over: str, now: Samples, before: Samples | None) -> float | None:
    """None while the whole does not grow: no request came."""
    if not over:
        return None
    part, whole = _growth(name, now, before), _growth(over, now, before)
    if part is None or not whole:
        return None
    return min(1.0, part / whole)
