"""A list of checks: a mark, a name, what it says, and its figures."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from app.debug.invariant_rows import Row
from app.widgets import ElidedLabel, label
from app.words import joining
from app.words.tr import tr

_NAME_PX = 144


class CheckList(QWidget):
    """One line for each check; a violated one shows what is wrong instead of its sentence."""

    def __init__(self, heading: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(heading)
        self.rows: list[Row] = []
        self._cells: list[tuple[QLabel, QLabel, ElidedLabel, QLabel]] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnMinimumWidth(1, _NAME_PX)
        self._grid.setColumnStretch(2, 1)
        self._grid.addWidget(label(heading, "section"), 0, 0, 1, 4)

    def show_rows(self, rows: list[Row]) -> None:
        if rows == self.rows:
            return
        self.rows = rows
        while len(self._cells) < len(rows):
            self._add()
        for at, cells in enumerate(self._cells):
            for cell in cells:
                cell.setVisible(at < len(rows))
            if at < len(rows):
                _show(cells, rows[at])

    def _add(self) -> None:
        cells = (label(""), label("", "dim"), ElidedLabel("faint"), label("", "figures"))
        cells[3].setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for column, cell in enumerate(cells):
            self._grid.addWidget(cell, len(self._cells) + 1, column)
        self._cells.append(cells)


def _show(cells: tuple[QLabel, QLabel, ElidedLabel, QLabel], row: Row) -> None:
    mark, name, sentence, figures = cells
    mark.setText("✓" if row.holds else "✗")
    mark.setAccessibleName(tr("holds") if row.holds else tr("violated"))
    name.setText(row.name)
    told = joining.sentence(row.sentence)
    sentence.setText(row.problem or told)
    sentence.setToolTip(told)
    figures.setText(row.figures)
    _style(mark, "figuresGood" if row.holds else "danger")
    _style(sentence, "faint" if row.holds else "dangerSmall")


def _style(cell: QLabel, kind: str) -> None:
    if cell.property("kind") != kind:
        cell.setProperty("kind", kind)
        cell.style().polish(cell)
