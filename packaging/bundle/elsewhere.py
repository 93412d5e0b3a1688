"""What is installed on Windows and macOS, as far as Linux can make it.

Wheels, our own with its kernels compiled by zig, launchers and the notice are put together here.
The Python for that system is given (`--python FOLDER`): python.org's embeddable package for
Windows, unpacked, or a relocatable build for macOS. Nothing of this has been run there.
"""

from __future__ import annotations

import plistlib
import shutil
from pathlib import Path

from PySide6.QtGui import QImage

from bundle import inputs, notice
from bundle.commands import BundleError, run
from bundle.machines import LINUX, PYTHON, ROOT, Machine
from bundle.parts import QT_MODULES, TEXTS_DEB
from bundle.tree import prune

# By system: folder of Python in the whole, and of the packages in Python's.
PLACES = {
    "windows": ("python", "Lib/site-packages"),
    "macos": ("Biplane.app/Contents/Resources/python", f"lib/python{PYTHON}/site-packages"),
}
WINDOWS_COMMAND = '@"%~dp0python\\python.exe" -I -m app.cli.main %*\r\n'
# The embeddable Python looks nowhere else than here says.
WINDOWS_PATHS = "python311.zip\r\n.\r\nLib\\site-packages\r\n"
MACOS_STARTER = """\
#!/bin/sh
here=$(cd "$(dirname "$0")/.." && pwd)
unset PYTHONHOME PYTHONPATH
exec "$here/Resources/python/bin/python{python}" -I -m app "$@"
"""


def build(machine: Machine, version: str, cache: Path, python: Path | None) -> Path:
    """Make the folder; returns it. Without `python` it holds everything but Python itself."""
    root = ROOT / "build" / f"bundle-{machine.key}"
    shutil.rmtree(root, ignore_errors=True)
    home, below = PLACES[machine.key]
    if python is not None:
        shutil.copytree(python, root / home, symlinks=True)
    packages = root / home / below
    wheels = inputs.fetch_wheels(machine, cache)
    inputs.install_wheels(machine, wheels, inputs.own_wheel(machine), packages)
    prune(packages, _of_qt)
    if machine.key == "windows":
        _write(root / "biplane.cmd", WINDOWS_COMMAND)
        _write(root / home / "python311._pth", WINDOWS_PATHS)
        _icon(root / "biplane.ico")
    else:
        _app(root / "Biplane.app", version)
    notice.write(root / "share" / "doc" / "biplane", packages, _texts(cache))
    return root


def _of_qt(name: str) -> bool:
    """Whether this is a part of Qt that is left out: in these wheels all lies side by side."""
    parts = name.split("/")
    if parts[0] != "PySide6" or len(parts) < 2:
        return False
    module = parts[1].split(".")[0]
    return parts[1] in ("qml", "Assistant.app", "Designer.app", "Linguist.app") or (
        module.startswith("Qt")
        and parts[1].endswith((".pyd", ".abi3.so"))
        and module not in QT_MODULES
    )


def _app(app: Path, version: str) -> None:
    """The files that make a folder a program for macOS."""
    source = (ROOT / "packaging" / "macos" / "Info.plist").read_text(encoding="utf-8")
    described = source.replace("@VERSION@", version)
    plistlib.loads(described.encode())
    _write(app / "Contents" / "Info.plist", described)
    starter = app / "Contents" / "MacOS" / "Biplane"
    _write(starter, MACOS_STARTER.format(python=PYTHON))
    starter.chmod(0o755)
    _icon(app / "Contents" / "Resources" / "biplane.icns")


def _icon(target: Path) -> None:
    if not QImage(str(ROOT / "assets" / "icons" / "biplane-256.png")).save(str(target)):
        raise BundleError(f"Qt cannot write {target.name}.")


def _texts(cache: Path) -> Path:
    """The texts of licences that many share, as Debian has them."""
    debs = ROOT / "build" / "texts"
    for deb in inputs.fetch_debs(LINUX["amd64"], cache):
        if deb.name.startswith(f"{TEXTS_DEB}_"):
            target = debs / TEXTS_DEB
            target.mkdir(parents=True, exist_ok=True)
            run("dpkg-deb", "--extract", deb, target)
    return debs


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")
