"""File > Export and File > Import: conversations as files."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog

from app.core.bridge import Bridge
from app.core.session.keeper import Keeper
from app.core.session.transfer import Received
from app.core.store.records import StoreError
from app.core.words import format as fmt
from app.core.words.tr import tr
from app.shell.problems import Problem
from app.shell.window import MainWindow
from app.ui.file_dialog import file_dialog

_MARKDOWN, _JSON = tr("Markdown (*.md)"), tr("JSON, with every branch (*.json)")
# Desktops know an export by its whole ending, and open it with Biplane.
_SUFFIX = "biplane.json"
# The id of the notice's button.
_OPEN = "imported"
_READABLE = tr("Biplane, ChatGPT and Open WebUI (*.json *.zip)")

_Work = Callable[[], Received | str]
# The kinds of work; also the offer on the card of a failure to try again.
_What = Literal["import", "export"]


@dataclass(frozen=True, slots=True)
class _Failure:
    """The kind of work that failed, and the reason."""

    what: _What
    sentence: str


class ExchangeController(QObject):
    """Asks for files, and moves conversations between them and the store.

    Signals:
        done: the result of a worker thread: conversations, or a sentence.
    """

    done = Signal(object)

    def __init__(self, window: MainWindow, bridge: Bridge, keeper: Keeper) -> None:
        super().__init__(window)
        self._window, self._bridge, self._keeper = window, bridge, keeper
        self._last: threading.Thread | None = None
        self._imported: set[int] = set()
        self._shows = False
        self.done.connect(self._take, Qt.ConnectionType.QueuedConnection)
        window.status.chosen.connect(self._choose)
        window.menus.export.triggered.connect(self._ask_where)
        window.menus.export_all.triggered.connect(self._ask_where_all)
        window.menus.import_.triggered.connect(self._ask_what)
        window.chats.files_dropped.connect(self.import_files)
        window.arrivals.exported.connect(self.open_files)

    def export(self, path: Path) -> None:
        """Write the conversation on screen; the suffix selects the format."""
        try:
            self._keeper.export(self._bridge.session.current.id, path)
        except StoreError as error:
            self._failed(_Failure("export", str(error)))
            return
        self._window.problems.withdraw("export")
        self._bridge.notify(tr("The conversation was exported to {name}.").format(name=path.name))

    def export_all(self, path: Path) -> None:
        """Write all conversations to a file, on a worker thread."""

        # Read here, since it changes on this thread.
        listed = self._keeper.listed()

        def work() -> str:
            self._keeper.transfer.write_all(path, listed)
            return tr("{conversations} exported to {name}.").format(
                conversations=fmt.plural(len(listed), "conversation"), name=path.name
            )

        self._begin(work, "export")

    def import_files(self, paths: Iterable[Path]) -> None:
        """Import files of conversations on a worker thread, one after the other."""
        self._shows = False
        self._import(paths)

    def open_files(self, paths: Iterable[Path]) -> None:
        """Import files, and show the uppermost of their conversations."""
        self._shows = True
        self._import(paths)

    def _import(self, paths: Iterable[Path]) -> None:
        self._imported.clear()
        for path in paths:
            self._bridge.notify(tr("Importing {name}…").format(name=path.name))
            self._begin(partial(self._keeper.transfer.receive, path), "import")

    def wait(self) -> None:
        """Wait until no file is being read or written."""
        if self._last is not None:
            self._last.join()

    def _begin(self, work: _Work, what: _What) -> None:
        """Start work once the previous one is done; withdraw the card of an earlier failure."""
        self._window.problems.withdraw(what)
        self._last = threading.Thread(
            target=self._run, args=(work, what, self._last), name="exchange", daemon=True
        )
        self._last.start()

    def _run(self, work: _Work, what: _What, before: threading.Thread | None) -> None:
        if before is not None:
            before.join()
        try:
            self.done.emit(work())
        except StoreError as error:
            self.done.emit(_Failure(what, str(error)))

    def _take(self, found: Received | str | _Failure) -> None:
        if isinstance(found, _Failure):
            self._failed(found)
            return
        if isinstance(found, str):
            self._bridge.notify(found)
            return
        self._bridge.perform(self._keeper.adopt(found))
        self._imported |= {one.id for one in found.conversations}
        if self._shows:
            self._choose(_OPEN)
            self._bridge.notify(found.sentence)
            return
        offers = [(_OPEN, tr("Open what was imported"))] if self._imported else []
        self._bridge.notify(found.sentence, *offers)

    def _choose(self, offer: str) -> None:
        """Open the uppermost of the conversations that were imported together."""
        if offer != _OPEN:
            return
        listed = self._bridge.session.conversations
        latest = next((one.id for one in listed if one.id in self._imported), None)
        if latest is not None:
            self._window.open_conversation(latest)

    def _failed(self, failure: _Failure) -> None:
        """Show the reason on a card, and offer another file or folder."""
        if failure.what == "import":
            title, again = tr("A file was not imported"), tr("Choose another file…")
        else:
            title, again = tr("Nothing was exported"), tr("Choose another place…")
        problem = Problem(failure.what, title, failure.sentence, ((failure.what, again),))
        self._window.problems.report(problem)
        self._bridge.notify(failure.sentence)

    def _ask_where(self) -> None:
        words = "".join(c if c.isalnum() else " " for c in self._bridge.session.current.title)
        name = "-".join(words.split()).lower() or "conversation"
        dialog = self._dialog(tr("Export conversation"), [_MARKDOWN, _JSON])
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("md")
        dialog.selectFile(name)
        dialog.filterSelected.connect(
            lambda chosen: dialog.setDefaultSuffix(_SUFFIX if chosen == _JSON else "md")
        )
        dialog.fileSelected.connect(lambda path: self.export(Path(path)))
        dialog.open()

    def dialog_for_all(self) -> QFileDialog:
        """The dialog that asks for the file to export all conversations to."""
        dialog = self._dialog(tr("Export all conversations"), [_JSON])
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(_SUFFIX)
        dialog.selectFile(tr("conversations"))
        return dialog

    def _ask_where_all(self) -> None:
        dialog = self.dialog_for_all()
        dialog.fileSelected.connect(lambda path: self.export_all(Path(path)))
        dialog.open()

    def _ask_what(self) -> None:
        dialog = self._dialog(tr("Import conversations"), [_READABLE])
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(lambda paths: self.import_files(map(Path, paths)))
        dialog.open()

    def _dialog(self, title: str, filters: list[str]) -> QFileDialog:
        dialog = file_dialog(self._window, "conversations", title)
        dialog.setNameFilters(filters)
        return dialog
