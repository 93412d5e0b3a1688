"""Values of a tool call: text, typed by the tool's JSON schema."""

from __future__ import annotations

import json
from typing import Any

# JSON's constants as models trained on much Python spell them.
_CONSTANTS = {"true": True, "false": False, "null": None, "none": None}
_KINDS: dict[type, tuple[str, ...]] = {
    bool: ("boolean",),
    int: ("integer", "number"),
    float: ("number",),
    list: ("array",),
    dict: ("object",),
    type(None): ("null",),
}


def kinds_of(schema: object) -> frozenset[str]:
    """The JSON types that a schema of one value allows; empty if it says nothing of them."""
    if not isinstance(schema, dict):
        return frozenset()
    stated = schema.get("type")
    kinds = {stated} if isinstance(stated, str) else set()
    if isinstance(stated, list):
        kinds |= {one for one in stated if isinstance(one, str)}
    for choice in ("anyOf", "oneOf", "allOf"):
        inner = schema.get(choice)
        for one in inner if isinstance(inner, list) else ():
            kinds |= kinds_of(one)
    values = schema.get("enum")
    if not kinds and isinstance(values, list):
        kinds |= {kind for value in values for kind in _kinds(value)}
    return frozenset(kinds)


def is_text(schema: object) -> bool:
    """Whether a value is text as it stands, whatever it looks like."""
    kinds = kinds_of(schema)
    return "string" in kinds and "null" not in kinds


def typed(text: str, schema: object) -> Any:
    """The value that `text` stands for; the text itself where no allowed type fits."""
    kinds = kinds_of(schema)
    value = _read(text)
    if not kinds:
        # A schema without types allows everything, but a name may well be all digits.
        return value if isinstance(value, list | dict) else text
    if "string" in kinds and not (value is None and "null" in kinds):
        return text
    if isinstance(value, float) and value.is_integer() and "integer" in kinds:
        value = int(value)
    return value if any(kind in kinds for kind in _kinds(value)) else text


def _kinds(value: object) -> tuple[str, ...]:
    return _KINDS.get(type(value), ("string",))


def _read(text: str) -> Any:
    stripped = text.strip()
    if stripped.lower() in _CONSTANTS:
        return _CONSTANTS[stripped.lower()]
    try:
        return json.loads(stripped, parse_constant=lambda name: name)
    except (ValueError, RecursionError):
        return text


def unwrapped(text: str) -> str:
    """A value without the one line break that sets it off on either side."""
    return text.removeprefix("\n").removesuffix("\n")


def json_text(value: object) -> str:
    """JSON as it is streamed."""
    return json.dumps(value, ensure_ascii=False)
