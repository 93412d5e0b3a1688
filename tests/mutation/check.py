"""Plant every fault in a copy, one at a time, and require the tests to fail.

    python -m tests.mutation.check [NUMBER ...]

Exit code 0 only if every fault is caught. It takes hours: each fault in C is compiled for itself.
"""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from tests.mutation.fault import Fault
from tests.mutation.faults import FAULTS

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("app", "assets", "engine", "kernels", "tests", "pyproject.toml")
WAIT_S = 300


def passes(tests: str, copy: Path, limit_s: float | None = None) -> bool:
    """Whether `tests`, paths separated by spaces, pass in `copy`."""
    command = [sys.executable, "-B", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    try:
        run = subprocess.run(
            [*command, "--timeout=120", *(f"tests/{path}" for path in tests.split())],
            cwd=copy,
            capture_output=True,
            timeout=limit_s,
        )
    except subprocess.TimeoutExpired:
        return False
    # A process killed by a fault has caught it; tests that could not even run have not.
    assert run.returncode in (0, 1) or run.returncode < 0, run.stdout.decode()[-2000:]
    return run.returncode == 0


def caught(fault: Fault, copy: Path) -> bool:
    """Whether the tests named by a fault fail with it."""
    target = copy / "engine" / fault.file
    whole = target.read_text()
    target.write_text(fault.planted(whole))
    kept = _compiled(copy) if target.suffix in (".c", ".h") else {}
    try:
        if kept:
            compile_ = [sys.executable, "-m", "kernels.native.compile"]
            subprocess.run(compile_, cwd=copy, check=True, stdout=subprocess.DEVNULL)
        return not passes(fault.tests, copy, WAIT_S)
    finally:
        target.write_text(whole)
        for path, content in kept.items():
            path.write_bytes(content)


def _compiled(copy: Path) -> dict[Path, bytes]:
    """The library and its record: faults in C are compiled into a library of their own."""
    native = copy / "kernels/native"
    files = {path: path.read_bytes() for path in native.glob("biplane_kernels.*")}
    assert files, "the kernels in C are not compiled: python -m kernels.native.compile"
    return files


def _together(tests: Iterable[str]) -> str:
    """All paths once, without those inside another."""
    paths = sorted({path for one in tests for path in one.split()})
    return " ".join(p for p in paths if not any(p.startswith(f"{q}/") for q in paths))


def main(numbers: list[int]) -> int:
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                ignored = shutil.ignore_patterns("__pycache__")
                shutil.copytree(source, copy / name, ignore=ignored)
            else:
                shutil.copy(source, copy / name)
        numbered = enumerate(FAULTS.items(), 1)
        wanted = {n: one for n, one in numbered if not numbers or n in numbers}
        for path in {copy / "engine" / fault.file for _, fault in wanted.values()}:
            if path.suffix == ".py":
                # As a fault leaves it: without comments and laid out anew.
                path.write_text(ast.unparse(ast.parse(path.read_text())))
        # Tests that fail without a fault would catch anything.
        every = _together(fault.tests for _, fault in wanted.values())
        assert passes(every, copy), f"one of these tests fails without any fault: {every}"
        for number, (meaning, fault) in wanted.items():
            found = caught(fault, copy)
            print(f"{number:>3} {'caught' if found else 'MISSED'}  {fault.file}: {meaning}")
            sys.stdout.flush()
            if not found:
                missed.append(number)
    print(f"{len(numbers) or len(FAULTS)} faults, {len(missed)} missed {missed or ''}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main([int(number) for number in sys.argv[1:]]))
