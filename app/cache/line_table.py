"""Tables of which each row is one line: a log's, a history's."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from app import theme

_ROW_PX = 24


def as_lines(
    table: QTableView, usual: Mapping[int, str], figures: Collection[int], around_px: int
) -> None:
    """Make a table, whose model is set, one of lines: chosen whole, of one height, without a grid.

    Args:
        usual: a text that is as wide as most of its column; the last column takes what is left.
        figures: the columns of figures, which have the font of those.
        around_px: around a text in its cell.
    """
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setTabKeyNavigation(False)
    table.setShowGrid(False)
    table.setWordWrap(False)
    side, head = table.verticalHeader(), table.horizontalHeader()
    side.hide()
    side.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    side.setDefaultSectionSize(_ROW_PX)
    for column, text in usual.items():
        font = theme.mono_font() if column in figures else theme.ui_font()
        table.setColumnWidth(column, QFontMetrics(font).horizontalAdvance(text) + around_px)
    head.setStretchLastSection(True)
    head.setHighlightSections(False)
