"""Columns that go where a table is narrow, and come back."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QApplication, QTableView
from pytestqt.qtbot import QtBot

from app.cache.column_room import ColumnRoom, left_out

WIDTHS = {0: 100, 1: 60, 2: 80, 3: 120}


class TestLeftOut:
    @pytest.mark.parametrize(
        ("room", "gone"),
        [(400, set()), (360, set()), (359, {1}), (300, {1}), (299, {1, 0}), (10, {1, 0})],
    )
    def test_as_many_as_must_go(self, room: int, gone: set[int]) -> None:
        assert left_out(WIDTHS, room, (1, 0)) == gone


class TestTable:
    def test_they_come_back_as_wide_as_they_were(self, qtbot: QtBot) -> None:
        table = QTableView()
        qtbot.addWidget(table)
        table.setModel(QStandardItemModel(3, 4, table))
        table.verticalHeader().hide()
        table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for column, width in WIDTHS.items():
            table.setColumnWidth(column, width)
        table.horizontalHeader().setStretchLastSection(True)
        ColumnRoom(table, (1, 2), 120)
        for width, gone in ((500, set()), (320, {1}), (240, {1, 2}), (320, {1}), (500, set())):
            table.resize(width, 200)
            table.show()
            QApplication.processEvents()
            assert {c for c in WIDTHS if table.isColumnHidden(c)} == gone
            assert table.horizontalScrollBar().maximum() == 0
        assert [table.columnWidth(column) for column in (0, 1, 2)] == [100, 60, 80]
