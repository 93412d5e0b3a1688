"""File > Export and File > Import: conversations as files."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog

from app.bridge import Bridge
from app.session.keeper import Keeper
from app.shell.window import MainWindow
from app.store.importing import Imported, read_file
from app.store.records import StoreError
from app.words import format as fmt

_MARKDOWN, _JSON = "Markdown (*.md)", "JSON, with every branch (*.json)"


class Exchange(QObject):
    """Asks for files, and moves conversations between them and the store.

    Signals:
        read: the conversations of a file, from the thread that reads it; or a sentence.
    """

    read = Signal(object)

    def __init__(self, window: MainWindow, bridge: Bridge, keeper: Keeper) -> None:
        super().__init__(window)
        self._window, self._bridge, self._keeper = window, bridge, keeper
        self._reader: threading.Thread | None = None
        self.read.connect(self._take, Qt.ConnectionType.QueuedConnection)
        window.menus.export.triggered.connect(self._ask_where)
        window.menus.import_.triggered.connect(self._ask_what)

    def export(self, path: Path) -> None:
        """Write the conversation on screen; the end of the name says in which format."""
        try:
            self._keeper.export(self._bridge.session.current.id, path)
        except StoreError as error:
            self._bridge.notify(str(error))
            return
        self._bridge.notify(f"The conversation was exported to {path.name}.")

    def import_file(self, path: Path) -> None:
        """Read a file of conversations, behind the window."""
        self.wait()
        self._reader = threading.Thread(target=self._read, args=(path,), name="import", daemon=True)
        self._reader.start()

    def wait(self) -> None:
        """Until no file is being read."""
        if self._reader is not None:
            self._reader.join()

    def _read(self, path: Path) -> None:
        try:
            self.read.emit(read_file(path))
        except StoreError as error:
            self.read.emit(str(error))

    def _take(self, found: Sequence[Imported] | str) -> None:
        if isinstance(found, str):
            self._bridge.notify(found)
            return
        self._bridge.perform(self._keeper.add(found))
        self._bridge.notify(f"{fmt.plural(len(found), 'conversation')} imported.")

    def _ask_where(self) -> None:
        words = "".join(c if c.isalnum() else " " for c in self._bridge.session.current.title)
        name = "-".join(words.split()).lower() or "conversation"
        dialog = QFileDialog(self._window, "Export conversation")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters([_MARKDOWN, _JSON])
        dialog.setDefaultSuffix("md")
        dialog.selectFile(name)
        dialog.filterSelected.connect(
            lambda chosen: dialog.setDefaultSuffix("json" if chosen == _JSON else "md")
        )
        dialog.fileSelected.connect(lambda path: self.export(Path(path)))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _ask_what(self) -> None:
        dialog = QFileDialog(self._window, "Import conversations")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters(["JSON (*.json)"])
        dialog.fileSelected.connect(lambda path: self.import_file(Path(path)))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
