"""File dialogs that start in the folder last used for the same purpose."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from PySide6.QtCore import QDir, QObject, Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from app.ui.theme import PerApplication

Purpose = Literal["attachments", "conversations", "exports", "models", "traces"]


class LastFolders(QObject):
    """The folders last used.

    Attributes:
        by_purpose: the folders, by purpose.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.by_purpose: dict[str, str] = {}

    def of(self, purpose: Purpose) -> str:
        """The folder; "" if none was chosen yet, or if it no longer exists."""
        folder = self.by_purpose.get(purpose, "")
        return folder if folder and QDir(folder).exists() else ""

    def note(self, purpose: Purpose, chosen: str) -> None:
        if chosen:
            self.by_purpose[purpose] = str(Path(chosen).parent)


last_folders = PerApplication(LastFolders)
"""The folders that the application's dialogs last used."""


def file_dialog(
    parent: QWidget, purpose: Purpose, title: str, *, first: Path | None = None
) -> QFileDialog:
    """A window-modal dialog that is deleted when it is closed.

    first: the folder to start in if none was chosen yet.
    """
    folders = last_folders()
    dialog = QFileDialog(parent, title, folders.of(purpose) or str(first or ""))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.filesSelected.connect(lambda paths: folders.note(purpose, paths[0]))
    return dialog


def ask_which(parent: QWidget, purpose: Purpose, title: str, filters: str) -> Path | None:
    """Ask for an existing file; None if cancelled."""
    folders = last_folders()
    path, _ = QFileDialog.getOpenFileName(parent, title, folders.of(purpose), filters)
    folders.note(purpose, path)
    return Path(path) if path else None


def ask_where(
    parent: QWidget, purpose: Purpose, title: str, name: str, filters: str = ""
) -> tuple[Path | None, str]:
    """Ask for a file to write, None if cancelled; and the chosen filter."""
    folders = last_folders()
    proposed = str(Path(folders.of(purpose), name))
    path, chosen = QFileDialog.getSaveFileName(parent, title, proposed, filters)
    folders.note(purpose, path)
    return Path(path) if path else None, chosen
