"""The processors that a bundle can be made for, and how each kind of package names them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PYTHON = "3.11"


@dataclass(frozen=True, slots=True)
class Machine:
    """One kind of processor.

    Attributes:
        debian: its name for Debian.
        name: its name for the kernel, and in wheels.
        strip: binutils' program for its files.
        glibc: the second number of the oldest C library it runs with; Debian 12, whose Python goes
            into the bundle, has 2.36.
        overrules: requirements that replace those of constraints.txt, with the reason beside them.
    """

    debian: str
    name: str
    strip: str
    glibc: int = 36
    overrules: tuple[str, ...] = ()

    @property
    def triplet(self) -> str:
        return f"{self.name}-linux-gnu"

    @property
    def uv(self) -> str:
        return f"{self.name}-manylinux_2_{self.glibc}"

    @property
    def wheel(self) -> str:
        """The kernels' platform: packaging/native_hook.py."""
        return f"manylinux_2_17_{self.name}"

    @property
    def platforms(self) -> tuple[str, ...]:
        """The wheels that run where the bundle's Python does."""
        newest_first = range(self.glibc, 4, -1)
        return (
            *(f"manylinux_2_{minor}_{self.name}" for minor in newest_first),
            f"manylinux2014_{self.name}",
            f"linux_{self.name}",
        )

    @property
    def wheels_file(self) -> Path:
        return HERE / f"wheels-{self.debian}.txt"

    @property
    def debs_file(self) -> Path:
        return HERE / f"debs-{self.debian}.txt"


MACHINES = {
    # The build without CUDA, which lies beside PyPI: inputs.TORCH_INDEX.
    "amd64": Machine("amd64", "x86_64", "strip", overrules=("torch==2.13.0+cpu",)),
    # Newer builds of torch for this processor bring CUDA in, on PyPI; Qt's want Debian 13.
    "arm64": Machine("arm64", "aarch64", "aarch64-linux-gnu-strip", 39, ("torch==2.9.1",)),
}
