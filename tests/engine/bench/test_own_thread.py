"""Torch's helpers go with the thread that made them."""

from __future__ import annotations

import threading
import time

import psutil
import pytest
import torch

from engine.bench.timed import on_own_thread


def large_sum() -> int:
    """Threads of this process while torch's helpers of the calling one are there."""
    torch.set_num_threads(3)
    torch.ones(1 << 22).sum()
    return psutil.Process().num_threads()


def settled() -> int:
    """The same once nobody is about to end any more."""
    for _ in range(100):
        found = psutil.Process().num_threads()
        time.sleep(0.02)
        if psutil.Process().num_threads() == found:
            break
    return found


def test_no_helper_is_left() -> None:
    on_own_thread(large_sum)
    # Pools that all threads share have been made now.
    before = settled()
    # This thread's own and two helpers.
    assert on_own_thread(large_sum) >= before + 3
    assert settled() == before


def test_it_is_another_thread_and_what_it_raises_arrives() -> None:
    assert on_own_thread(threading.get_ident) != threading.get_ident()
    with pytest.raises(ZeroDivisionError):
        on_own_thread(lambda: 1 // 0)
