"""The real llama-server, where it was built: see CONTRIBUTING.md for how.

BIPLANE_LLAMA_SERVER is its path, BIPLANE_GGUF that of a file, or of several with colons between.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

PROGRAM = os.environ.get("BIPLANE_LLAMA_SERVER", "")
GGUFS = [Path(each) for each in os.environ.get("BIPLANE_GGUF", "").split(os.pathsep) if each]
needs_llama_server = pytest.mark.skipif(
    not (PROGRAM and GGUFS), reason="needs BIPLANE_LLAMA_SERVER and BIPLANE_GGUF"
)
if PROGRAM:
    # As for the benchmarks, which look for it there.
    os.environ["PATH"] = f"{Path(PROGRAM).parent}{os.pathsep}{os.environ['PATH']}"
