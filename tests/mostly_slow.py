"""Cases of a test of which every change runs a few, and `make full` all."""

from __future__ import annotations

from collections.abc import Iterable

import pytest


def mostly_slow(cases: Iterable[object], quick: int = 1) -> list[object]:
    """The first `quick` as they are, the others marked slow; a tuple is one case's arguments."""
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            marks=() if number < quick else pytest.mark.slow,
        )
        for number, case in enumerate(cases)
    ]
