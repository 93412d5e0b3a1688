"""Says that something is there: to the test, and to the type checker."""

from __future__ import annotations

from typing import TypeVar

Thing = TypeVar("Thing")


def present(thing: Thing | None) -> Thing:
    """What may be None, and here must not be."""
    assert thing is not None
    return thing
