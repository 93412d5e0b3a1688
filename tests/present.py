"""Asserts that a value is not None, for the test and for the type checker."""

from __future__ import annotations

from typing import TypeVar

Value = TypeVar("Value")


def present(value: Value | None) -> Value:
    """`value`, which must not be None here."""
    assert value is not None
    return value
