"""The fields of a config.json, read and validated one by one; errors name the field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.errors import ModelError


@dataclass(frozen=True, slots=True)
class ConfigFields:
    """The text part of a config.json; every method raises ModelError naming its field.

    Attributes:
        values: the text model's own object.
        outer: the whole file, which for some models holds more than the text model.
    """

    values: Mapping[str, Any]
    outer: Mapping[str, Any]

    def get(self, name: str) -> Any:
        value = self.values.get(name)
        return self.outer.get(name) if value is None else value

    def flag(self, name: str) -> bool:
        value = self.values.get(name)
        if not isinstance(value, bool):
            raise ModelError(f'config.json: "{name}" is {value!r}; it must be true or false.')
        return value

    def size(self, name: str) -> int:
        value = self.values.get(name)
        if value is None:
            raise ModelError(f'config.json has no "{name}"; it must state every size of the model.')
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise ModelError(f'config.json: "{name}" is {value!r}; it must be a positive integer.')
        return value

    def number(self, name: str, values: Mapping[str, Any] | None = None) -> float:
        value = (self.values if values is None else values).get(name)
        if value is None:
            raise ModelError(f'config.json has no "{name}"; it must state every size of the model.')
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e12:
            raise ModelError(f'config.json: "{name}" is {value!r}; it must be a positive number.')
        return float(value)

    def fixed(self, name: str, expected: object) -> None:
        """Refuse the field if it is present with any value but `expected`."""
        value = self.values.get(name, expected)
        if value != expected:
            raise ModelError(f'config.json: "{name}" is {value!r}; only {expected!r} is supported.')
