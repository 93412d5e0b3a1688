"""Compiles what the CUDA part's Triton would compile on the user's computer."""

from __future__ import annotations

import sysconfig
import tempfile
import zipfile
from pathlib import Path, PurePosixPath

from app.core.cuda.wheels import list_file, read
from bundle import inputs
from bundle.commands import BundleError
from kernels.native.compile import CompileError, Compiler, find_compiler
from kernels.triton_driver import SOURCE, driver_name

# Where the wheel has the source, and its header beside it.
_SOURCE = PurePosixPath("triton") / SOURCE
_HEADERS = _SOURCE.parent / "include"


def build(target: Path, cache: Path) -> None:
    """Compile the driver of the Triton that the CUDA part has into the folder `target`."""
    listed = read(list_file().read_bytes())
    wheel = next(one for one in listed.wheels if one.name == "triton")
    file = inputs.fetched(wheel.url, wheel.sha256, cache / wheel.file)
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(file) as archive:
        for name in archive.namelist():
            if name == str(_SOURCE) or PurePosixPath(name).is_relative_to(_HEADERS):
                archive.extract(name, folder)
        compile_driver(Path(folder, _SOURCE), Path(folder, _HEADERS), target)


def compile_driver(source: Path, headers: Path, target: Path) -> Path:
    """Compile Triton's driver into the folder `target`; returns the file. Raises BundleError."""
    python = Path(sysconfig.get_path("include"))
    compiler = find_compiler()
    if compiler is None or not (python / "Python.h").is_file():
        raise BundleError(
            "What CUDA needs is compiled with Python's headers: install gcc and python3-dev."
        )
    made = target / driver_name(source.read_bytes())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            library = _stand_in(compiler, folder)
            compiler.run(
                (
                    *("-O3", "-shared", "-fPIC", "-s", f"-I{headers}", f"-I{python}"),
                    *(str(source), "-Wl,--no-as-needed", str(library), "-o", str(made)),
                ),
                folder,
            )
        except CompileError as error:
            raise BundleError(str(error)) from error
    return made


def _stand_in(compiler: Compiler, folder: Path) -> Path:
    """An empty library with the name of NVIDIA's, which only a computer with its driver has."""
    empty, library = folder / "empty.c", folder / "libcuda.so.1"
    empty.write_text("")
    compiler.run(
        ("-shared", "-fPIC", f"-Wl,-soname,{library.name}", str(empty), "-o", str(library)), folder
    )
    return library
