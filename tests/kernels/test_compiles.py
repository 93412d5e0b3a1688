"""What the interpreter cannot check: every kernel compiles and fits a GPU's shared memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("compile_all.py")
ROOT = Path(__file__).parents[2]
# Shared memory per program, in bytes. Of compute capabilities: the CUDA programming guide, with
# 8.0 held to what 8.6 has; of AMD's: the local data share of a workgroup (RDNA 3 and 4 ISA guides).
SHARED = {
    ("cuda", "80"): 101_376,
    ("cuda", "90"): 232_448,
    ("cuda", "120"): 101_376,
    ("hip", "gfx1100"): 65_536,
    ("hip", "gfx1201"): 65_536,
}
MODULES = {f"kernels.{path.parent.name}.triton" for path in (ROOT / "kernels").glob("*/triton.py")}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="Triton's assembler is for Linux")
@pytest.mark.parametrize("target", SHARED, ids="-".join)
def test_every_kernel_compiles_without_a_gpu(target: tuple[str, str], tmp_path: Path) -> None:
    environment = {name: text for name, text in os.environ.items() if name != "TRITON_INTERPRET"}
    environment |= {"TRITON_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(SCRIPT), *target]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=250)
    assert ran.returncode == 0, ran.stderr
    lines = [line.split() for line in ran.stdout.splitlines()]
    assert {module for module, _, _ in lines} == MODULES
    assert all(int(shared) <= SHARED[target] for _, _, shared in lines), ran.stdout
