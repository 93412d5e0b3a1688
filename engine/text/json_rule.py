"""JSON by a schema, as a rule of a grammar."""

from __future__ import annotations

import json
from typing import Any

MOST_CHARS = 1 << 18
# How models write JSON on one line; endless white space would be valid, too.
_SPACING = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}
# What says which other properties there may be, or combines several schemas of one object.
_OPEN = {"additionalProperties", "patternProperties", "unevaluatedProperties", "allOf"}
# Where a schema holds others: by name, in a list, or alone.
BY_NAME = ("properties", "patternProperties", "$defs", "definitions")
LISTED = ("anyOf", "oneOf", "allOf", "prefixItems")
# Of integers; more digits would be no other number to most programs, and models write on.
_LEAST, _MOST = ("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")
MOST_INTEGER = (1 << 53) - 1
ALONE = ("items", "additionalProperties")


def json_rule(schema: object) -> str:
    """The rule of a schema. Raises ValueError, whose message follows the schema's name."""
    if schema is True:
        schema = {}
    if not isinstance(schema, dict):
        raise ValueError("must be a JSON schema")
    try:
        written = json.dumps(closed(schema) | {"x-guidance": _SPACING}, ensure_ascii=False)
    except RecursionError:
        raise ValueError("is too deep") from None
    if len(written) > MOST_CHARS:
        raise ValueError(f"is longer than {MOST_CHARS:,} characters")
    return f"%json {written}"


def is_schema(grammar: str) -> bool:
    """Whether it is the text of a JSON schema: no grammar begins with a brace."""
    return grammar.lstrip().startswith("{")


def read_schema(text: str) -> str:
    """The grammar of answers by a schema's text. Raises ValueError as `json_rule` does."""
    try:
        schema = json.loads(text)
    except RecursionError:
        raise ValueError("is too deep") from None
    except ValueError as error:
        raise ValueError(f"is not JSON: {error}") from None
    return f"start: {json_rule(schema)}"


def closed(schema: Any) -> Any:
    """A schema whose properties are those of an object, which has no others unless it says so.

    Every answer by it is one by the schema as given; models wander off in properties of their own.
    """
    if not isinstance(schema, dict):
        return schema
    made = dict(schema)
    for name in made:
        inner = made[name]
        if name in BY_NAME and isinstance(inner, dict):
            made[name] = {key: closed(part) for key, part in inner.items()}
        elif name in LISTED and name != "allOf" and isinstance(inner, list):
            made[name] = [closed(part) for part in inner]
        elif name in ALONE:
            made[name] = closed(inner)
    kinds = made.get("type")
    if "integer" in (kinds if isinstance(kinds, list) else [kinds]):
        for limits, most in ((_LEAST, -MOST_INTEGER), (_MOST, MOST_INTEGER)):
            if not set(limits) & made.keys():
                made[limits[0]] = most
    if "properties" in made:
        # Strictly, such a schema says nothing of what is no object.
        made.setdefault("type", "object")
        if not _OPEN & made.keys():
            made["additionalProperties"] = False
    return made
