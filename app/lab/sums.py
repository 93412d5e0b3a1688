"""The arithmetic under the figures: every product with all its factors."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from app.lab.arithmetic import Design
from app.lab.sentences import sum_lines
from app.widgets import label
from app.words.joining import titled


class Sums(QWidget):
    """A row for each product, and one for the sum of the model's own.

    Attributes:
        rows: the labels of each row: of what, and the product.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: list[tuple[QLabel, QLabel]] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(3)
        self._grid.setColumnStretch(1, 1)

    def show_designs(self, made: tuple[Design, ...]) -> None:
        lines = sum_lines(made)
        # Every model has the same rows, so they are made once.
        while len(self.rows) < len(lines):
            name = label("", "dim")
            product = label("", "figuresStrong", wrap=True, selectable=True)
            at = len(self.rows)
            self._grid.addWidget(name, at, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(product, at, 1)
            self.rows.append((name, product))
        for (name, product), line in zip(self.rows, lines, strict=True):
            name.setText(line[0])
            product.setText(line[1])
            product.setAccessibleName(titled(*line[:2]))
