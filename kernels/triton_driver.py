"""Gives Triton the one library that it would compile at its first launch.

A packaged Biplane runs where there is neither a C compiler nor Python's headers, so the package
brings that library compiled (`packaging/bundle/cuda_driver.py`), named after its source.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import torch

# Below Triton's own folder (triton/backends/nvidia/driver.py compiles it).
SOURCE = "backends/nvidia/driver.c"


def driver_name(source: bytes) -> str:
    """The file name of the library compiled from this source."""
    return f"triton_driver-{hashlib.sha256(source).hexdigest()[:16]}.so"


def use_compiled(folder: Path = Path(__file__).parent / "native") -> bool:
    """Have Triton load the library from `folder`; False, and Triton compiles, if it has none.

    It is NVIDIA's: PyTorch for ROCm, whose devices are called cuda, too, asks for another.
    """
    if torch.version.hip or not any(folder.glob("triton_driver-*.so")):
        return False
    import triton

    source = Path(triton.__file__).parent / SOURCE
    compiled = folder / driver_name(source.read_bytes()) if source.is_file() else None
    if compiled is None or not compiled.is_file():
        return False
    triton.knobs.build.impl = lambda *_: str(compiled)
    return True
