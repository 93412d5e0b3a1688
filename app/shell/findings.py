"""The quick checks of this computer and its display: for a start, and for `biplane check`."""

from __future__ import annotations

import os

from app.core.checks.finding import Finding, Level
from app.core.checks.machine import Folder, machine_findings
from app.core.log import log_folder
from app.core.options.shared import default_cache_dir
from app.core.preferences.file import settings_file
from app.core.store.opening import data_folder
from app.core.words.tr import tr
from app.shell.preflight import desktop_problem


def display() -> Finding:
    """Where windows appear, or why they cannot."""
    title = tr("Display")
    problem = desktop_problem()
    chosen, wayland, x11 = (
        os.environ.get(name, "") for name in ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY")
    )
    if problem:
        # Without any display, commands and the server work all the same.
        lacking: Level = "problem" if chosen or wayland or x11 else "note"
        return Finding("display", title, lacking, problem)
    if chosen in ("offscreen", "minimal"):
        return Finding("display", title, "ok", tr("Windows are drawn, and shown nowhere."))
    if wayland and chosen != "xcb":
        said = tr("Windows appear on Wayland ({name}).").format(name=wayland)
    elif x11:
        said = tr("Windows appear on X11 ({name}).").format(name=x11)
    else:
        said = tr("Windows can be shown.")
    return Finding("display", title, "ok", said)


def own_folders() -> list[Folder]:
    """The folders that the program writes to."""
    return [
        Folder("conversations", tr("conversations and models"), data_folder()),
        Folder("settings", tr("settings"), settings_file().parent),
        Folder("cache", tr("cache files"), default_cache_dir()),
        Folder("log", tr("log and crash reports"), log_folder()),
    ]


def quick_findings() -> list[Finding]:
    """Everything that is checked in a moment. Uses disks, so not for the window's thread."""
    return [*machine_findings(own_folders()), display()]
