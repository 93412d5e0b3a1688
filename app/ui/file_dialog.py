"""Asks for files, beginning where the user last chose one for the same purpose."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from PySide6.QtCore import QDir, QObject, Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from app.ui.theme import PerApplication

Purpose = Literal["attachments", "conversations", "exports", "models", "traces"]


class LastFolders(QObject):
    """Where files were chosen last.

    Attributes:
        by_purpose: the folders, by purpose.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.by_purpose: dict[str, str] = {}

    def of(self, purpose: Purpose) -> str:
        """ "" where none was chosen yet, or it is gone."""
        folder = self.by_purpose.get(purpose, "")
        return folder if folder and QDir(folder).exists() else ""

    def note(self, purpose: Purpose, chosen: str) -> None:
        if chosen:
            self.by_purpose[purpose] = str(Path(chosen).parent)


last_folders = PerApplication(LastFolders)
"""What the application's dialogs remember."""


def file_dialog(
    parent: QWidget, purpose: Purpose, title: str, *, first: Path | None = None
) -> QFileDialog:
    """A dialog that blocks nothing but the window it stands over, and goes when it is closed.

    first: the folder to begin in while none was chosen.
    """
    folders = last_folders()
    dialog = QFileDialog(parent, title, folders.of(purpose) or str(first or ""))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.filesSelected.connect(lambda paths: folders.note(purpose, paths[0]))
    return dialog


def ask_which(parent: QWidget, purpose: Purpose, title: str, filters: str) -> Path | None:
    """A file that is there; None if none was chosen."""
    folders = last_folders()
    path, _ = QFileDialog.getOpenFileName(parent, title, folders.of(purpose), filters)
    folders.note(purpose, path)
    return Path(path) if path else None


def ask_where(
    parent: QWidget, purpose: Purpose, title: str, name: str, filters: str = ""
) -> tuple[Path | None, str]:
    """A file to write, None if none was chosen; and which of the filters was."""
    folders = last_folders()
    proposed = str(Path(folders.of(purpose), name))
    path, chosen = QFileDialog.getSaveFileName(parent, title, proposed, filters)
    folders.note(purpose, path)
    return Path(path) if path else None, chosen
