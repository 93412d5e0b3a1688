"""The Export button of the lab: the tab in front as a picture, and its figures as a table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QMenu, QPushButton

from app.export.behind import Behind
from app.export.picture import Picture
from app.export.saving import ask_file, ask_picture, save_picture, save_text
from app.lab.tab import LabTab
from app.words.tr import tr


class ExportButton(QPushButton):
    """Opens the menu.

    Attributes:
        behind: writes the tables.
    """

    def __init__(
        self, front: Callable[[], tuple[str, LabTab]], told: Callable[[str], None]
    ) -> None:
        """`front`: name and tab in front; `told`: called with what came of it."""
        super().__init__(tr("Export"))
        self.setProperty("kind", "small")
        self.setToolTip(tr("Save a picture of this tab, or its figures"))
        self._front, self._told = front, told
        self.behind = Behind(self, told)
        menu = QMenu(self)
        menu.addAction(tr("Picture…"), self._ask_picture)
        self._figures = menu.addAction(tr("Figures as CSV…"), self._ask_figures)
        menu.aboutToShow.connect(self._enable)
        self.setMenu(menu)

    def picture(self) -> Picture:
        """The tab in front as a picture."""
        name, tab = self._front()
        return Picture(
            tr("Memory lab: {name}").format(name=name),
            tab.pictured,
            None,
            tab.legend,
            tab.settings(),
        )

    def save_picture(self, path: Path) -> None:
        self._told(save_picture(self.picture(), path))

    def save_figures(self, path: Path) -> None:
        made = self._front()[1].as_table()
        if made is not None:
            save_text(self.behind, path, made, self._told)

    def _enable(self) -> None:
        self._figures.setEnabled(self._front()[1].as_table() is not None)

    def _ask_picture(self) -> None:
        name, _ = self._front()
        path = ask_picture(self, name, _file_name(name))
        if path is not None:
            self.save_picture(path)

    def _ask_figures(self) -> None:
        path = ask_file(self, f"{_file_name(self._front()[0])}.csv")
        if path is not None:
            self.save_figures(path)


def _file_name(name: str) -> str:
    return name.lower().replace(" ", "-")
