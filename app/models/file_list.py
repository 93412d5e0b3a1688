"""The files of a model with their checksums: what was stated, and what was verified."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from app.widgets import CopyButton, label
from app.words import format as fmt
from app.words.tr import tr
from engine.hub.manifest import Manifest

_SHOWN = 16
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class FileList(QWidget):
    """One line for each file.

    Attributes:
        copies: a button for each, which copies the whole checksum.
    """

    def __init__(self) -> None:
        super().__init__()
        self.copies: list[CopyButton] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(2)
        self._shown: tuple[Manifest | None, frozenset[str]] = (None, frozenset())

    def show_files(self, manifest: Manifest, verified: Collection[str]) -> None:
        """verified: names of the files that have arrived as stated."""
        wanted = (manifest, frozenset(verified))
        if wanted == self._shown:
            return
        self._shown = wanted
        while (item := self._grid.takeAt(0)) is not None:
            if part := item.widget():
                part.hide()
                part.deleteLater()
        self.copies = []
        for at, file in enumerate(manifest.files):
            whole = file.name in verified
            name = label(file.name, "faint")
            size = label(fmt.byte_size(file.size), "figures")
            size.setAlignment(_RIGHT)
            kind = "sha256" if file.sha256 else "sha1"
            digest = label(f"{kind} {file.digest[:_SHOWN]}…", "figures")
            digest.setToolTip(file.digest)
            digest.setAccessibleName(f"{kind} {file.digest}")
            state = label(tr("verified") if whole else "", "figuresGood")
            copy = CopyButton(
                partial(str, file.digest),
                tr("Copy checksum of {name}").format(name=file.name),
            )
            self.copies.append(copy)
            for column, part in enumerate((name, size, digest, copy, state)):
                self._grid.addWidget(part, at, column)
        self._grid.setColumnStretch(5, 1)
