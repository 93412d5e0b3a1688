"""PyTorch's library is there before PyTorch is imported, and importing it works as ever."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from importlib.machinery import ModuleSpec

import pytest

from kernels import torch_library

_CHILD = """
import sys, threading, time
from pathlib import Path
from kernels.torch_library import load_torch_library

def mapped():
    return "libtorch_cpu.so" in Path("/proc/self/maps").read_text()

assert not mapped()
assert load_torch_library()
assert mapped() and "torch" not in sys.modules
import torch
assert float((torch.ones(64, 64) @ torch.ones(64, 64)).sum()) == 64 ** 3
assert not load_torch_library()
print("well")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only there it is loaded in advance")
def test_it_is_mapped_first_and_torch_works() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _CHILD], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout == "well\n", done.stderr


def test_what_is_not_installed_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "torch")
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    assert not torch_library.load_torch_library()
    empty = ModuleSpec("torch", None, is_package=True)
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: empty)
    assert not torch_library.load_torch_library()
