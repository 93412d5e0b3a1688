"""Encodes an answer's report as JSON and back. Invalid JSON decodes to None."""

from __future__ import annotations

import json
from base64 import b64encode
from dataclasses import asdict, replace

import msgspec

from engine.reuse import ReuseReport
from engine.sentence import as_data, from_data


def dump_report(report: ReuseReport | None) -> str:
    """A JSON object without the texts of other conversations; "" for None."""
    if report is None:
        return ""
    kept = replace(report, plan=report.plan.unquoted())
    said = asdict(kept)
    said["plan"]["detail"] = as_data(kept.plan.detail)
    said["drafts"]["tried"] = b64encode(kept.drafts.tried).decode()
    return json.dumps(said, separators=(",", ":"))


def load_report(text: str) -> ReuseReport | None:
    """The report; None if the text is empty, damaged or written by another version."""
    if not text:
        return None
    try:
        said = json.loads(text)
        said["plan"]["detail"] = from_data(said["plan"]["detail"])
        found = msgspec.convert(said, ReuseReport)
        return found if found.drafts.of(found.generated) else None
    except (
        *(AssertionError, KeyError, RecursionError, TypeError, ValueError),
        msgspec.ValidationError,
    ):
        return None
