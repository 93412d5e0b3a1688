"""The values that a template can hold besides texts, numbers, lists and mappings."""

from __future__ import annotations

from collections.abc import Callable, Collection
from types import NoneType
from typing import Any

from jinja2 import Undefined
from markupsafe import Markup

SCALARS = frozenset({str, int, float, bool, NoneType})
_COLLECTIONS = frozenset({list, tuple, dict, range, str, Markup})


class Stream:
    """The result of `map`, `select` and the like: iterable, without a length, always true.

    jinja2 returns generators. These values are already computed, so that no value hides work.
    """

    def __init__(self, values: list[Any]) -> None:
        self.values = values


class Offered:
    """A function or bound method that templates may call; they never get any other.

    Attributes:
        run: takes the sandbox, then `owner` where `bound`, then the template's arguments.
    """

    __slots__ = ("_bound", "_owner", "run")

    def __init__(self, run: Callable[..., Any], owner: Any = None, bound: bool = False) -> None:
        self.run = run
        self._owner = owner
        self._bound = bound

    def call(self, sandbox: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call it; it may raise whatever the function raises."""
        if self._bound:
            return self.run(sandbox, self._owner, *args, **kwargs)
        return self.run(sandbox, *args, **kwargs)


def elements(value: Any) -> Collection[Any]:
    """An iterable over `value`; raises TypeError if templates cannot iterate it."""
    if type(value) in _COLLECTIONS:
        return value  # type: ignore[no-any-return]
    if isinstance(value, Stream):
        return value.values
    if isinstance(value, Undefined):
        return ()
    raise TypeError(f"'{type(value).__name__}' object is not iterable")


def length(value: Any) -> int:
    """`len(value)`; raises TypeError if it has none."""
    if isinstance(value, Stream):
        raise TypeError("what a filter selects has no length before it is a list")
    return len(elements(value))


def key(value: Any) -> Any:
    """`value` itself if it may be a key of a mapping; raises TypeError otherwise.

    Hashing a tuple of tuples is one call whose cost doubles with each level.
    """
    if type(value) in SCALARS or isinstance(value, str | Undefined):
        return value
    raise TypeError(f"a {type(value).__name__} cannot be a key")
