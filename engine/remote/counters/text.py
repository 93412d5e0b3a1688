"""The text that Prometheus reads, within bounds (its exposition format, version 0.0.4)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from engine.errors import RemoteError

MOST_BYTES = 8 << 20
_MOST_LINES = 200_000
_MOST_NAME = 200

# The samples of each name: one for each set of labels.
Samples = Mapping[str, tuple[float, ...]]


def samples_of(body: bytes) -> Samples:
    """The samples by name, without their labels and times.

    Lines that are none are read over, as Prometheus' own additions to the format would be.

    Raises:
        RemoteError: no line of it is a sample: this is something else.
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
    """Name and value of `name{labels} value time`; None if it is no such line or no number."""
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
    """Where the closing brace is: one inside quotation marks is none. -1 without one."""
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
