"""Typed looks into JSON that somebody else wrote: what is not of its type is not there."""

from __future__ import annotations

import json
from typing import Any

from engine.field_check import MOST


def record(value: object) -> dict[str, Any]:
    """The object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def text(value: object) -> str:
    return value if isinstance(value, str) else ""


def count(value: object) -> int | None:
    """A whole number from 0; None for anything else, as for one that is no number of tokens."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST:
        return None
    return value


def number(value: object) -> float | None:
    """A finite number; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    made = float(value) if abs(value) < 1e300 else None
    return made if made is not None and made == made else None


def parsed(data: str | bytes) -> dict[str, Any] | None:
    """An object of JSON; None if it is none."""
    try:
        made = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return made if isinstance(made, dict) else None
