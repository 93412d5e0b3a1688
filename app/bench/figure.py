"""A measured figure next to its budget, and the machine it was measured on. Without Qt."""

from __future__ import annotations

import os
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from engine import machine_speed


@dataclass(frozen=True, slots=True)
class Figure:
    """The median of several runs.

    Attributes:
        name: what was measured, such as "gap_decode_p95".
        what: the same in words.
        budget: in the same unit; None for no budget.
        runs: the figure of each run.
    """

    name: str
    what: str
    unit: str
    value: float
    budget: float | None
    runs: tuple[float, ...]

    @property
    def holds(self) -> bool:
        return self.budget is None or self.value < self.budget


def figure(
    name: str, what: str, runs: Sequence[float], budget: float | None, *, unit: str = "ms"
) -> Figure:
    """The median of at least one run."""
    rounded = tuple(round(run, 4) for run in runs)
    return Figure(name, what, unit, statistics.median(rounded), budget, rounded)


def processor() -> str:
    """The processor's name, its cores and its matrix instructions."""
    name, known = machine_speed.processor()
    matrices = [
        word if flag in known else f"no {word}"
        for flag, word in (("amx_bf16", "AMX"), ("avx512f", "AVX-512"))
    ]
    return ", ".join((name, f"{os.cpu_count()} cores", *matrices))
