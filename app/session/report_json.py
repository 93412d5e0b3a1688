"""An answer's report as JSON and back. What does not read as a report is none."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import msgspec

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
        return msgspec.convert(json.loads(text), ReuseReport)
    except (ValueError, RecursionError, AssertionError, msgspec.ValidationError):
        return None
