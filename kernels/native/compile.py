"""Compiles the C kernels into one shared library: for the wheel's hook and for developers.

Run as `python -m kernels.native.compile`. Imports nothing that a build environment lacks.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

SOURCES = Path(__file__).parent / "src"
BASE_FLAGS = ("-std=gnu11", "-O3", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wno-psabi")
# Sums keep their order; only what never changes a result that is read is allowed.
NUMBER_FLAGS = ("-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math")
_AVX2 = ("-mavx2", "-mfma", "-mf16c")
_AVX512 = (*_AVX2, "-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl", "-mavx512vnni")
_BF16 = (*_AVX512, "-mavx512bf16")
# What is compiled for each level of instructions, weakest first.
X86_LEVELS: dict[str, tuple[str, ...]] = {
    "avx2": _AVX2,
    "avxvnni": (*_AVX2, "-mavxvnni"),
    "avx512": _AVX512,
    "avx512bf16": _BF16,
    "amx": (*_BF16, "-mamx-tile", "-mamx-int8", "-mamx-bf16"),
}
ARM_LEVELS: dict[str, tuple[str, ...]] = {"neon": ("-march=armv8.2-a+dotprod",)}
SHARED = ("library.c", "team.c", "workspace.c")


class CompileError(Exception):
    """There is no compiler, or it refused the sources; the message says which."""


@dataclass(frozen=True, slots=True)
class Compiler:
    """A command that compiles C, with the flags that it always needs."""

    command: tuple[str, ...]

    def run(self, arguments: Sequence[str]) -> None:
        """Raises CompileError with what the compiler said."""
        call = (*self.command, *arguments)
        try:
            done = subprocess.run(call, capture_output=True, text=True, check=False)
        except OSError as error:
            raise CompileError(f"{self.command[0]} could not be started: {error}") from error
        if done.returncode:
            raise CompileError(f"{' '.join(call)} failed:\n{done.stderr.strip()}")


def levels() -> dict[str, tuple[str, ...]]:
    """The levels of this kind of processor, weakest first, and their flags; none if unknown."""
    machine = platform.machine().lower()
    if machine in ("x86_64", "amd64"):
        return X86_LEVELS
    return ARM_LEVELS if machine in ("aarch64", "arm64") else {}


def library_path() -> Path:
    """Where the library of this platform lies, compiled or not."""
    ending = {"win32": "dll", "darwin": "dylib"}.get(sys.platform, "so")
    return Path(__file__).parent / f"biplane_kernels.{ending}"


def find_compiler() -> Compiler | None:
    """$CC, cc, gcc, clang, or the compiler in the `ziglang` wheel; None if there is none."""
    named = os.environ.get("CC", "").split()
    if named:
        return Compiler(tuple(named))
    for name in ("cc", "gcc", "clang"):
        found = shutil.which(name)
        if found:
            return Compiler((found,))
    try:
        import ziglang  # type: ignore[import-not-found]  # noqa: F401
    except ImportError:
        return None
    # It compiles for the processor it runs on, unless told otherwise.
    return Compiler((sys.executable, "-m", "ziglang", "cc", "-mcpu=baseline"))


def compile_library(target: Path | None = None, compiler: Compiler | None = None) -> Path:
    """Compile all levels into `target`. Raises CompileError."""
    compiler, target = compiler or find_compiler(), target or library_path()
    if compiler is None:
        raise CompileError("No C compiler was found.")
    if not levels():
        raise CompileError(f"There are no kernels for {platform.machine()} processors.")
    with tempfile.TemporaryDirectory() as folder:
        objects = _objects(compiler, Path(folder))
        # Beside the target and then in its place: a running program may have it loaded.
        fresh = Path(folder) / target.name
        compiler.run(("-shared", "-pthread", "-o", str(fresh), *map(str, objects), "-lm"))
        placed = target.with_suffix(f".{os.getpid()}")
        shutil.copy(fresh, placed)
        placed.replace(target)
    return target


def _objects(compiler: Compiler, folder: Path) -> list[Path]:
    """The object files of all levels, and of what they share."""
    Call = tuple[Path, Path, tuple[str, ...]]
    calls: list[Call] = [(SOURCES / name, folder / f"{name}.o", ()) for name in SHARED]
    for level, flags in levels().items():
        calls.append((SOURCES / "level.c", folder / f"{level}.o", (f"-DLEVEL={level}", *flags)))

    def build(call: Call) -> Path:
        source, made, flags = call
        common = (*BASE_FLAGS, *NUMBER_FLAGS)
        compiler.run((*common, *flags, "-c", str(source), "-o", str(made)))
        return made

    with ThreadPoolExecutor() as pool:
        return list(pool.map(build, calls))


if __name__ == "__main__":
    try:
        print(compile_library())
    except CompileError as error:
        raise SystemExit(str(error)) from error
