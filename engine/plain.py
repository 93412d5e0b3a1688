"""Records as plain dictionaries and lists, for JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from typing import Any

from msgspec import Struct

from engine.drafted import Drafted
from engine.stored_state import StoredState


def as_plain(value: Any) -> Any:
    """Like `dataclasses.asdict`, but merges a stored state's attributes into its holder's.

    What was drafted is counted, and each draft told by the names of its fields.
    """
    if isinstance(value, Drafted):
        counts = {"steps": value.steps, "drafted": value.drafted, "kept": value.kept}
        tried = [draft._asdict() for draft in value.drafts]
        return {"sources": value.sources, **counts, "drafts": tried}
    if isinstance(value, Struct):
        return _record(value, value.__struct_fields__)
    if is_dataclass(value) and not isinstance(value, type):
        return _record(value, (field.name for field in fields(value)))
    if isinstance(value, dict):
        return {key: as_plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [as_plain(inner) for inner in value]
    return value


def _record(value: Any, names: Iterable[str]) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for name in names:
        inner = getattr(value, name)
        if isinstance(inner, StoredState):
            plain |= as_plain(inner) | {"exact": inner.exact}
        else:
            plain[name] = as_plain(inner)
    return plain
