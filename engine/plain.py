"""Records as plain dictionaries and lists, for JSON."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from engine.stored_state import StoredState


def as_plain(value: Any) -> Any:
    """Like `dataclasses.asdict`, but merges a stored state's attributes into its holder's."""
    if is_dataclass(value) and not isinstance(value, type):
        plain: dict[str, Any] = {}
        for field in fields(value):
            inner = getattr(value, field.name)
            if isinstance(inner, StoredState):
                plain |= as_plain(inner) | {"exact": inner.exact}
            else:
                plain[field.name] = as_plain(inner)
        return plain
    if isinstance(value, dict):
        return {key: as_plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [as_plain(inner) for inner in value]
    return value
