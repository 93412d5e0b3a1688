"""The figures of the selected interval and of the markers, beside the tracks."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from app import theme
from app.debug.timeline.interval import Line
from app.widgets import CopyButton, IconButton, label
from app.words.tr import tr

WIDTH_PX = 252


class FiguresBox(QWidget):
    """Hidden while there is neither an interval nor both markers.

    Attributes:
        close_button, copy: above the figures.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedWidth(WIDTH_PX)
        self.setAccessibleName(tr("Figures of the selection"))
        self._blocks: list[tuple[str, list[Line]]] = []
        self._grid = QGridLayout()
        self._grid.setContentsMargins(12, 0, 8, 8)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(1)
        self._grid.setColumnStretch(0, 1)
        self.copy = CopyButton(self.text, tr("Copy the figures"))
        self.close_button = IconButton("close", tr("Clear the selection (Esc)"), size=14)
        head = QHBoxLayout()
        head.setContentsMargins(12, 2, 4, 0)
        head.addWidget(label(tr("SELECTION"), "section"), 1)
        head.addWidget(self.copy)
        head.addWidget(self.close_button)
        inner = QWidget()
        inner.setObjectName("column")
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(self._grid)
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(inner)
        # The keyboard scrolls it.
        area.setAccessibleName(self.accessibleName())
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(2)
        whole.addLayout(head)
        whole.addWidget(area, 1)
        self.hide()

    def show_blocks(self, blocks: list[tuple[str, list[Line]]]) -> None:
        """Show headings with their figures; nothing hides the box."""
        self.setVisible(bool(blocks))
        if blocks == self._blocks:
            return
        self._blocks = blocks
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        row = 0
        for heading, lines in blocks:
            self._grid.addWidget(label(heading, "dim"), row, 0, 1, 2)
            for name, figure in lines:
                row += 1
                self._grid.addWidget(_name(name), row, 0)
                self._grid.addWidget(_figure(figure), row, 1, Qt.AlignmentFlag.AlignRight)
            row += 1

    def text(self) -> str:
        """All figures as lines between tabs."""
        lines = [f"{name.strip()}\t{figure}" for _, block in self._blocks for name, figure in block]
        return "\n".join(lines)


def _name(text: str) -> QLabel:
    made = label(text, "faint", wrap=True)
    made.setToolTip(text.strip())
    return made


def _figure(text: str) -> QLabel:
    made = label(text, selectable=True)
    made.setFont(theme.mono_font(11))
    return made
