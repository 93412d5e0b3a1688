"""Why a model folder cannot be opened, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.model.inspect import ModelReport

# How many missing or wrong tensors are named.
NAMED = 5


def problem_lines(report: ModelReport) -> list[str]:
    """Why the model cannot be opened."""
    made: list[str] = []
    if report.missing_files:
        made.append(f"Missing files: {_named(report.missing_files)}; download them again.")
    if report.missing:
        made.append(f"Missing tensors ({len(report.missing):,}): {_named(report.missing)}.")
    made += report.wrong[:NAMED]
    if len(report.wrong) > NAMED:
        made.append(f"{len(report.wrong) - NAMED:,} more tensors cannot be loaded as they are.")
    return ["", *made] if made else []


def _named(names: tuple[str, ...]) -> str:
    rest = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + rest
