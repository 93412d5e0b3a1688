"""Triton's own library, compiled before it is needed: whether it is found, and can be loaded."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch

triton = pytest.importorskip("triton")

from bundle.commands import BundleError  # noqa: E402
from bundle.cuda_driver import compile_driver  # noqa: E402

from kernels.triton_driver import SOURCE, driver_name, use_compiled  # noqa: E402

DRIVER = Path(triton.__file__).parent / SOURCE
# A launch asks the hook first; NVIDIA's library is a stand-in that has every name and does nothing.
LOAD = """
import sys
from pathlib import Path
import triton.runtime.build as build
from kernels.triton_driver import use_compiled
assert use_compiled(Path(sys.argv[1]))
source = Path(build.__file__).parents[1] / "backends/nvidia/driver.c"
module = build.compile_module_from_src(source.read_text(), "cuda_utils")
print(*sorted(name for name in ("load_binary", "launch", "PyKernelArg") if hasattr(module, name)))
"""


@pytest.fixture
def no_hook() -> object:
    before = triton.knobs.build.impl
    yield
    triton.knobs.build.impl = before


class TestUse:
    def test_without_one_triton_compiles(self, tmp_path: Path, no_hook: object) -> None:
        assert not use_compiled(tmp_path)
        (tmp_path / driver_name(b"of another version")).write_bytes(b"")
        assert not use_compiled(tmp_path)
        assert triton.knobs.build.impl is None

    def test_the_one_for_this_source_is_used(self, tmp_path: Path, no_hook: object) -> None:
        file = self.made(tmp_path)
        assert use_compiled(tmp_path)
        assert triton.knobs.build.impl("cuda_utils", "", "", [], [], []) == str(file)

    def test_on_rocm_triton_compiles_its_own(
        self, tmp_path: Path, no_hook: object, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.made(tmp_path)
        monkeypatch.setattr(torch.version, "hip", "6.4")
        assert not use_compiled(tmp_path)
        assert triton.knobs.build.impl is None

    @staticmethod
    def made(folder: Path) -> Path:
        digest = hashlib.sha256(DRIVER.read_bytes()).hexdigest()
        file = folder / f"triton_driver-{digest[:16]}.so"
        file.write_bytes(b"")
        return file


class TestCompiled:
    def test_triton_loads_it_without_a_compiler(self, tmp_path: Path) -> None:
        made = tmp_path / "made"
        made.mkdir()
        try:
            file = compile_driver(DRIVER, DRIVER.parent / "include", made)
        except BundleError as error:
            pytest.skip(str(error))
        compiler = shutil.which("cc") or shutil.which("gcc")
        if compiler is None or shutil.which("nm") is None:
            pytest.skip("needs a C compiler and nm")
        listed = subprocess.run(
            ["nm", "-D", "--undefined-only", str(file)], check=True, capture_output=True, text=True
        )
        wanted = [line.split()[-1] for line in listed.stdout.splitlines()]
        source = tmp_path / "stand_in.c"
        source.write_text(
            "".join(f"int {name}() {{ return 0; }}\n" for name in wanted if name.startswith("cu"))
        )
        options = ["-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "-o"]
        library = str(tmp_path / "libcuda.so.1")
        subprocess.run([compiler, *options, library, str(source)], check=True)
        done = subprocess.run(
            [sys.executable, "-c", LOAD, str(made)],
            env={
                "LD_LIBRARY_PATH": str(tmp_path),
                "TRITON_CACHE_DIR": str(tmp_path / "cache"),
                "PYTHONPATH": str(Path(__file__).parents[2]),
                "PATH": "",
            },
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.split() == ["PyKernelArg", "launch", "load_binary"]
