"""Help > Show log."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from app.log import Log
from app.words.tr import tr


def show_log(log: Log, say: Callable[[str], None]) -> None:
    """Open the log, or its folder, with the desktop's program; else `say` where it is."""
    if log.problem:
        say(log.problem)
        return
    for path in (log.path, log.path.parent):
        if QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            return
    say(tr("The log is {path}; no program on this desktop opens it.").format(path=log.path))
