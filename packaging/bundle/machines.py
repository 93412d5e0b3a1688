"""The machines that a bundle can be made for, and how each kind of package names them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PYTHON = "3.11"


@dataclass(frozen=True, slots=True)
class Machine:
    """One kind of machine.

    Attributes:
        key: its name in our files; for Linux Debian's name of the processor.
        name: the processor's name in wheels.
        uv: the machine's name for uv.
        wheel: the kernels' platform: packaging/native_hook.py.
        platforms: tags of the wheels that run where the bundle's Python does, best first.
        strip: binutils' program for its files; "" where nothing is stripped.
        glibc: the second number of the oldest C library it runs with; Debian 12, whose Python goes
            into the bundle, has 2.36.
        overrules: requirements that replace those of constraints.txt, with the reason beside them.
    """

    key: str
    name: str
    uv: str
    wheel: str
    platforms: tuple[str, ...]
    strip: str = ""
    glibc: int = 0
    overrules: tuple[str, ...] = ()

    @property
    def cuda(self) -> bool:
        """Whether there is a CUDA part for it: assets/cuda.json."""
        return self.key == "amd64"

    @property
    def triplet(self) -> str:
        """Where Debian keeps its libraries."""
        return f"{self.name}-linux-gnu"

    @property
    def wheels_file(self) -> Path:
        return HERE / f"wheels-{self.key}.txt"

    @property
    def debs_file(self) -> Path:
        return HERE / f"debs-{self.key}.txt"


def _linux(key: str, name: str, strip: str, glibc: int, *overrules: str) -> Machine:
    platforms = (
        *(f"manylinux_2_{minor}_{name}" for minor in range(glibc, 4, -1)),
        f"manylinux2014_{name}",
        f"linux_{name}",
    )
    uv, wheel = f"{name}-manylinux_2_{glibc}", f"manylinux_2_17_{name}"
    return Machine(key, name, uv, wheel, platforms, strip, glibc, overrules)


LINUX = {
    # The build without CUDA, which lies beside PyPI: inputs.TORCH_INDEX.
    "amd64": _linux("amd64", "x86_64", "strip", 36, "torch==2.13.0+cpu"),
    # Newer builds of torch for this processor bring CUDA in, on PyPI; Qt's want Debian 13.
    "arm64": _linux("arm64", "aarch64", "aarch64-linux-gnu-strip", 39, "torch==2.9.1"),
}
# PyPI's builds for these have no CUDA.
ELSEWHERE = {
    "windows": Machine("windows", "amd64", "x86_64-pc-windows-msvc", "win_amd64", ("win_amd64",)),
    "macos": Machine(
        "macos",
        "arm64",
        "aarch64-apple-darwin",
        "macosx_11_0_arm64",
        tuple(
            f"macosx_{version}_{kind}"
            for version in ("14_0", "13_0", "12_0", "11_0", "10_13", "10_12", "10_9")
            for kind in ("arm64", "universal2")
        ),
    ),
}
MACHINES = LINUX | ELSEWHERE
