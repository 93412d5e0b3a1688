"""Asks for the folder of a model; blocks nothing but the window that it stands over."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from app.words.tr import tr


def ask_for_folder(
    parent: QWidget, open_now: Path | None, chosen: Callable[[Path], object]
) -> None:
    """Begin beside the model that is open; `chosen` is called unless the user cancels."""
    dialog = QFileDialog(parent, tr("Choose a model folder"))
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    if open_now is not None:
        dialog.setDirectory(str(open_now.parent))
    dialog.fileSelected.connect(lambda folder: chosen(Path(folder)))
    dialog.open()
