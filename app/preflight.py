"""Whether a window can be shown here, in one plain sentence if not. Checked before Qt is used."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys

LIBRARIES = "libegl1 libgl1 libxkbcommon0 libdbus-1-3 libfontconfig1"
_NO_DISPLAY = (
    "Biplane found no display. Start it from a desktop, "
    "or set QT_QPA_PLATFORM=offscreen to take screenshots."
)
_PROBE = "from PySide6.QtWidgets import QApplication; QApplication([])"


def desktop_problem() -> str:
    """What keeps the window from opening, and what to do; "" where nothing does."""
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
        return _NO_DISPLAY
    return _plugin_problem()


def import_problem(error: ImportError) -> str:
    """The sentence for an import of PySide6 that failed."""
    if isinstance(error, ModuleNotFoundError):
        return (
            "Biplane's window needs PySide6, which is not installed: "
            'run "pip install PySide6-Essentials<6.12".'
        )
    return (
        f"Qt cannot load a system library ({error}). "
        f"On Debian or Ubuntu run: sudo apt install {LIBRARIES} libxcb-cursor0"
    )


def _plugin_problem() -> str:
    """Qt ends the whole process where its display plugin cannot start; so try in another one."""
    if not _missing_xcb_cursor():
        return ""
    tried = subprocess.run(
        [sys.executable, "-c", _PROBE], capture_output=True, text=True, timeout=30, check=False
    )
    if tried.returncode == 0:
        return ""
    return (
        "Qt cannot reach the display. "
        f"On Debian or Ubuntu run: sudo apt install {LIBRARIES} libxcb-cursor0"
    )


def _missing_xcb_cursor() -> bool:
    """Whether the library is missing that Qt's X11 plugin needs and most systems lack."""
    from ctypes.util import find_library

    return find_library("xcb-cursor") is None
