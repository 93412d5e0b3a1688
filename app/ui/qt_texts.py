"""Qt's own texts, such as the buttons of its dialogs, in the language that is set."""

from __future__ import annotations

import logging

from PySide6.QtCore import QLibraryInfo, QTranslator
from PySide6.QtWidgets import QApplication

from app.core.words import language

log = logging.getLogger(__name__)


def install_qt_texts(app: QApplication) -> None:
    """Give Qt's own dialogs the program's language."""
    name = language.current()
    if name == language.ENGLISH:
        return
    translator = QTranslator(app)
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if translator.load(f"qtbase_{name}", folder):
        app.installTranslator(translator)
    else:
        log.warning("Qt has no texts in %s in %s.", name, folder)
