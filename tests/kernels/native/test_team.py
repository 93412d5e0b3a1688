"""The threads of the kernels in C: right under any load, and gone when there is nothing to do."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from kernels.native.library import Library
from tests.kernels.conftest import LEVELS, Draw
from tests.kernels.native.packing import pack
from tests.kernels.native.test_rows import project

ROOT = Path(__file__).parents[3]
compiled = pytest.mark.skipif(not LEVELS, reason="the kernels in C are not compiled")
# Prints what it found as JSON. PyTorch, with threads of its own, is not imported.
HEAD = """
import ctypes, json, os, time
from kernels.native.library import library
call = library().call
call.biplane_read_all.restype = ctypes.c_int32
block = ctypes.create_string_buffer(bytes(range(251)) * 10_000)
def work(times):
    return {call.biplane_read_all(block, len(block)) for _ in range(times)}
call.biplane_limit_threads(LIMIT)
once = work(1)
def threads():
    return len(os.listdir("/proc/self/task"))
"""


def alone(code: str, limit: int = 4) -> Any:
    """What a process of its own prints that runs `code` after HEAD with so many threads."""
    program = HEAD.replace("LIMIT", str(limit)) + code
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_thousand_short_jobs_in_a_row_are_all_right(native: Library, draw: Draw) -> None:
    # Just above the size from which helpers are called.
    matrix, x = pack("int8", draw(272, 256)), draw(1, 256)
    native.call.biplane_limit_threads(1)
    expected = project(native, matrix, x)
    native.call.biplane_limit_threads(4)
    assert all(torch.equal(project(native, matrix, x), expected) for _ in range(1000))


def test_callers_at_the_same_time_get_each_their_own(native: Library, draw: Draw) -> None:
    jobs = [(pack("int4", draw(500 + 16 * n, 320)), draw(1 + n, 320)) for n in range(4)]
    expected = [project(native, *job) for job in jobs]
    native.call.biplane_limit_threads(3)
    found: list[list[Tensor]] = [[] for _ in jobs]

    def call(number: int) -> None:
        for _ in range(100):
            found[number].append(project(native, *jobs[number]))

    callers = [threading.Thread(target=call, args=(n,)) for n in range(len(jobs))]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    for results, right in zip(found, expected, strict=True):
        assert len(results) == 100
        assert all(torch.equal(result, right) for result in results)


def test_changing_the_number_of_threads_between_jobs(native: Library, draw: Draw) -> None:
    matrix, x = pack("bfloat16", draw(700, 320)), draw(2, 320)
    expected = project(native, matrix, x)
    for step in range(300):
        native.call.biplane_limit_threads(1 + step * 7 % 9)
        assert torch.equal(project(native, matrix, x), expected)


@compiled
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
class TestProcess:
    def test_resting_uses_no_processor(self) -> None:
        # Processor time, not wall time: other programs do not disturb it.
        used = alone(
            """
work(20)
def used():
    before = time.process_time(); time.sleep(0.25)
    return time.process_time() - before
# Whoever has just worked may still be on the way to rest.
print(json.dumps(min(used() for _ in range(6))))
"""
        )
        assert used < 0.002

    def test_helpers_are_started_once_and_kept(self) -> None:
        first, after, results = alone(
            """
first = threads(); found = work(3_000)
print(json.dumps([first, threads(), len(found | once)]))
"""
        )
        assert first == after == 4
        assert results == 1

    def test_one_thread_starts_no_helper(self) -> None:
        assert alone("work(10); print(json.dumps(threads()))", limit=1) == 1

    def test_a_forked_process_starts_helpers_of_its_own(self) -> None:
        assert alone(
            """
child = os.fork()
if not child:
    os._exit(0 if work(10) == once and threads() == 4 else 1)
print(json.dumps(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0 and work(1) == once))
"""
        )

    def test_processes_forked_while_helpers_work_compute_and_end(self) -> None:
        ends, same = alone(
            """
import signal, threading
over = threading.Event()
def keep_working():
    # So short that helpers come late, and with pauses in which they fall asleep.
    while not over.is_set():
        call.biplane_read_all(block, 64)
        time.sleep(0.00005)
def forked():
    child = os.fork()
    if not child:
        signal.alarm(20)
        os._exit(0 if work(3) == once else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
worker = threading.Thread(target=keep_working)
worker.start()
ends = [forked() for _ in range(60)]
over.set()
worker.join()
print(json.dumps([ends, work(1) == once]))
""",
            limit=16,
        )
        assert ends == [0] * 60
        assert same

    def test_busy_cores_change_nothing_but_the_time(self) -> None:
        assert alone(
            """
import subprocess, sys
spin = [sys.executable, "-c", "while True: pass"]
busy = [subprocess.Popen(spin) for _ in range(os.cpu_count() or 1)]
try:
    print(json.dumps(work(500) == once))
finally:
    for one in busy:
        one.kill(); one.wait()
"""
        )
