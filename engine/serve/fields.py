"""Reads the fields of a body: each has a type, and a sentence that says so where it is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.field_check import MOST, is_whole
from engine.serve.problem import wrong


class Fields:
    """A JSON object of a body; `path` names it in sentences. Null counts as left out."""

    def __init__(self, given: Mapping[str, Any], path: str = "") -> None:
        self.given = given
        self._path = path

    def name(self, key: str) -> str:
        """The field's name as a sentence says it."""
        return f"{self._path}.{key}" if self._path else key

    def get(self, key: str) -> Any:
        return self.given.get(key)

    def text(self, key: str, default: str = "") -> str:
        value = self.get(key)
        if value is None:
            return default
        if not isinstance(value, str):
            raise self._wrong(key, "a string")
        return value

    def flag(self, key: str, default: bool = False) -> bool:
        value = self.get(key)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise self._wrong(key, "true or false")
        return value

    def whole(self, key: str, least: int = 0, most: int = MOST) -> int | None:
        value = self.get(key)
        if value is None:
            return None
        # Some clients write 20.0.
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not is_whole(value) or not least <= value <= most:
            raise self._wrong(key, f"a whole number of at least {least}")
        return int(value)

    def number(self, key: str, least: float, most: float) -> float | None:
        value = self.get(key)
        if value is None:
            return None
        if not (is_whole(value) or isinstance(value, float)) or not least <= value <= most:
            raise self._wrong(key, f"a number from {least:g} to {most:g}")
        return float(value)

    def items(self, key: str) -> list[Any]:
        value = self.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self._wrong(key, "a list")
        return value

    def object(self, key: str) -> Fields:
        value = self.get(key)
        if value is None:
            return Fields({}, self.name(key))
        return fields_of(value, self.name(key))

    def objects(self, key: str) -> list[Fields]:
        return [
            fields_of(item, f"{self.name(key)}[{at}]") for at, item in enumerate(self.items(key))
        ]

    def refuse(self, key: str, sentence: str) -> None:
        """What cannot be done is refused, not left out: Raises Refused if the field is set."""
        if self.get(key):
            raise wrong(self.name(key), sentence)

    def _wrong(self, key: str, wanted: str) -> Exception:
        return wrong(self.name(key), f"{self.name(key)} must be {wanted}.")


def fields_of(value: object, path: str) -> Fields:
    """Raises Refused unless `value` is an object."""
    if not isinstance(value, Mapping):
        raise wrong(path, f"{path} must be an object.")
    return Fields(value, path)
