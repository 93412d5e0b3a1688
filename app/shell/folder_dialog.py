"""Asks for the folder of a model; blocks nothing but the window that it stands over."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from app.file_dialog import file_dialog
from app.words.tr import tr


def ask_for_folder(
    parent: QWidget, open_now: Path | None, chosen: Callable[[Path], object]
) -> None:
    """Begin where one was last chosen, or beside the model that is open.

    `chosen` is called unless the user cancels.
    """
    beside = None if open_now is None else open_now.parent
    dialog = file_dialog(parent, "models", tr("Choose a model folder"), first=beside)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.fileSelected.connect(lambda folder: chosen(Path(folder)))
    dialog.open()
