"""Engines side by side: each format of the weights beside what other programs make of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

# The format that a rival's file is comparable with, by how its name begins.
_FORMATS = {"BF16": "stored", "F16": "stored", "F32": "stored", "Q8": "int8", "Q4": "int4"}
_KIND = re.compile(r"\b(BF16|F16|F32|Q\d\w*)")


@dataclass(frozen=True, slots=True)
class Rival:
    """Another engine's tokens per second, by length.

    Attributes:
        name: with its format, "llama.cpp Q8_0".
        weights: the format of ours that it is compared with; "" if there is none.
    """

    name: str
    weights: str
    tok_s: Mapping[int, float]


def rival(engine: str, model: str, tok_s: Mapping[int, float]) -> Rival:
    """`model` is what it ran, named with its format; "" means the benchmark's own files."""
    if not model:
        return Rival(engine, "stored", tok_s)
    found = _KIND.search(model)
    if found is None:
        return Rival(f"{engine} {model}", "", tok_s)
    kind = found.group(1)
    weights = next((ours for start, ours in _FORMATS.items() if kind.startswith(start)), "")
    return Rival(f"{engine} {kind}", weights, tok_s)


def beside_lines(
    what: str, ours: Mapping[str, Mapping[int, float]], rivals: Sequence[Rival]
) -> list[str]:
    """A table: a row per format and length, and how many times as fast we are as each rival.

    ours: tokens per second by format and length. A rival in a format that was not measured stands
    beside all of them. No lines without a rival.
    """
    if not rivals:
        return []
    lines = [
        f"{what:>8}  {'weights':<8}{'Biplane':>9}   tok/s of others (Biplane is so many times)"
    ]
    for weights, speeds in ours.items():
        beside = [one for one in rivals if one.weights == weights or one.weights not in ours]
        for length, speed in speeds.items():
            parts = [
                f"{one.name} {figure(one.tok_s[length])} ({speed / one.tok_s[length]:.2f})"
                for one in beside
                if length in one.tok_s
            ]
            lines.append(
                f"{length:>8,}  {weights:<8}{figure(speed):>9}   {', '.join(parts)}".rstrip()
            )
    return lines


def figure(tok_s: float) -> str:
    """Tokens per second with as many digits as are worth reading."""
    return f"{tok_s:,.0f}" if tok_s >= 100 else f"{tok_s:.1f}"
