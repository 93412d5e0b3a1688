"""Adds Biplane to the user's application menu, and removes exactly what it added.

Everything goes below XDG_DATA_HOME, with a record of what was written.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

from engine.errors import BiplaneError

DESKTOP_FILE = "biplane.desktop"
MIME_FILE = "biplane-gguf.xml"
METAINFO_FILE = "io.github.biplane.Biplane.metainfo.xml"
RECORD_FILE = Path("biplane") / "desktop-entry.json"
ICON_SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
MARK = "X-Biplane-Entry=true"
MENU_CACHE = "mimeinfo.cache"


@dataclass(frozen=True, slots=True)
class Program:
    """How to start the installed program from anywhere.

    Attributes:
        arguments: the program's absolute path and its arguments.
        folder: the working folder it needs, or None.
    """

    arguments: tuple[str, ...]
    folder: Path | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """What an installation wrote: files, and the folders it had to create, outermost first.

    Attributes:
        menu_cache: whether the menu's cache file existed before.
    """

    files: tuple[Path, ...] = ()
    folders: tuple[Path, ...] = ()
    menu_cache: bool = False


def data_home() -> Path:
    """The user's data folder by the XDG rules: a relative XDG_DATA_HOME is ignored."""
    given = os.environ.get("XDG_DATA_HOME", "")
    return Path(given) if os.path.isabs(given) else Path.home() / ".local" / "share"


def installed_program() -> Program:
    """The frozen program, else the script beside this Python, else this Python's own module."""
    if getattr(sys, "frozen", False):
        return Program((sys.executable,))
    # Not resolved: a virtual environment's Python is a link, and its folder is the environment.
    script = Path(sys.executable).parent / "biplane-gui"
    if script.is_file() and os.access(script, os.X_OK):
        return Program((str(script),))
    return Program((sys.executable, "-m", "app"), Path(__file__).resolve().parents[2])


def install_desktop(program: Program | None = None) -> list[Path]:
    """Write entry, icons and description; returns the files. A second call renews the first.

    Raises BiplaneError if another program's file is in the way or nothing can be written.
    """
    home = data_home()
    contents = _contents(home, program or installed_program())
    old = _read_record(home) or Record(menu_cache=(home / "applications" / MENU_CACHE).exists())
    for path, content in contents.items():
        if path not in old.files and _is_foreign(path, content):
            raise BiplaneError(f"{path} already exists and is not Biplane's; move it away first.")
    targets = [home / RECORD_FILE, *contents]
    folders = [*old.folders, *_missing_folders(targets, old.folders)]
    record = replace(old, files=tuple(contents), folders=tuple(folders))
    try:
        # The record comes first, so that what an interrupted call wrote can be removed.
        _write(home / RECORD_FILE, _dump(replace(record, files=(*old.files, *contents))))
        for path, content in contents.items():
            _write(path, content)
        for path in set(old.files) - set(contents):
            path.unlink(missing_ok=True)
        _write(home / RECORD_FILE, _dump(record))
    except OSError as error:
        raise BiplaneError(f"The menu entry cannot be written: {error}.") from None
    _update_menu(home)
    _run("update-mime-database", home / "mime")
    return list(contents)


def uninstall_desktop() -> list[Path]:
    """Remove what install_desktop wrote; returns the files removed, if any."""
    home = data_home()
    record = _read_record(home)
    if record is None:
        return []
    removed = [path for path in record.files if path.exists()]
    try:
        for path in (*record.files, home / RECORD_FILE):
            path.unlink(missing_ok=True)
    except OSError as error:
        raise BiplaneError(f"The menu entry cannot be removed: {error}.") from None
    _settle_menu(home, record)
    _settle_types(home, record)
    for folder in sorted(record.folders, key=lambda folder: len(folder.parts), reverse=True):
        # Other programs may have added files since.
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
    return removed


def exec_line(arguments: tuple[str, ...]) -> str:
    """The value of Exec: each argument quoted, then escaped as any string of an entry."""
    if "=" in arguments[0] or any(ord(char) < 32 for text in arguments for char in text):
        raise BiplaneError(
            f"{arguments[0]} contains a character that menu entries cannot hold; "
            "install Biplane in another folder."
        )
    return _escaped(" ".join(_quoted(argument) for argument in arguments))


def _quoted(argument: str) -> str:
    argument = argument.replace("%", "%%")
    if argument and all(char.isalnum() or char in "/._-+,:@%" for char in argument):
        return argument
    for char in '\\"`$':
        argument = argument.replace(char, "\\" + char)
    return f'"{argument}"'


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\")


def _contents(home: Path, program: Program) -> dict[Path, bytes]:
    icons = files("assets") / "icons"
    theme = home / "icons" / "hicolor"
    made = {
        home / "applications" / DESKTOP_FILE: _entry(program).encode(),
        home / "metainfo" / METAINFO_FILE: _source(METAINFO_FILE),
        home / "mime" / "packages" / MIME_FILE: _source(MIME_FILE),
        theme / "scalable" / "apps" / "biplane.svg": (icons / "biplane.svg").read_bytes(),
    }
    for size in ICON_SIZES:
        target = theme / f"{size}x{size}" / "apps" / "biplane.png"
        made[target] = (icons / f"biplane-{size}.png").read_bytes()
    return made


def _entry(program: Program) -> str:
    """The packaged entry with this installation's own paths."""
    values = {
        # The desktop puts the file that was double-clicked in the place of %f.
        "Exec": f"{exec_line(program.arguments)} %f",
        "TryExec": _escaped(program.arguments[0]),
    }
    lines = []
    for line in _source(DESKTOP_FILE).decode().splitlines():
        key = line.partition("=")[0]
        lines.append(f"{key}={values[key]}" if key in values else line)
    if program.folder is not None:
        lines.append(f"Path={_escaped(str(program.folder))}")
    return "\n".join([*lines, MARK, ""])


def _source(name: str) -> bytes:
    """A file of packaging/linux, which the wheel holds with the assets."""
    packed = files("assets") / "linux" / name
    if packed.is_file():
        return packed.read_bytes()
    path = Path(__file__).resolve().parents[2] / "packaging" / "linux" / name
    if not path.is_file():
        raise BiplaneError(f"This installation is missing {name}; reinstall Biplane.")
    return path.read_bytes()


def _is_foreign(path: Path, content: bytes) -> bool:
    """Whether a file that Biplane cannot have written is in the way."""
    if not path.exists():
        return False
    there = path.read_bytes()
    return there != content and MARK.encode() not in there.splitlines()


def _missing_folders(targets: list[Path], known: tuple[Path, ...]) -> list[Path]:
    missing = {folder for path in targets for folder in path.parents if not folder.exists()} - set(
        known
    )
    return sorted(missing, key=lambda folder: len(folder.parts))


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _dump(record: Record) -> bytes:
    values = {
        "files": [str(path) for path in dict.fromkeys(record.files)],
        "folders": [str(path) for path in record.folders],
        "menu_cache": record.menu_cache,
    }
    return json.dumps(values, indent=1).encode()


def _read_record(home: Path) -> Record | None:
    """The record of an earlier call, or None."""
    path = home / RECORD_FILE
    if not path.exists():
        return None
    try:
        values: Mapping[str, object] = json.loads(path.read_bytes())
        menu_cache = values["menu_cache"] is True
        written, folders = _paths(values["files"]), _paths(values["folders"])
    except (OSError, ValueError, KeyError, TypeError):
        raise BiplaneError(f"{path} is damaged; remove it and the menu entry by hand.") from None
    # Nothing outside the data folder is ever removed, whatever the record contains.
    return Record(
        tuple(path for path in written if path.is_relative_to(home)),
        tuple(path for path in folders if path.is_relative_to(home) or home.is_relative_to(path)),
        menu_cache,
    )


def _paths(values: object) -> tuple[Path, ...]:
    if not isinstance(values, list):
        raise TypeError("not a list")
    paths = tuple(Path(str(value)) for value in values)
    return tuple(path for path in paths if ".." not in path.parts)


def _settle_menu(home: Path, record: Record) -> None:
    """Also remove the menu's cache file if it only existed because of our entry."""
    applications = home / "applications"
    if not record.menu_cache and not any(applications.glob("**/*.desktop")):
        (applications / MENU_CACHE).unlink(missing_ok=True)
    elif applications.is_dir():
        _update_menu(home)


def _settle_types(home: Path, record: Record) -> None:
    """Also remove what was made of our type if there were no others before."""
    types = home / "mime"
    if types in record.folders and not any(types.glob("packages/*.xml")):
        shutil.rmtree(types, ignore_errors=True)
    elif types.is_dir():
        _run("update-mime-database", types)


def _update_menu(home: Path) -> None:
    _run("update-desktop-database", "-q", home / "applications")


def _run(name: str, *arguments: str | Path) -> None:
    """Run one of the desktop's tools, if there is one."""
    tool = shutil.which(name)
    if tool is None:
        return
    try:
        subprocess.run([tool, *arguments], capture_output=True, timeout=20, check=False)
    except (OSError, subprocess.SubprocessError):
        # Desktops also read the entry without it; only "open with" lists are outdated.
        return
