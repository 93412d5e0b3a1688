"""Qt's own warnings, which nobody would see if the window was started from a menu."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.DEBUG,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}
Handler = Callable[[QtMsgType, QMessageLogContext, str], None]

log = logging.getLogger(__name__)


class QtMessages:
    """Writes them to the log while it is installed."""

    def __init__(self) -> None:
        self._before: Handler | None = None

    def install(self) -> None:
        """Replace the current handler; it is still called."""
        self._before = qInstallMessageHandler(self._take)

    def remove(self) -> None:
        """Restore the previous handler."""
        qInstallMessageHandler(self._before)

    def _take(self, kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        log.log(LEVELS.get(kind, logging.WARNING), "Qt: %s", harmless(context.category, text))
        log.debug("Qt said: %s", text)
        if self._before is not None:
            self._before(kind, context, text)
        elif sys.stderr is not None:
            print(text, file=sys.stderr)


def harmless(category: str | None, text: str) -> str:
    """The part of a message that cannot be text of a conversation.

    Qt modules with their own category report about screens, fonts and plug-ins; the others may
    repeat their input after a colon.
    """
    if category and category.startswith("qt."):
        return f"{category}: {text}"
    return text.partition(": ")[0] if ": " in text else "a message without a source"
