"""Loads the compiled kernels, for the best instruction set that this processor supports."""

from __future__ import annotations

import ctypes
import logging
import os
from ctypes import c_char_p, c_int32, c_int64, c_void_p
from functools import cache
from pathlib import Path

from kernels.native.compile import is_current, levels, library_path
from kernels.native.fields import (
    AttentionLayerFields,
    FoldFields,
    LinearFields,
    LiveFields,
    MatrixFields,
    MlpFields,
    NormFields,
    SeenFields,
    StateFields,
)

log = logging.getLogger(__name__)

# Names a weaker level, or TORCH for none: for comparisons, for tests, and to avoid a faulty level.
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


# Functions that allocate memory for a call, and return 0 if that fails.
_TAKING_MEMORY = {
    "biplane_project_rows": (
        ctypes.POINTER(MatrixFields),
        c_int64,
        c_void_p,
        c_void_p,
        c_int32,
    ),
    "biplane_project_many": (c_void_p,),
    "biplane_sweep": (c_void_p,),
    "biplane_linear_rows": (
        ctypes.POINTER(LinearFields),
        c_int64,
        c_void_p,
        ctypes.POINTER(LiveFields),
        c_int64,
        ctypes.POINTER(StateFields),
        c_int64,
        c_int32,
    ),
    "biplane_mlp_rows": (
        ctypes.POINTER(MlpFields),
        c_int64,
        c_void_p,
        c_void_p,
        c_void_p,
        c_int32,
    ),
    "biplane_attention_rows": (
        ctypes.POINTER(AttentionLayerFields),
        c_int64,
        c_void_p,
        ctypes.POINTER(SeenFields),
    ),
    "biplane_attend_rows": (c_void_p,),
    "biplane_attend_many": (c_void_p,),
}
_TAKING_NONE = {
    "biplane_fold_states": (ctypes.POINTER(FoldFields),),
    "biplane_norm_rows": (ctypes.POINTER(NormFields), c_int64, c_void_p, c_void_p, c_int32),
    "biplane_read_all": (c_void_p, c_int64),
    "biplane_largest": (c_void_p, c_int64, c_int64, c_void_p, c_void_p),
    "biplane_turn_heads": (c_void_p,),
    "biplane_pack_blocks": (c_void_p,),
}


class Library:
    """The loaded functions.

    Attributes:
        level: the name of the instruction set in use.
        version: identifies everything that a result's bits may depend on.
        call: the functions, by name; each releases the GIL while it runs, and those that allocate
            memory raise MemoryError on failure, before they write anything.
    """

    def __init__(self, call: ctypes.CDLL, level: str) -> None:
        self.call, self.level = call, level
        # "12.2.0" for gcc, "Clang 20.1.2 and more" for others.
        compiler = "-".join(call.biplane_compiler().decode().split()[:2])
        self.version = f"native-6 {level} {compiler}"


@cache
def library() -> Library | None:
    """The library; None if there is none for this machine, or if the switch disables it."""
    found = _load()
    if isinstance(found, Library):
        return found
    log.warning("Computing with PyTorch's operators: %s", found)
    return None


def _load() -> Library | str:
    """The library, or a sentence saying why it cannot be used."""
    asked = os.environ.get(SWITCH, "")
    if asked == TORCH:
        return f"{SWITCH} asks for them."
    known = levels()
    if asked and asked not in known:
        return f"{SWITCH} is {asked!r}, and can be {', '.join((*known, TORCH))}."
    path = library_path()
    if not path.exists():
        return "the kernels in C were not compiled; `python -m kernels.native.compile` does it."
    # A library built from other sources could misinterpret its arguments.
    if not is_current(path):
        return f"{path.name} is damaged or older than its sources; compile it again."
    try:
        call = _functions(path)
    except (OSError, AttributeError) as error:
        return f"{path.name} could not be loaded: {error}"
    for level in [asked] if asked else reversed(known):
        if call.biplane_use_level(level.encode()):
            return Library(call, level)
    return f"this processor cannot run the kernels for {asked or ' or '.join(known)}."


def _functions(path: Path) -> ctypes.CDLL:
    """Raises OSError if the file is not a library for this machine."""
    call = ctypes.CDLL(str(path))
    call.biplane_compiler.restype = c_char_p
    call.biplane_threads.restype = c_int32
    for name, arguments in (_TAKING_MEMORY | _TAKING_NONE).items():
        getattr(call, name).argtypes = arguments
    for name in _TAKING_MEMORY:
        getattr(call, name).errcheck = _found_memory
    return call


def _found_memory(result: int, function: object, arguments: object) -> int:
    if not result:
        raise MemoryError("no memory for the workspace of a kernel in C")
    return result


def native_version() -> str:
    """The library's part of the name of the numerics."""
    found = library()
    return found.version if found else TORCH


def in_use() -> str:
    """The kernels that run on this processor, in words."""
    found = library()
    return NAMES[found.level] if found else "PyTorch's operators"


if __name__ == "__main__":
    found = _load()
    print(
        f"Biplane computes with PyTorch's operators: {found}"
        if isinstance(found, str)
        else f"Biplane computes with its kernels for {NAMES[found.level]}."
    )
