"""Which files someone drops or pastes."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData


def files_of(data: QMimeData) -> list[Path]:
    """The local files of a drop or of the clipboard; none if there is anything else."""
    urls = data.urls() if data.hasUrls() else []
    if not urls or not all(url.isLocalFile() for url in urls):
        return []
    return [Path(url.toLocalFile()) for url in urls]
