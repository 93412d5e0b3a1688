"""Torch calls from outside the engine, on threads that end when the call returns.

Every thread that calls torch keeps its own worker threads. If all of them together outnumber the
cores, they sleep between operators instead of spinning: with two left idle on two cores, the
engine's prefill took twice as long, and a decode operator four times as long.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def on_own_thread(call: Callable[[], T]) -> T:
    """What `call` returns or raises; by then its thread and that thread's workers have ended."""
    with ThreadPoolExecutor(1) as own:
        return own.submit(call).result()
