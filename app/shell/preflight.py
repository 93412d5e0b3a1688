"""Whether a window can be shown, and one plain sentence if not. Checked before Qt is used."""

from __future__ import annotations

import ctypes
import importlib
import os
import sys
from collections.abc import Callable
from pathlib import Path

from app.core.words.tr import tr

X11_LIBRARIES = (
    "libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 libxcb-xkb1 libxkbcommon-x11-0"
)
LIBRARIES = "libegl1 libgl1 libxkbcommon0 libdbus-1-3 libfontconfig1"


def desktop_problem() -> str:
    """Why the window cannot open, and what to do; "" if it can."""
    try:
        importlib.import_module("PySide6.QtWidgets")
        importlib.import_module("PySide6.QtSvg")
    except ImportError as error:
        return import_problem(error)
    if not sys.platform.startswith("linux"):
        return ""
    chosen = os.environ.get("QT_QPA_PLATFORM", "")
    if chosen in ("offscreen", "minimal", "vnc"):
        return ""
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or chosen):
        return tr(
            "Biplane found no display. Start it from a desktop, or set "
            "QT_QPA_PLATFORM=offscreen to take screenshots."
        )
    # On Wayland Qt uses its own plugin, which needs no X11 libraries.
    if chosen not in ("", "xcb") or not os.environ.get("DISPLAY"):
        return ""
    if os.environ.get("WAYLAND_DISPLAY") and chosen != "xcb":
        return ""
    return plugin_problem(_plugin_folder())


def import_problem(error: ImportError) -> str:
    """The sentence for a failed import of PySide6."""
    if isinstance(error, ModuleNotFoundError):
        return tr(
            "Biplane's window needs PySide6, which is not installed: run \"pip "
            'install PySide6-Essentials<6.12".'
        )
    return tr(
        "Qt cannot load a system library ({error}). On Debian or Ubuntu run: "
        "sudo apt install {libraries} {x11_libraries}"
    ).format(error=error, libraries=LIBRARIES, x11_libraries=X11_LIBRARIES)


def plugin_problem(folder: Path, load: Callable[[str], object] = ctypes.CDLL) -> str:
    """Why Qt's X11 plugin in `folder` cannot start; "" if it can.

    Qt aborts the whole process if its plugin does not load, so it is loaded here first: the
    loader's own message names the missing library.
    """
    plugin = folder / "libqxcb.so"
    if not plugin.exists():
        return ""
    try:
        load(str(plugin))
    except OSError as error:
        missing = str(error).split(":", 1)[0]
        return tr(
            "Qt needs a system library that is not installed ({missing}). On "
            "Debian or Ubuntu run: sudo apt install {libraries} {x11_libraries}"
        ).format(missing=missing, libraries=LIBRARIES, x11_libraries=X11_LIBRARIES)
    return ""


def _plugin_folder() -> Path:
    from PySide6.QtCore import QLibraryInfo

    return Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath)) / "platforms"
