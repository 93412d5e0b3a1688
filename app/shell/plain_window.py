"""Shows a sentence when Qt cannot: in the terminal, or in any plain window available.

A program started from a menu has no visible standard error, so if it cannot open its own window
it must find another one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

TITLE = "Biplane"
# Tried in this order; all of them show a text, and block or return at once.
PROGRAMS = (
    ("zenity", "--error", f"--title={TITLE}", "--no-markup", "--text={}"),
    ("kdialog", "--title", TITLE, "--error", "{}"),
    ("xmessage", "-center", "{}"),
    ("notify-send", TITLE, "{}"),
)


def notify(sentence: str) -> None:
    """Print the sentence; without a terminal, show it in a window as well."""
    if sys.stderr is not None:
        print(sentence, file=sys.stderr)
        if sys.stderr.isatty():
            return
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    if not _by_tk(sentence):
        _by_program(sentence)


def _by_tk(sentence: str) -> bool:
    """Use Python's own toolkit, which is not always installed."""
    try:
        import tkinter
        from tkinter import messagebox
    except ImportError:
        return False
    try:
        root = tkinter.Tk()
    except tkinter.TclError:
        return False
    root.withdraw()
    messagebox.showerror(TITLE, sentence)
    root.destroy()
    return True


def _by_program(sentence: str) -> bool:
    """Use the first dialog program that is installed and works."""
    for program, *arguments in PROGRAMS:
        path = shutil.which(program)
        if path is None:
            continue
        command = [path, *(argument.replace("{}", sentence) for argument in arguments)]
        if subprocess.run(command, capture_output=True, check=False).returncode == 0:
            return True
    return False
