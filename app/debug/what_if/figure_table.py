"""The figures of a prediction beside today's, as a table of labels."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from app.debug.what_if.figures import Figure
from app.widgets import label
from app.words.tr import tr

_HEADINGS = ("", tr("Today", "as it is set"), tr("Predicted"), tr("Change"))
_ARROWS = {"better": "✓ ", "worse": "✗ ", "same": ""}
_KINDS = {"better": "figuresGood", "worse": "figuresDanger", "same": "figures"}


class FigureTable(QWidget):
    """One line for each figure; better and worse are marked by a sign and a colour."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(0, 1)
        self._cells: list[list[QLabel]] = []
        for column, heading in enumerate(_HEADINGS):
            self._place(label(heading, "section"), 0, column)

    def show_figures(self, figures: tuple[Figure, ...]) -> None:
        while len(self._cells) < len(figures):
            row = [label("", "dim"), *(label("", "figuresStrong") for _ in range(3))]
            self._cells.append(row)
            for column, cell in enumerate(row):
                self._place(cell, len(self._cells), column)
        for at, row in enumerate(self._cells):
            for cell in row:
                cell.setVisible(at < len(figures))
            if at < len(figures):
                self._show(row, figures[at])

    def text(self) -> list[list[str]]:
        """What stands in each line."""
        return [[cell.text() for cell in row] for row in self._cells if not row[0].isHidden()]

    def _show(self, row: list[QLabel], figure: Figure) -> None:
        change = f"{_ARROWS[figure.verdict]}{figure.change}" if figure.change else ""
        texts = (figure.name, figure.today, figure.predicted, change)
        for cell, text in zip(row, texts, strict=True):
            cell.setText(text)
            cell.setToolTip(figure.hint)
        kind = _KINDS[figure.verdict]
        if row[3].property("kind") != kind:
            row[3].setProperty("kind", kind)
            row[3].style().polish(row[3])
        row[0].setAccessibleDescription(
            tr("today {today}, predicted {predicted}").format(
                today=figure.today, predicted=figure.predicted
            )
        )

    def _place(self, cell: QLabel, row: int, column: int) -> None:
        if column:
            cell.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._grid.addWidget(cell, row, column)
