"""Memory that a call takes: where there is none nothing is written, and none is used beyond it."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kernels.native.compile import find_compiler
from tests.kernels.conftest import LEVELS

ROOT = Path(__file__).parents[3]
# Stands in front of the C library's, for the kernels alone and while it is told to.
MALLOC = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

enum { USUAL, NONE, WATCHED };
enum { MARGIN = 1 << 20, MARK = 0xab };
void *__libc_malloc(size_t bytes);
int way;
void (*while_taking)(void);
static unsigned char *last;
static size_t size;

void *malloc(size_t bytes) {
    Dl_info caller;
    if (way == USUAL || !dladdr(__builtin_return_address(0), &caller) ||
        !strstr(caller.dli_fname, "biplane_kernels"))
        return __libc_malloc(bytes);
    if (way == NONE) return NULL;
    while_taking();
    last = __libc_malloc(bytes + MARGIN);
    size = bytes;
    return memset(last, MARK, bytes + MARGIN);
}

int written_beyond(void) {
    for (int i = 0; i < MARGIN; i++)
        if (last[size + i] != MARK) return 1;
    return 0;
}
"""
# Prints what it found as JSON.
HEAD = """
import ctypes, json
import torch
from kernels.attention.native import attend_many, attend_rows
from kernels.gated_delta.native import sweep
from kernels.native.fields import NormFields
from kernels.native.layers import FusedMlp
from kernels.native.library import Library, library
from kernels.native.many import project_gated, project_many
from kernels.native.rows import project_rows
from kernels.sampling import largest
from tests.kernels.attention.test_native import filled
from tests.kernels.conftest import LEVELS
from tests.kernels.gated_delta.test_sweep import given
from tests.kernels.native.packing import pack
from tests.kernels.native.test_layers import EXTENTS, SHAPE, Attention, Linear
draw = torch.randn
call = library().call
process = ctypes.CDLL(None)
way = ctypes.c_int.in_dll(process, "way")
"""
pytestmark = [
    pytest.mark.skipif(not LEVELS, reason="the kernels in C are not compiled"),
    pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="stands in front of glibc"),
]


@pytest.fixture(scope="module")
def in_front(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """MALLOC, compiled."""
    compiler = find_compiler()
    if compiler is None:
        pytest.skip("there is no compiler")
    folder = tmp_path_factory.mktemp("malloc")
    (folder / "malloc.c").write_text(MALLOC)
    made = folder / "malloc.so"
    options = ("-O1", "-fPIC", "-shared", "-o", str(made), str(folder / "malloc.c"), "-ldl")
    compiler.run(options, folder)
    return made


def alone(in_front: Path, code: str) -> Any:
    """What a process of its own prints that runs `code` after HEAD, with MALLOC in front."""
    done = subprocess.run(
        [sys.executable, "-c", HEAD + code],
        cwd=ROOT,
        env={**os.environ, "LD_PRELOAD": str(in_front)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_without_memory_a_call_raises_and_writes_nothing(in_front: Path) -> None:
    found = alone(
        in_front,
        """
matrix, down = pack("int8", draw(128, 64)), pack("int8", draw(64, 64))
linear, attention = Linear.drawn(draw, "int8", 64, SHAPE, 4), Attention.drawn(draw, "int8", 64)
k, v = draw(300, 2, 64), draw(300, 2, 64)
pool, places = filled(k, v, ((0, 300),)), ((0, 300),)
rows, rule, window, state = given(draw, 70, 2, torch.float32)
own = attention.pool()
x, many, delta, conv = draw(2, 64), draw(40, 64), linear.delta, linear.window
def calls(native):
    mlp = FusedMlp(native, None, matrix.fields, down.fields)
    return {
        "project_rows": lambda: project_rows(native, matrix.fields, x),
        "project_many": lambda: project_many(native, matrix.fields, many),
        "attend_rows": lambda: attend_rows(native, draw(2, 4, 64), *pool, places),
        "attend_many": lambda: attend_many(native, draw(40, 4, 64), *pool, places),
        "sweep": lambda: sweep(native, rows, rule, window, state),
        "linear_rows": lambda: linear.fused(native)(x, delta, conv),
        "attention_rows": lambda: attention.fused(native)(
            x, *own, [(EXTENTS, 2)], attention.rope(2)
        ),
        "mlp_rows": lambda: mlp(x, x),
        "mlp_many": lambda: mlp(many, many),
    }
written = (x, many, delta, conv, window, state, *own)
before = [each.clone() for each in written]
def ended(make):
    way.value = 1
    try:
        make()
    except MemoryError as error:
        return str(error)
    finally:
        way.value = 0
levels, refused = [level for level in LEVELS], {}
for level in levels:
    assert call.biplane_use_level(level.encode())
    for name, make in calls(Library(call, level)).items():
        refused.setdefault(name, []).append(ended(make))
unchanged = all(torch.equal(a.nan_to_num(), b.nan_to_num()) for a, b in zip(before, written))
# Afterwards all work as before.
for level in levels:
    assert call.biplane_use_level(level.encode())
    for make in calls(Library(call, level)).values():
        make()
print(json.dumps([refused, unchanged]))
""",
    )
    refused, unchanged = found
    assert unchanged
    assert len(refused) == 9
    for name, ends in refused.items():
        assert ends == ["no memory for the workspace of a kernel in C"] * len(LEVELS), name


@pytest.mark.slow
def test_what_keeps_nothing_needs_no_memory(in_front: Path) -> None:
    values, ids, same = alone(
        in_front,
        """
block = ctypes.create_string_buffer(bytes(range(256)) * 20_000)
whole = call.biplane_read_all(block, len(block))
way.value = 1
values, ids = largest(torch.tensor([3.0, 9.0, 1.0, 9.0]), 3)
again = call.biplane_read_all(block, len(block))
way.value = 0
print(json.dumps([values.tolist(), ids.tolist(), whole == again]))
""",
    )
    assert (values, ids) == ([9.0, 9.0, 3.0], [1, 3, 0])
    assert same


@pytest.mark.parametrize("call", [pytest.param("project_gated", marks=pytest.mark.slow), "mlp"])
def test_threads_allowed_during_a_call_get_no_memory_that_was_not_taken(
    in_front: Path, call: str
) -> None:
    found = alone(
        in_front,
        """
@ctypes.CFUNCTYPE(None)
def allow_more():
    call.biplane_limit_threads(9)
while_taking = ctypes.c_void_p.in_dll(process, "while_taking")
while_taking.value = ctypes.cast(allow_more, ctypes.c_void_p).value
native = library()
gate_up, down = pack("int4", draw(128, 64)), pack("int4", draw(64, 64))
mlp = FusedMlp(native, None, gate_up.fields, down.fields)
x = draw(20_000, 64)
# Helpers that are there already come at once.
call.biplane_limit_threads(9)
call.biplane_read_all(x.data_ptr(), x.nbytes)
def make():
    out = torch.zeros(20_000, 64)
    CALL
    return out
call.biplane_limit_threads(2)
way.value = 2
found = make()
way.value = 0
threads = call.biplane_threads()
print(json.dumps([threads, process.written_beyond(), torch.equal(found, make())]))
""".replace(
            "CALL",
            {
                "project_gated": "project_gated(native, down.fields, x, x, out)",
                "mlp": "mlp(x, out)",
            }[call],
        ),
    )
    assert found == [9, 0, True]
