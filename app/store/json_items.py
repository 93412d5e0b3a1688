"""Reads a large JSON file item by item: Python's reader lets no other thread run meanwhile."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterator
from typing import Any

_SPACE = re.compile(r"[ \t\n\r]*")
_decode = json.JSONDecoder().raw_decode


class JsonItems:
    """The items of the list that a text is, or that one of the fields of its object is.

    Attributes:
        head: the other fields of the object, once all items were taken; the whole text if it is
            neither list nor object.
        cut: the text ends too early, or is no JSON from some place on.
    """

    def __init__(self, text: str, listed: tuple[str, ...]) -> None:
        """listed: names of fields whose lists are taken item by item."""
        self._text, self._listed = text, listed
        self.head: Any = None
        self.cut = False

    def __iter__(self) -> Iterator[Any]:
        try:
            yield from self._items()
        except (ValueError, RecursionError):
            self.cut = True

    def _items(self) -> Iterator[Any]:
        at = self._skip(0)
        if self._text.startswith("[", at):
            at = yield from self._list(at)
        elif self._text.startswith("{", at):
            at = yield from self._object(at)
        else:
            self.head, at = _decode(self._text, at)
        if self._skip(at) != len(self._text):
            raise ValueError("more follows")

    def _list(self, at: int) -> Generator[Any, None, int]:
        """Yields the items of the list at a place, and returns where it ends."""
        at = self._skip(at + 1)
        if self._text.startswith("]", at):
            return at + 1
        while True:
            item, at = _decode(self._text, at)
            yield item
            at, more = self._after(at, "]")
            if not more:
                return at

    def _object(self, at: int) -> Generator[Any, None, int]:
        """Yields the items of the listed fields, and returns where the object ends."""
        self.head = {}
        at = self._skip(at + 1)
        if self._text.startswith("}", at):
            return at + 1
        while True:
            name, at = _decode(self._text, at)
            at = self._skip(at)
            if not isinstance(name, str) or not self._text.startswith(":", at):
                raise ValueError("no field")
            at = self._skip(at + 1)
            if name in self._listed and self._text.startswith("[", at):
                at = yield from self._list(at)
                self.head[name] = []
            else:
                self.head[name], at = _decode(self._text, at)
            at, more = self._after(at, "}")
            if not more:
                return at

    def _after(self, at: int, end: str) -> tuple[int, bool]:
        """The place of the next item, or behind the end."""
        at = self._skip(at)
        if self._text.startswith(",", at):
            return self._skip(at + 1), True
        if self._text.startswith(end, at):
            return at + 1, False
        raise ValueError("neither a comma nor an end")

    def _skip(self, at: int) -> int:
        found = _SPACE.match(self._text, at)
        assert found is not None
        return found.end()
