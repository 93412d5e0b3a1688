"""Compiles the C kernels into one shared library: for the wheel's hook and for developers.

Run as `python -m kernels.native.compile`. Imports nothing that a build environment lacks.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

SOURCES = Path(__file__).parent / "src"
BASE_FLAGS = ("-std=gnu11", "-O3", "-fvisibility=hidden", "-Wall", "-Wno-psabi")
# Sums keep their order; only what never changes a result that is read is allowed.
NUMBER_FLAGS = ("-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math")
_AVX2 = ("-mavx2", "-mfma", "-mf16c")
_AVX512 = (*_AVX2, "-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl", "-mavx512vnni")
_BF16 = (*_AVX512, "-mavx512bf16")
# The instruction sets to compile for, weakest first.
X86_LEVELS: dict[str, tuple[str, ...]] = {
    "avx2": _AVX2,
    "avxvnni": (*_AVX2, "-mavxvnni"),
    "avx512": _AVX512,
    "avx512bf16": _BF16,
    "amx": (*_BF16, "-mamx-tile", "-mamx-int8", "-mamx-bf16"),
}
ARM_LEVELS: dict[str, tuple[str, ...]] = {"neon": ("-march=armv8.2-a+dotprod",)}
# `zig cc` uses processor models and features where others use -march.
ZIG_WORDS = {"-march=armv8.2-a+dotprod": "-mcpu=generic+v8_2a+dotprod"}
SHARED = ("library.c", "team.c", "workspace.c", "pack_blocks.c", "unpack_blocks.c")


class CompileError(Exception):
    """There is no compiler, or it rejected the sources; the message says which."""


@dataclass(frozen=True, slots=True)
class Target:
    """The platform that a library is to run on.

    Attributes:
        machine: "x86_64" or "aarch64"; there are no kernels for others.
        system: as in `sys.platform`.
        triple: the name for `zig cc`; empty for the compiling machine itself.
    """

    machine: str
    system: str
    triple: str = ""

    @property
    def levels(self) -> dict[str, tuple[str, ...]]:
        """The instruction sets, weakest first, and their flags; empty if unknown."""
        return {"x86_64": X86_LEVELS, "aarch64": ARM_LEVELS}.get(self.machine, {})

    @property
    def file_name(self) -> str:
        ending = {"win32": "dll", "darwin": "dylib"}.get(self.system, "so")
        return f"biplane_kernels.{ending}"

    @property
    def flags(self) -> tuple[str, ...]:
        # Code for Windows is always relocatable.
        return BASE_FLAGS if self.system == "win32" else (*BASE_FLAGS, "-fPIC")

    @property
    def link_flags(self) -> tuple[str, ...]:
        # Debug symbols are most of what some compilers write.
        return {"win32": ("-s",), "darwin": ()}.get(self.system, ("-s", "-pthread", "-lm"))


@dataclass(frozen=True, slots=True)
class Compiler:
    """A command that compiles C.

    Attributes:
        command: with the flags that it always needs.
        words: its own spellings of flags that it names differently.
    """

    command: tuple[str, ...]
    words: Mapping[str, str] = field(default_factory=dict)

    def run(self, arguments: Sequence[str], folder: Path) -> None:
        """Raises CompileError with the compiler's message; `folder` is for its cache."""
        call = (*self.command, *(self.words.get(word, word) for word in arguments))
        caches = {f"ZIG_{which}_CACHE_DIR": str(folder / "zig") for which in ("LOCAL", "GLOBAL")}
        try:
            done = subprocess.run(
                call, capture_output=True, text=True, check=False, env={**os.environ, **caches}
            )
        except OSError as error:
            raise CompileError(f"{self.command[0]} could not be started: {error}") from error
        if done.returncode:
            raise CompileError(f"{' '.join(call)} failed:\n{done.stderr.strip()}")

    def knows(self, target: Target) -> bool:
        """Whether it can compile for every level: old compilers lack the newest instructions."""
        flags = {flag for level in target.levels.values() for flag in level}
        with tempfile.TemporaryDirectory() as folder:
            empty = Path(folder) / "empty.c"
            empty.write_text("int nothing;\n")
            made = str(empty.with_suffix(".o"))
            try:
                self.run((*sorted(flags), "-c", str(empty), "-o", made), Path(folder))
            except CompileError:
                return False
        return True


def this_machine() -> Target:
    """The platform running this program."""
    machine = platform.machine().lower()
    return Target({"amd64": "x86_64", "arm64": "aarch64"}.get(machine, machine), sys.platform)


def levels() -> dict[str, tuple[str, ...]]:
    """The instruction sets of this kind of processor, weakest first, and their flags."""
    return this_machine().levels


def library_path() -> Path:
    """The path of this platform's library, compiled or not."""
    return Path(__file__).parent / this_machine().file_name


def fingerprint() -> str:
    """A hash of all build inputs: a library with another one must not be loaded."""
    made = hashlib.sha256(repr((BASE_FLAGS, NUMBER_FLAGS, X86_LEVELS, ARM_LEVELS)).encode())
    for source in sorted(SOURCES.glob("*.[ch]")):
        made.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    return made.hexdigest()[:16]


def record_of(library: Path) -> Path:
    """The file next to a library with its build fingerprint and checksum."""
    return library.with_suffix(".made")


def is_current(library: Path) -> bool:
    """Whether the library is intact, and was built from the current sources."""
    try:
        return record_of(library).read_text() == _record(library)
    except (OSError, ValueError):
        return False


def _record(library: Path) -> str:
    return f"{fingerprint()} {hashlib.sha256(library.read_bytes()).hexdigest()}\n"


def find_compiler(target: Target | None = None) -> Compiler | None:
    """The first of $CC, cc, gcc, clang and the `ziglang` wheel's that knows all levels, or None."""
    target = target or this_machine()
    return next((each for each in _compilers(target) if each.knows(target)), None)


def _compilers(target: Target) -> Iterator[Compiler]:
    # A machine's own compilers compile for that machine.
    if not target.triple:
        named = tuple(os.environ.get("CC", "").split())
        found = (shutil.which(name) for name in ("cc", "gcc", "clang"))
        yield from map(Compiler, filter(None, (named, *((path,) for path in found if path))))
    try:
        import ziglang  # type: ignore[import-not-found]  # noqa: F401
    except ImportError:
        return
    # It compiles for the processor it runs on, unless a target is given.
    options = ("-target", target.triple) if target.triple else ()
    command = (sys.executable, "-m", "ziglang", "cc", "-mcpu=baseline", *options)
    yield Compiler(command, ZIG_WORDS)


def compile_library(
    file: Path | None = None, compiler: Compiler | None = None, target: Target | None = None
) -> Path:
    """Compile all levels into `file`, by default the library's path. Raises CompileError."""
    target, file = target or this_machine(), file or library_path()
    if not target.levels:
        raise CompileError(f"There are no kernels for {target.machine} processors.")
    compiler = compiler or find_compiler(target)
    if compiler is None:
        raise CompileError("No C compiler was found that knows this processor's instructions.")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        parts = objects(compiler, target, folder)
        made = folder / target.file_name
        linked = ("-shared", "-o", str(made), *map(str, parts), *target.link_flags)
        compiler.run(linked, folder)
        # Written next to the old one and then renamed: a running program may have that one loaded.
        placed = file.with_suffix(f".{os.getpid()}")
        shutil.copy(made, placed)
        placed.replace(file)
        placed.write_text(_record(made))
        placed.replace(record_of(file))
    return file


def objects(compiler: Compiler, target: Target, folder: Path) -> list[Path]:
    """The object files of all levels, and of the code they share."""
    Call = tuple[Path, Path, tuple[str, ...]]
    calls: list[Call] = [(SOURCES / name, folder / f"{name}.o", ()) for name in SHARED]
    for level, flags in target.levels.items():
        calls.append((SOURCES / "level.c", folder / f"{level}.o", (f"-DLEVEL={level}", *flags)))

    def build(call: Call) -> Path:
        source, made, flags = call
        common = (*target.flags, *NUMBER_FLAGS)
        compiler.run((*common, *flags, "-c", str(source), "-o", str(made)), folder)
        return made

    # The newest level takes the longest, so it comes first.
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(build, reversed(calls)))


if __name__ == "__main__":
    try:
        print(compile_library())
    except CompileError as error:
        raise SystemExit(str(error)) from error
