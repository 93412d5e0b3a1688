"""The limits of one render of a chat template: time, size of a value, memory, output.

A template is untrusted and runs on the engine's own thread, where nothing can interrupt a call
into C. So everything a template can reach asks its meter first, what the meter allows in one call
takes a few tens of milliseconds at most, and the clock is checked between calls.
"""

from __future__ import annotations

import sys
import time
from typing import Any, TypeVar

from jinja2 import TemplateRuntimeError, Undefined

from engine.text.sandbox.values import SCALARS

MAX_SECONDS = 2.0
MAX_CHARS = 16_000_000
MAX_ITEMS = 250_000
MAX_NUMBER_BITS = 64
# Character comparisons in one search whose worst case is a product, about a nanosecond each.
MAX_STEPS = 64_000_000
BYTES_PER_CHAR = 64
# Two quotes, a separator, and the cost of a part besides its characters.
_PART_CHARS = 64
# repr writes one character as up to ten: '\U0010ffff'.
_REPR_GROWTH = 10

T = TypeVar("T")


class TemplateLimit(TemplateRuntimeError):
    """A template ran too long, grew too large or used something not allowed; `str` says which."""


class Meter:
    """Counts what one render uses; every method except `weigh` raises TemplateLimit past a limit.

    Attributes:
        largest: characters that one value may have.
    """

    def __init__(self, seconds: float = MAX_SECONDS, chars: int = MAX_CHARS) -> None:
        """`chars` is for the output of the whole render; the other sizes are in proportion."""
        self._deadline = time.perf_counter() + seconds
        self._output = chars
        self._bytes = chars * BYTES_PER_CHAR
        self.largest = chars // 2

    def tick(self) -> None:
        """Check the clock."""
        if time.perf_counter() > self._deadline:
            raise TemplateLimit("it ran too long")

    def output(self, chars: int) -> None:
        """Charge output to the budget of the whole render."""
        self.tick()
        self._output -= chars
        if self._output < 0:
            raise TemplateLimit("its output is too long")

    def allow(self, chars: int) -> None:
        """Refuse a text of this size before it is built."""
        self.tick()
        if chars > self.largest:
            raise TemplateLimit("it builds too large a value")

    def allow_items(self, count: int) -> None:
        """Refuse a list of this length before it is built."""
        self.tick()
        if count > MAX_ITEMS:
            raise TemplateLimit(f"it builds a list of more than {MAX_ITEMS:,} values")

    def allow_steps(self, steps: int) -> None:
        """Refuse a search that could take this many comparisons."""
        self.tick()
        if steps > MAX_STEPS:
            raise TemplateLimit("it searches too long a text")

    def made(self, value: T) -> T:
        """Charge a text or list to the memory of the render's values; returns it."""
        if isinstance(value, str):
            self._spend(sys.getsizeof(value))
        elif isinstance(value, list | tuple | dict):
            self._spend(64 * (1 + len(value)))
        return value

    def _spend(self, size: int) -> None:
        self.tick()
        self._bytes -= size
        if self._bytes < 0:
            raise TemplateLimit("its values take too much memory")

    def number(self, value: Any) -> Any:
        """`value` itself if it is a number small enough for cheap arithmetic."""
        if isinstance(value, int):
            if value.bit_length() > MAX_NUMBER_BITS:
                raise TemplateLimit("it builds too large a number")
        elif not isinstance(value, float):
            raise TypeError(f"{type(value).__name__} is not a number")
        return value

    def text(self, value: Any) -> str:
        """`value` as text, the way jinja2 writes it."""
        if type(value) is str:
            return value
        if isinstance(value, str | Undefined) or type(value) in SCALARS:
            return str(value)
        if isinstance(value, list | tuple | dict):
            self.allow(self.weigh(value, shown=True) * _REPR_GROWTH)
            return self.made(str(value))
        raise TemplateLimit(f"it writes out a {type(value).__name__}")

    def weigh(self, value: Any, margin: int = 0, shown: bool = False, depth: int = 0) -> int:
        """About how many characters `value` has as text; shared parts count each time.

        Stops with TemplateLimit once that is more than one value may have. `margin` is added to
        each part once per level of nesting; `shown` refuses what has no text.
        """
        if isinstance(value, str):
            return len(value) + _PART_CHARS
        if isinstance(value, int):
            return value.bit_length() // 3 + _PART_CHARS
        if not isinstance(value, list | tuple | dict):
            if shown and type(value) not in SCALARS and not isinstance(value, Undefined):
                raise TemplateLimit(f"it writes out a {type(value).__name__}")
            return _PART_CHARS
        self.tick()
        total = _PART_CHARS
        parts = [*value, *value.values()] if isinstance(value, dict) else value
        for part in parts:
            total += margin * (depth + 1) + self.weigh(part, margin, shown, depth + 1)
            if total > self.largest:
                raise TemplateLimit("it builds too large a value")
        return total
