"""Qt's own warnings, which a window that was started from a menu would say to nobody."""

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
        """Take the place of the handler; it is called as well."""
        self._before = qInstallMessageHandler(self._take)

    def remove(self) -> None:
        """Put the handler back."""
        qInstallMessageHandler(self._before)

    def _take(self, kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        log.log(LEVELS.get(kind, logging.WARNING), "Qt: %s", harmless(context.category, text))
        log.debug("Qt said: %s", text)
        if self._before is not None:
            self._before(kind, context, text)
        elif sys.stderr is not None:
            print(text, file=sys.stderr)


def harmless(category: str | None, text: str) -> str:
    """What of a message cannot be text of a conversation.

    Parts of Qt with a category of their own speak of screens, fonts and plug-ins; the others may
    repeat what they were given, behind a colon.
    """
    if category and category.startswith("qt."):
        return f"{category}: {text}"
    return text.partition(": ")[0] if ": " in text else "a message without a source"
