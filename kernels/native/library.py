"""The compiled kernels, loaded, at the level of instructions that this processor can run."""

from __future__ import annotations

import ctypes
import os
from ctypes import c_char_p, c_int64, c_void_p
from functools import cache

from kernels.native.compile import levels, library_path
from kernels.native.fields import LinearFields, MatrixFields, MlpFields, StateFields

# Names a weaker level, or TORCH for none: to compare, to test, and to get round a faulty level.
SWITCH = "BIPLANE_KERNELS"
TORCH = "torch"
NAMES = {
    "avx2": "AVX2",
    "avxvnni": "AVX2 with VNNI",
    "avx512": "AVX-512",
    "avx512bf16": "AVX-512 with BF16",
    "amx": "AMX",
    "neon": "NEON",
}


_STATE = ctypes.POINTER(StateFields)
_SIGNATURES = {
    "biplane_project_rows": (ctypes.POINTER(MatrixFields), c_int64, c_void_p, c_void_p),
    "biplane_read_all": (c_void_p, c_int64),
    "biplane_linear_rows": (
        ctypes.POINTER(LinearFields),
        c_int64,
        c_void_p,
        _STATE,
        _STATE,
        c_int64,
    ),
    "biplane_mlp_rows": (ctypes.POINTER(MlpFields), c_int64, c_void_p, c_void_p, c_void_p),
}


class Library:
    """The loaded functions.

    Attributes:
        level: the name of the instructions in use.
        version: names everything that results may depend on in a bit.
        call: the functions, by name; each releases the GIL while it runs.
    """

    def __init__(self, call: ctypes.CDLL, level: str) -> None:
        self.call, self.level = call, level
        compiler = call.biplane_compiler().decode().split()[0]
        self.version = f"native-1 {level} {compiler}"


@cache
def library() -> Library | None:
    """The library; None if it was not compiled, or the processor or the switch forbids it."""
    asked = os.environ.get(SWITCH, "")
    path = library_path()
    if asked == TORCH or not path.exists():
        return None
    call = ctypes.CDLL(str(path))
    call.biplane_compiler.restype = c_char_p
    for name, arguments in _SIGNATURES.items():
        function = getattr(call, name)
        function.argtypes = arguments
    for level in [asked] if asked else reversed(levels()):
        if call.biplane_use_level(level.encode()):
            return Library(call, level)
    return None


def in_use() -> str:
    """The kernels that run on this processor, in words."""
    found = library()
    return NAMES[found.level] if found else "PyTorch's operators"


def native_version() -> str:
    """The library's part of the numerics' name."""
    found = library()
    return found.version if found else TORCH
