"""Importing an operation needs neither Triton nor flash-linear-attention; only its kernels do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
WITHOUT = """
import importlib, sys
sys.modules["triton"] = sys.modules["fla"] = None
for name in sys.argv[1:]:
    importlib.import_module(name)
"""


def test_triton_is_imported_on_first_use() -> None:
    files = [path for path in (ROOT / "kernels").rglob("*.py") if path.name != "triton.py"]
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in files]
    command = [sys.executable, "-c", WITHOUT, *sorted(names)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
