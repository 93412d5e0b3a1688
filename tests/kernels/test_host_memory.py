"""The C library's settings: applied where there is glibc, harmless elsewhere."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

from kernels import host_memory

FAULTS = """
import ctypes, resource, sys, threading, kernels
mallopt = ctypes.CDLL(None).mallopt
if "own" in sys.argv:
    # Undoes what importing the package does.
    assert mallopt(-8, 64)
if "first" in sys.argv:
    # The threshold every process begins with; without this it would move.
    assert mallopt(-3, 128 << 10)
import torch
from kernels.host_memory import keep_freed_memory
torch.set_num_threads(1)
if "keep" in sys.argv:
    assert keep_freed_memory()
def passes(count):
    for _ in range(count):
        # Many at once, so that the heap's top grows and is free again.
        kept = [torch.ones(1 << 20) for _ in range(12)]
        del kept
def count():
    passes(3)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    passes(10)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
if "thread" in sys.argv:
    worker = threading.Thread(target=count)
    worker.start()
    worker.join()
else:
    count()
"""


def faults(*how: str) -> int:
    done = subprocess.run(
        [sys.executable, "-c", FAULTS, *how],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return int(done.stdout)


class TestKeepFreedMemory:
    def test_later_passes_need_no_fresh_pages(self) -> None:
        assert faults("first", "keep") * 20 < faults("first")

    @pytest.mark.slow
    def test_a_thread_benefits_because_threads_share_the_heap(self) -> None:
        assert faults("thread", "first", "keep") * 20 < faults("thread", "first", "own", "keep")

    def test_another_system_is_left_alone(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "platform", "win32")
        assert host_memory.keep_freed_memory() is False
        assert host_memory.share_one_heap() is False

    def test_a_library_without_it_is_left_alone(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(ctypes, "CDLL", lambda name: object())
        assert host_memory.keep_freed_memory() is False


HOLES = """
import kernels
from kernels.host_memory import FreedMemory, keep_freed_memory, resident_bytes
keep_freed_memory()
freed = FreedMemory()
before = resident_bytes()
assert not freed.tidy()
blocks = [bytearray(1 << 20) for _ in range(160)]
wall = bytearray(4096)
del blocks
grown = resident_bytes() - before
tidied = freed.tidy()
print(int(tidied), grown >> 20, (resident_bytes() - before) >> 20)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs glibc and /proc")
class TestFreedMemory:
    def test_it_goes_back_once_it_adds_up(self) -> None:
        done = subprocess.run(
            [sys.executable, "-c", HOLES], capture_output=True, text=True, timeout=60, check=True
        )
        tidied, grown, left = (int(part) for part in done.stdout.split())
        assert tidied
        assert grown > 64
        assert left < grown // 4

    def test_a_system_that_does_not_tell_is_left_alone(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(host_memory, "resident_bytes", lambda: 0)
        assert host_memory.FreedMemory().tidy() is False
