"""Run the tests of the kernels in C on libraries that watch themselves.

    python -m tests.kernels.sanitized [address] [thread] [TESTS]

One is built with gcc's address and undefined-behaviour sanitizers, the other with its thread
sanitizer; both are kept in build/ until the sources change. The first to find anything ends its
process, and the report says where. Exit code 0 only if all tests passed on both.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import kernels.native.compile as compiling
import kernels.native.library as loading

ROOT = Path(__file__).resolve().parents[2]
# Everything that calls the library in this process.
TESTS = (
    *(
        f"tests/kernels/native/test_{name}.py"
        for name in ("rows", "layers", "not_a_number", "team")
    ),
    "tests/kernels/blocks",
    "tests/kernels/matmul",
    "tests/kernels/attention/test_native.py",
    "tests/kernels/gated_delta/test_sweep.py",
    "tests/kernels/sampling/test_largest.py",
)
# What Python and PyTorch leave allocated is not looked at.
OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=0",
    "UBSAN_OPTIONS": "print_stacktrace=1",
    "TSAN_OPTIONS": "halt_on_error=1",
}


@dataclass(frozen=True, slots=True)
class Build:
    """A library with sanitizers.

    Attributes:
        flags: for gcc.
        runtimes: that the process must have loaded before the library.
    """

    flags: tuple[str, ...]
    runtimes: tuple[str, ...]


BUILDS = {
    "address": Build(
        ("-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"),
        ("libasan.so", "libubsan.so"),
    ),
    "thread": Build(("-fsanitize=thread",), ("libtsan.so",)),
}


class Levels(compiling.Target):
    """This machine, with the levels alone that it can run."""

    @property
    def levels(self) -> dict[str, tuple[str, ...]]:
        found = loading.library()
        assert found, "the kernels in C are not in use"
        every = super().levels.items()
        return {name: flags for name, flags in every if found.call.biplane_use_level(name.encode())}


def compiled(name: str) -> Path:
    """The library of a build, made anew if the sources have changed."""
    gcc = shutil.which("gcc")
    assert gcc, "gcc is missing, whose sanitizers these are"
    folder = ROOT / "build/sanitized" / name
    folder.mkdir(parents=True, exist_ok=True)
    here = compiling.this_machine()
    file = folder / here.file_name
    if not compiling.is_current(file):
        target = Levels(here.machine, here.system)
        each = " ".join(f"do_({level})" for level in target.levels)
        flags = (*BUILDS[name].flags, f"-DEACH_LEVEL(do_)={each}")
        # Names for the reports, and less optimisation, which takes less time.
        compiler = compiling.Compiler((gcc, *flags), {"-O3": "-O1", "-s": "-g"})
        compiling.compile_library(file, compiler, target)
    return file


def run(name: str, tests: list[str]) -> int:
    """The exit code of the tests on a build, in a process that begins with its runtimes."""
    began = time.monotonic()
    file = compiled(name)
    print(f"{name}: compiled in {time.monotonic() - began:.0f} s", flush=True)
    build, began = BUILDS[name], time.monotonic()
    found = (
        subprocess.run(["gcc", f"-print-file-name={runtime}"], capture_output=True, text=True)
        for runtime in build.runtimes
    )
    preload = ":".join(each.stdout.strip() for each in found)
    command = [sys.executable, "-m", __spec__.name, "--library", str(file), *tests]
    # The thread sanitizer wants its own places in memory, which are not free everywhere at random.
    alone = ["setarch", "--addr-no-randomize"] if name == "thread" else []
    env = {**os.environ, **OPTIONS, "LD_PRELOAD": preload}
    done = subprocess.run([*alone, *command], cwd=ROOT, env=env)
    print(f"{name}: tested in {time.monotonic() - began:.0f} s", flush=True)
    return done.returncode


def test(file: Path, tests: list[str]) -> int:
    """Run tests in this process with the library in `file`."""
    # Programs that a test starts are not to begin with the runtimes.
    del os.environ["LD_PRELOAD"]
    vars(loading)["library_path"] = lambda: file
    import pytest

    return int(pytest.main(["-q", "-x", "--capture=sys", "-p", "no:cacheprovider", *tests]))


def main(words: list[str]) -> int:
    if words[:1] == ["--library"]:
        return test(Path(words[1]), words[2:])
    names = [word for word in words if word in BUILDS] or list(BUILDS)
    tests = [word for word in words if word not in BUILDS] or list(TESTS)
    return max(run(name, tests) for name in names)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
