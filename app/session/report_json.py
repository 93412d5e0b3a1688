"""An answer's report as JSON and back. What does not read as a report is none."""

from __future__ import annotations

import json
import types
from dataclasses import asdict, fields, is_dataclass, replace
from enum import Enum
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from engine.reuse import ReuseReport


def dump_report(report: ReuseReport | None) -> str:
    """A JSON object without the texts of other conversations; "" for None."""
    if report is None:
        return ""
    kept = replace(report, plan=report.plan.unquoted())
    return json.dumps(asdict(kept), separators=(",", ":"))


def load_report(text: str) -> ReuseReport | None:
    """The report; None if there is none, or if it was damaged or written by another version."""
    if not text:
        return None
    try:
        made = _made(ReuseReport, json.loads(text))
    except (ValueError, TypeError, KeyError, RecursionError, AssertionError):
        return None
    assert isinstance(made, ReuseReport)
    return made


def _made(kind: Any, value: object) -> object:
    """A value of a type that a report consists of. Raises ValueError, TypeError or KeyError."""
    if is_dataclass(kind) and isinstance(kind, type):
        return _record(kind, value)
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        if value is None:
            return None
        (kind,) = [arm for arm in get_args(kind) if arm is not type(None)]
        return _made(kind, value)
    if origin is Literal:
        if value not in get_args(kind):
            raise ValueError(str(value))
        return value
    if issubclass(kind, Enum):
        return kind(value)
    # JSON writes 2.0 as it is, but others may have written 2.
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        raise TypeError(kind.__name__)
    return value


def _record(kind: type, value: object) -> object:
    if not isinstance(value, dict):
        raise TypeError(kind.__name__)
    hints = _hints(kind)
    # A field that came later has its default.
    names = [field.name for field in fields(kind) if field.name in value]
    return kind(**{name: _made(hints[name], value[name]) for name in names})


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)
