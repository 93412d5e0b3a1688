"""Files that are dropped, pasted or chosen: read in the background, then attached."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from app.chat.composer import Composer
from app.core.bridge import Bridge
from app.core.session.attachments import MOST_FILES, Attachment
from app.core.session.text_files import FileError, read_text_file
from app.core.words import format as fmt
from app.core.words.joining import in_turn
from app.core.words.tr import tr
from app.ui.file_dialog import file_dialog

# A slower disk is not waited for at shutdown.
_SOON_S = 2.0
_MOST_SENTENCES = 3


@dataclass(frozen=True, slots=True)
class _Read:
    """The files read for a conversation, and the failures."""

    conversation: int
    files: tuple[Attachment, ...]
    problems: tuple[str, ...]


class AttachController(QObject):
    """Attaches files to the draft of the conversation on screen.

    Signals:
        read: files, from the thread that read them.
    """

    read = Signal(object)

    def __init__(self, bridge: Bridge, composer: Composer, window: QWidget) -> None:
        super().__init__(window)
        self._bridge, self._composer, self._window = bridge, composer, window
        self._threads: list[threading.Thread] = []
        self.read.connect(self._take, Qt.ConnectionType.QueuedConnection)
        composer.files_given.connect(self.add)
        composer.files_wanted.connect(self.ask)
        composer.file_removed.connect(lambda file: bridge.perform(bridge.session.detach(file)))

    def ask(self) -> None:
        """Open a file dialog, which does not block the window."""
        dialog = file_dialog(self._window, "attachments", tr("Attach text files"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(lambda names: self.add([Path(name) for name in names]))
        dialog.open()

    def add(self, paths: Sequence[Path], conversation: int | None = None) -> None:
        """Read files and attach them to a conversation: the one that is on screen now."""
        if conversation is None:
            conversation = self._bridge.session.current.id
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        thread = threading.Thread(
            target=self._read,
            args=(conversation, tuple(paths)),
            name="attach",
            daemon=True,
        )
        self._threads.append(thread)
        thread.start()

    def wait(self) -> None:
        """Wait until no file is being read."""
        for thread in self._threads:
            thread.join(_SOON_S)

    def _read(self, conversation: int, paths: Sequence[Path]) -> None:
        files: list[Attachment] = []
        problems: list[str] = []
        for path in paths[:MOST_FILES]:
            try:
                files.append(read_text_file(path))
            except FileError as error:
                problems.append(str(error))
        if len(paths) > MOST_FILES:
            more = fmt.plural(len(paths) - MOST_FILES, "file")
            problems.append(
                tr("{more} too many: a message may have at most {most_files}.").format(
                    more=more, most_files=MOST_FILES
                )
            )
        self.read.emit(_Read(conversation, tuple(files), tuple(problems)))

    def _take(self, came: _Read) -> None:
        session = self._bridge.session
        attached = session.attach(came.conversation, came.files)
        self._bridge.perform(attached.outcome)
        problems = (*came.problems, *attached.problems)
        if len(problems) > _MOST_SENTENCES:
            left = fmt.plural(len(problems) - _MOST_SENTENCES + 1, "other file")
            problems = (
                *problems[: _MOST_SENTENCES - 1],
                tr("{left} could not be attached.").format(left=left),
            )
        if came.conversation == session.current.id:
            self._composer.focus()
            self._composer.show_problem("\n".join(problems))
        elif problems:
            self._bridge.notify(in_turn(*problems))
