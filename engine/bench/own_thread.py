"""Calls of torch that are not the engine's, on threads that end with them.

Every thread that calls torch keeps helpers of its own. Where all threads' helpers are more than the
cores, each sleeps between two operators instead of spinning: with two left idle on two cores, the
engine's prefill took twice as long, and an operator of decode four times.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def on_own_thread(call: Callable[[], T]) -> T:
    """What `call` returns or raises; its thread has ended by then, and its helpers too."""
    with ThreadPoolExecutor(1) as own:
        return own.submit(call).result()
