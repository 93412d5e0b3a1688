"""How a benchmark reports what it does next: a callback that takes one line of text."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str], None]
