"""Validates external data: each field has a type, a range and an error sentence."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Callable, Iterable
from typing import TypeGuard

from engine.errors import BiplaneError

# No size, count or length in this program needs more.
MOST = 1 << 62
# An unknown value may be a whole long text.
LONGEST_VALUE = 200
# msgspec's names and signs in words.
KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a string",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
}
SIGNS = {" >= ": " of at least ", " <= ": " of at most ", " > ": " above ", " < ": " below "}


class FieldCheck:
    """Checks a record's fields on creation; the first invalid one raises.

    Values are never converted: the record holds what the caller passed, or creation fails.
    """

    def __init__(self, record: object, error: type[BiplaneError]) -> None:
        """error: the class to raise, with the field, its value and what it must be."""
        self._record, self._error = record, error

    def whole(self, *names: str, least: int = 0, most: int = MOST) -> None:
        """Integers from `least` to `most`; neither 20.0 nor True counts as one."""
        wanted = f"a whole number of at least {least}"
        if most != MOST:
            wanted = f"a whole number from {least} to {most:,}"
        self._each(names, lambda value: is_whole(value) and least <= value <= most, wanted)

    def number(self, *names: str, least: float, most: float, below: bool = False) -> None:
        """Integers or floats from `least` to `most`, excluding `most` itself if `below`."""

        def good(value: object) -> bool:
            if not (is_whole(value) or isinstance(value, float)):
                return False
            return least <= value <= most and not (below and value == most)

        edge = f"from {least:g} to below {most:g}" if below else f"from {least:g} to {most:g}"
        self._each(names, good, f"a number {edge}")

    def flag(self, *names: str) -> None:
        self._each(names, lambda value: isinstance(value, bool), "True or False")

    def choice(self, name: str, known: Iterable[str]) -> None:
        names = tuple(known)
        wanted = "one of " + ", ".join(f'"{one}"' for one in names)
        self._each((name,), lambda value: isinstance(value, str) and value in names, wanted)

    def that(self, name: str, good: Callable[[object], bool], wanted: str) -> None:
        """Any other condition on a field."""
        self._each((name,), good, wanted)

    def _each(self, names: Iterable[str], good: Callable[..., bool], wanted: str) -> None:
        for name in names:
            value = getattr(self._record, name)
            if not good(value):
                raise self._error(f"{name} is {_shown(value)}; it must be {wanted}.")


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a value is an integer."""
    # In Python True is an integer, but it is never meant as one.
    return isinstance(value, int) and not isinstance(value, bool)


def misfit(error: Exception, path: str = "") -> tuple[str, str]:
    """The field that is invalid, and how: "is missing", "must be a list".

    Args:
        error: msgspec's, which names the field by its path.
        path: of the object that msgspec was given.
    """
    what, _, at = str(error).partition(" - at `$")
    field = (path + at.rstrip("`")).lstrip(".")
    if missing := re.search(r"required field `(\w+)`", what):
        return f"{field}.{missing[1]}".lstrip("."), "is missing"
    if odd := re.search(r"[Ii]nvalid (?:enum )?value (.*)", what, re.DOTALL):
        return field, f"cannot be {odd[1][:LONGEST_VALUE]}"
    if not what.startswith("Expected "):
        return field, "is out of range"
    if what.endswith(" of length >= 1"):
        return field, "is empty"
    wanted = re.sub(r"`(.*?)`", _kinds, what.removeprefix("Expected ").partition(", got ")[0])
    for sign, word in SIGNS.items():
        wanted = wanted.replace(sign, word)
    return field, f"must be {wanted.partition(' matching ')[0].removesuffix('.0')}"


def _kinds(said: re.Match[str]) -> str:
    """Names of a type as msgspec writes it; null is omitted."""
    return " or ".join(KINDS.get(one, one) for one in said[1].split(" | ") if one != "null")


def _shown(value: object) -> str:
    """The value's repr, truncated if it is long."""
    try:
        return reprlib.repr(value)
    except ValueError:
        # Python refuses to print integers of several thousand digits.
        return "a number of thousands of digits"
