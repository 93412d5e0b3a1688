"""Why a model folder cannot be opened, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.words.joining import listed
from app.words.tr import tr

if TYPE_CHECKING:
    from engine.model.inspect import ModelReport

# How many missing or wrong tensors are named.
NAMED = 5


def problem_lines(report: ModelReport) -> list[str]:
    """Why the model cannot be opened."""
    made: list[str] = []
    if report.missing_files:
        made.append(
            tr("Missing files: {missing_files}; download them again.").format(
                missing_files=_named(report.missing_files)
            )
        )
    if report.missing:
        made.append(
            tr("Missing tensors ({missing:,}): {missing2}.").format(
                missing=len(report.missing), missing2=_named(report.missing)
            )
        )
    made += report.wrong[:NAMED]
    if len(report.wrong) > NAMED:
        made.append(
            tr("{wrong:,} more tensors cannot be loaded as they are.").format(
                wrong=len(report.wrong) - NAMED
            )
        )
    return ["", *made] if made else []


def _named(names: tuple[str, ...]) -> str:
    rest = tr(" and {names:,} more").format(names=len(names) - NAMED) if len(names) > NAMED else ""
    return listed(names[:NAMED]) + rest
