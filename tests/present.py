"""Says that something is there: to the test, and to the type checker."""

from __future__ import annotations

from typing import TypeVar

Value = TypeVar("Value")


def present(value: Value | None) -> Value:
    """What may be None, and here must not be."""
    assert value is not None
    return value
