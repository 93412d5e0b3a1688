"""Answers to many schemas: each is valid, whatever the model would rather say."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

from engine import Engine, Message, PromptOptions, events
from engine.text.json_rule import json_rule
from tests.mostly_slow import mostly_slow

WORDS = ("name", "size of it", "größe", "a/b", "$", "名")
PATTERNS = ("^[a-f]{2,4}$", "^(ab|cd)-[0-9]$", "^x?y{1,3}$")
DATE = re.compile(r"\d{4}-\d\d-\d\d")


class Schemas:
    """Draws schemas of what the public test suite of JSON Schema covers."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def whole(self) -> dict[str, Any]:
        """A schema with definitions that it refers to."""
        drawn = self.one(3)
        return drawn | {"$defs": {"short": {"type": "string", "maxLength": 5}, "one": {"const": 1}}}

    def one(self, depth: int) -> dict[str, Any]:
        rng = self._rng
        kinds = [self._string, self._number, self._choice, self._reference, self._simple]
        if depth:
            kinds += [self._object, self._array, self._tuple, self._any] * 2
        return rng.choice(kinds)(depth - 1)

    def _string(self, depth: int) -> dict[str, Any]:
        return self._rng.choice(
            [
                {"type": "string", "minLength": 1, "maxLength": self._rng.randint(1, 9)},
                {"type": "string", "pattern": self._rng.choice(PATTERNS)},
                {"type": "string", "format": "date"},
            ]
        )

    def _number(self, depth: int) -> dict[str, Any]:
        least = self._rng.randint(-50, 50)
        most = least + self._rng.randint(0, 100)
        bounds = {"minimum": least, "maximum": most}
        if self._rng.random() < 0.3:
            bounds = {"exclusiveMinimum": least - 1, "exclusiveMaximum": most + 1}
        return {"type": "integer", **bounds}

    def _choice(self, depth: int) -> dict[str, Any]:
        values = [None, True, -3, "ä\n\"'", "x", [1, "y"], {"k": None}]
        return self._rng.choice(
            [{"enum": self._rng.sample(values, 3)}, {"const": self._rng.choice(values)}]
        )

    def _reference(self, depth: int) -> dict[str, Any]:
        return {"$ref": "#/$defs/" + self._rng.choice(["short", "one"])}

    def _simple(self, depth: int) -> dict[str, Any]:
        return {"type": self._rng.choice(["boolean", "null", ["boolean", "null"]])}

    def _object(self, depth: int) -> dict[str, Any]:
        names = self._rng.sample(WORDS, self._rng.randint(0, 4))
        return {
            "type": "object",
            "properties": {name: self.one(depth) for name in names},
            "required": self._rng.sample(names, self._rng.randint(0, len(names))),
            "additionalProperties": False,
        }

    def _array(self, depth: int) -> dict[str, Any]:
        least = self._rng.randint(0, 2)
        return {"type": "array", "items": self.one(depth), "minItems": least, "maxItems": least + 2}

    def _tuple(self, depth: int) -> dict[str, Any]:
        parts = [self.one(depth) for _ in range(self._rng.randint(1, 3))]
        return {"type": "array", "prefixItems": parts, "items": False, "minItems": len(parts)}

    def _any(self, depth: int) -> dict[str, Any]:
        return {"anyOf": [self.one(depth) for _ in range(self._rng.randint(1, 3))]}


def valid(value: Any, schema: Any, root: dict[str, Any]) -> bool:
    """Whether a value follows a schema, of what `Schemas` draws."""
    if isinstance(schema, bool):
        return schema
    if "$ref" in schema:
        return valid(value, root["$defs"][schema["$ref"].rpartition("/")[2]], root)
    if "anyOf" in schema:
        return any(valid(value, one, root) for one in schema["anyOf"])
    if "const" in schema or "enum" in schema:
        return json.dumps(value) in map(json.dumps, schema.get("enum", [schema.get("const")]))
    stated = schema["type"]
    kinds = [stated] if isinstance(stated, str) else stated
    names = {bool: "boolean", int: "integer", str: "string", list: "array", dict: "object"}
    if names.get(type(value), "null") not in kinds:
        return False
    match value:
        case bool() | None:
            return True
        case int():
            least = schema.get("minimum", schema.get("exclusiveMinimum", 0) + 1)
            most = schema.get("maximum", schema.get("exclusiveMaximum", 0) - 1)
            return bool(least <= value <= most)
        case str():
            if schema.get("format"):
                return DATE.fullmatch(value) is not None
            if "pattern" in schema:
                return re.search(schema["pattern"], value) is not None
            return bool(schema.get("minLength", 0) <= len(value) <= schema["maxLength"])
        case list():
            parts = schema.get("prefixItems", [])
            fits = all(
                valid(one, parts[at] if at < len(parts) else schema["items"], root)
                for at, one in enumerate(value)
            )
            return fits and schema["minItems"] <= len(value) <= schema.get("maxItems", len(parts))
        case dict():
            known = schema["properties"]
            return set(schema["required"]) <= set(value) <= set(known) and all(
                valid(one, known[name], root) for name, one in value.items()
            )
    raise AssertionError(value)


@pytest.mark.parametrize("seed", mostly_slow(range(10), 1))
def test_thirty_schemas_each(engine: Engine, seed: int) -> None:
    schemas, grammars = Schemas(seed), engine.on_core(lambda core: core.grammars)
    for at in range(30):
        schema = schemas.whole()
        grammar = f"start: {json_rule(schema)}"
        assert not grammars.check(grammar), schema
        sampling = engine.model.sampling.merged(
            {"temperature": at % 3 / 2, "seed": at, "max_tokens": 900, "grammar": grammar}
        )
        asked = [Message("user", f"Please give me number {at}.")]
        *_, last = engine.generate(asked, sampling, PromptOptions(thinking=at % 2 == 0))
        assert isinstance(last, events.RequestFinished), (schema, last)
        assert last.stop == "end", (schema, last.text)
        assert valid(json.loads(last.text), schema, schema), (schema, last.text)


def test_the_judge_can_say_no() -> None:
    """Each value breaks the one thing that its schema says."""
    for value, schema in (
        (5, {"type": "string", "maxLength": 9}),
        ("abc", {"type": "string", "maxLength": 2}),
        ("zz", {"type": "string", "pattern": PATTERNS[0]}),
        (7, {"type": "integer", "minimum": 8, "maximum": 9}),
        (True, {"type": "integer", "minimum": 0, "maximum": 9}),
        ([1], {"type": "array", "items": {"const": 2}, "minItems": 0, "maxItems": 1}),
        ([1], {"type": "array", "items": True, "minItems": 2, "maxItems": 3}),
        ({}, {"type": "object", "properties": {"a": True}, "required": ["a"]}),
        ({"b": 1}, {"type": "object", "properties": {}, "required": []}),
        ("x", {"anyOf": [{"const": "y"}, {"$ref": "#/$defs/z"}]}),
    ):
        assert not valid(value, schema, {"$defs": {"z": {"const": "z"}}}), (value, schema)
