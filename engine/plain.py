"""Records as plain dictionaries and lists, for JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from typing import Any

from msgspec import Struct

from engine.stored_state import StoredState


def as_plain(value: Any) -> Any:
    """Like `dataclasses.asdict`, but merges a stored state's attributes into its holder's."""
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
