"""File > Open recent."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QFontMetrics
from PySide6.QtWidgets import QMenu

from app.core.words.tr import tr
from app.models.logic.recent_models import folder_problem, load, place_text, save, with_first

_LOOK_MS = 40
_PLACE_PX = 320
_OPEN_NOW = tr("This model is open.")


class RecentCheck:
    """Checks folders on a thread: a sleeping or remote disk must not block the window."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = tuple(folders)
        self._problems: dict[Path, str] | None = None
        threading.Thread(target=self._run, name="biplane-recent", daemon=True).start()

    def done(self) -> Mapping[Path, str] | None:
        """The problem of each folder, "" for none; None while checking."""
        return self._problems

    def _run(self) -> None:
        self._problems = {folder: folder_problem(folder) for folder in self._folders}


class Check(Protocol):
    def done(self) -> Mapping[Path, str] | None: ...


class RecentMenu(QObject):
    """One action per folder; missing ones are disabled, with the reason.

    Attributes:
        folders: most recent first.
        problems: the folders' problems, as far as known.
        actions: of the folders, in order.
        clear: empties the list.

    Signals:
        chosen: a folder to open.
        looked: a check of the folders has finished.
    """

    chosen = Signal(object)
    looked = Signal(object)

    def __init__(
        self, file: QMenu, menu: QMenu, look: Callable[[Sequence[Path]], Check] = RecentCheck
    ) -> None:
        super().__init__(menu)
        self._menu, self._look = menu, look
        self._check: Check | None = None
        self.folders: tuple[Path, ...] = ()
        self.problems: dict[Path, str] = {}
        self._open: Path | None = None
        self.actions: list[QAction] = []
        self.clear = QAction(tr("Clear"), self)
        self.clear.triggered.connect(self._forget)
        menu.setToolTipsVisible(True)
        # When the parent menu opens, so that the result is there by the time this one does.
        file.aboutToShow.connect(self.look)
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self._take)
        self._file: Path | None = None
        self.show_folders(())

    def keep_in(self, file: Path) -> None:
        """Load the folders from a file, and save them there from now on."""
        self._file = file
        self.show_folders(load(file))

    def show_open(self, folder: Path | None) -> None:
        """Move the folder of the open model to the front; None while none is open."""
        if folder == self._open:
            return
        self._open = folder
        if folder is None:
            self._enable()
            return
        # Another window may have added some meanwhile.
        known = self.folders if self._file is None else load(self._file) or self.folders
        self._keep(with_first(known, folder))

    def _forget(self) -> None:
        self._keep(())

    def _keep(self, folders: tuple[Path, ...]) -> None:
        if self._file is not None:
            save(self._file, folders)
        self.show_folders(folders)

    def show_folders(self, folders: tuple[Path, ...]) -> None:
        """Set the folders of the menu."""
        self.folders = folders
        self.problems = {f: p for f, p in self.problems.items() if f in folders}
        self._menu.clear()
        for action in self.actions:
            action.deleteLater()
        self.actions = [self._action(number, folder) for number, folder in enumerate(folders, 1)]
        self._menu.addActions(self.actions)
        self._menu.addSeparator()
        self._menu.addAction(self.clear)
        self._menu.menuAction().setEnabled(bool(folders))
        self._enable()

    def look(self) -> None:
        """Check which folders still exist; the result is shown once available."""
        if self._check is None and self.folders:
            self._check = self._look(self.folders)
            self._timer.start()

    def _take(self) -> None:
        found = None if self._check is None else self._check.done()
        if found is not None:
            self._check = None
            self._timer.stop()
            self.problems = {folder: found.get(folder, "") for folder in self.folders}
            self._enable()
            self.looked.emit(self.problems)

    def _action(self, number: int, folder: Path) -> QAction:
        name = folder.name.replace("&", "&&")
        # The tenth has the mnemonic 0.
        key = f"&{number}" if number < 10 else "1&0"
        metrics = QFontMetrics(self._menu.font())
        where = metrics.elidedText(place_text(folder), Qt.TextElideMode.ElideMiddle, _PLACE_PX)
        # Text after a tab is in the column of the shortcuts.
        made = QAction(f"{key}  {name}\t{where.replace('&', '&&')}", self)
        made.triggered.connect(lambda: self.chosen.emit(folder))
        return made

    def _enable(self) -> None:
        for folder, action in zip(self.folders, self.actions, strict=True):
            is_open = folder == self._open
            problem = _OPEN_NOW if is_open else self.problems.get(folder, "")
            action.setEnabled(not problem)
            action.setToolTip(f"{folder}\n{problem}" if problem else str(folder))
