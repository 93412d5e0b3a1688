"""What the interpreter cannot check: every kernel compiles and fits a GPU's shared memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("compile_all.py")
ROOT = Path(__file__).parents[2]
# Shared memory per program, in bytes (CUDA programming guide, compute capabilities 8.6 and 9.0).
SHARED = {86: 101_376, 90: 232_448}
MODULES = {f"kernels.{path.parent.name}.triton" for path in (ROOT / "kernels").glob("*/triton.py")}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="Triton's assembler is for Linux")
@pytest.mark.parametrize("capability", SHARED, ids=lambda c: f"sm{c}")
def test_every_kernel_compiles_without_a_gpu(capability: int, tmp_path: Path) -> None:
    environment = {name: text for name, text in os.environ.items() if name != "TRITON_INTERPRET"}
    environment |= {"TRITON_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(SCRIPT), str(capability)]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=250)
    assert ran.returncode == 0, ran.stderr
    lines = [line.split() for line in ran.stdout.splitlines()]
    assert {module for module, _, _ in lines} == MODULES
    assert all(int(shared) <= SHARED[capability] for _, _, shared in lines), ran.stdout
