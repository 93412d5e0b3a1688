"""Columns that go where a table is narrow, and come back."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QApplication, QTableView
from pytestqt.qtbot import QtBot

from app.cache.event_view import ColumnRoom, left_out, widened

WIDTHS = {0: 100, 1: 60, 2: 80, 3: 120}


class TestLeftOut:
    @pytest.mark.parametrize(
        ("room", "gone"),
        [(400, set()), (360, set()), (359, {1}), (300, {1}), (299, {1, 0}), (10, {1, 0})],
    )
    def test_as_many_as_must_go(self, room: int, gone: set[int]) -> None:
        assert left_out(WIDTHS, room, (1, 0)) == gone


class TestWidened:
    @pytest.mark.parametrize(
        ("room", "wide"),
        [
            (300, {0: 100, 2: 80}),
            (360, {0: 100, 2: 80}),
            (400, {0: 110, 2: 90}),
            (600, {0: 160, 2: 100}),
            (2000, {0: 200, 2: 100}),
        ],
    )
    def test_half_of_what_is_left_over_is_theirs(self, room: int, wide: dict[int, int]) -> None:
        assert widened(WIDTHS, room, {0: 200, 2: 100}) == wide

    def test_none_grows_where_none_may(self) -> None:
        assert widened(WIDTHS, 2000, {}) == {}

    def test_a_column_that_the_user_moved_is_left_alone(self, qtbot: QtBot) -> None:
        table = QTableView()
        qtbot.addWidget(table)
        table.setModel(QStandardItemModel(3, 4, table))
        table.horizontalHeader().setStretchLastSection(True)
        for column, width in WIDTHS.items():
            table.setColumnWidth(column, width)
        room = ColumnRoom(table, (), 120, {0: 200, 2: 100})
        assert room.parent() is table
        table.resize(2000, 300)
        table.show()
        QApplication.processEvents()
        assert (table.columnWidth(0), table.columnWidth(2)) == (200, 100)
        table.setColumnWidth(0, 90)
        table.resize(800, 300)
        QApplication.processEvents()
        assert table.columnWidth(0) == 90
        table.resize(300, 300)
        QApplication.processEvents()
        assert (table.columnWidth(0), table.columnWidth(2)) == (90, 80)


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
