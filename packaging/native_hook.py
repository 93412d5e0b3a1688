"""Compiles the C kernels when Biplane is installed or a wheel is built.

Where there is no compiler, the `ziglang` wheel brings one for the time of the build. Where that
fails too the installation goes on: PyTorch's operators do the same work, more slowly.
`BIPLANE_KERNELS=torch` asks for that from the start, and then nothing more is required.

`BIPLANE_WHEEL=manylinux_2_17_x86_64` (or another of TARGETS) makes a wheel for that platform with
`ziglang`, which has to be installed where the build runs; then an error ends the build.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.tags import platform_tags

COMPILER = "ziglang>=0.14,<0.18"
PLACE = "kernels/native"
# By the tag of the wheel: machine, system, and what `zig cc` calls them.
TARGETS = {
    "manylinux_2_17_x86_64": ("x86_64", "linux", "x86_64-linux-gnu.2.17"),
    "manylinux_2_17_aarch64": ("aarch64", "linux", "aarch64-linux-gnu.2.17"),
    "macosx_11_0_x86_64": ("x86_64", "darwin", "x86_64-macos.11.0"),
    "macosx_11_0_arm64": ("aarch64", "darwin", "aarch64-macos.11.0"),
    "win_amd64": ("x86_64", "win32", "x86_64-windows-gnu"),
}
SLOWER = "Biplane will compute with PyTorch's operators, which is slower"


class NativeHook(BuildHookInterface):  # type: ignore[type-arg]
    """The hook that pyproject.toml names."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        if _unwanted():
            return []
        return [] if _wheel() is None and self._compile().find_compiler() else [COMPILER]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        compile_, wheel = self._compile(), _wheel()
        if _unwanted():
            return
        try:
            if version == "editable":
                self._in_place(compile_)
            else:
                self._for_wheel(compile_, wheel, build_data)
        except compile_.CompileError as error:
            if wheel is not None:
                raise
            print(f"{SLOWER}: {error}", file=sys.stderr)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        for folder in build_data.pop("native_folders", ()):
            shutil.rmtree(folder, ignore_errors=True)

    def _compile(self) -> ModuleType:
        """kernels/native/compile.py: the package around it needs what a build has not."""
        name, path = "biplane_native_compile", Path(self.root, PLACE, "compile.py")
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def _in_place(self, compile_: ModuleType) -> None:
        if not compile_.is_current(compile_.library_path()):
            compile_.compile_library()

    def _for_wheel(
        self, compile_: ModuleType, wheel: str | None, build_data: dict[str, Any]
    ) -> None:
        library = compile_.library_path()
        if wheel is not None:
            target = compile_.Target(*TARGETS[wheel])
        else:
            target = compile_.this_machine()
        if wheel is not None or not compile_.is_current(library):
            folder = tempfile.mkdtemp()
            build_data["native_folders"] = [folder]
            library = Path(folder, target.file_name)
            compile_.compile_library(library, target=target)
        for file in (library, compile_.record_of(library)):
            build_data["force_include"][str(file)] = f"{PLACE}/{file.name}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{wheel or _platform()}"


def _unwanted() -> bool:
    return os.environ.get("BIPLANE_KERNELS") == "torch"


def _wheel() -> str | None:
    """The platform that a wheel is asked for; None for this machine."""
    asked = os.environ.get("BIPLANE_WHEEL")
    if asked and asked not in TARGETS:
        raise SystemExit(f"BIPLANE_WHEEL is {asked!r}: it can be {', '.join(TARGETS)}.")
    return asked or None


def _platform() -> str:
    """This machine, without a promise of which C libraries it will run on."""
    return next(tag for tag in platform_tags() if not tag.startswith(("manylinux", "musllinux")))
