"""A table: its lines, their order, and columns that go where it is narrow, and come back."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QStandardItemModel
from PySide6.QtWidgets import QApplication, QTableView
from pytestqt.qtbot import QtBot

from app.ui.table import ColumnRoom, Table, left_out, widened
from app.ui.table_rows import Column, Sheet, TableFilter, TableRow
from tests.present import present

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


class TestRoom:
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


SHEET: Sheet[tuple[str, int]] = Sheet(
    (
        Column("Client", lambda one: one[0]),
        Column("Requests", lambda one: f"{one[1]:,}", lambda one: one[1], figures="right"),
    ),
    lambda one: f"{one[0]} sent {one[1]}.",
    first=-1,
)


def lines(*subjects: tuple[str, int]) -> list[TableRow]:
    return [SHEET.line(number, one, kind=one[0]) for number, one in enumerate(subjects)]


@pytest.fixture
def table(qtbot: QtBot) -> Table:
    made = Table(SHEET, "Clients")
    qtbot.addWidget(made)
    made.show_rows(lines(("Mail", 10), ("Editor", 2), ("Mail", 1200)))
    return made


def shown(table: Table) -> list[str]:
    return [row.cells[1] for row in table.rows.shown]


class TestLines:
    def test_the_newest_is_first_until_the_user_sorts(self, table: Table) -> None:
        assert shown(table) == ["1,200", "2", "10"]
        table.sort_by(1)
        assert shown(table) == ["2", "10", "1,200"]
        table.sort_by(1)
        assert shown(table) == ["1,200", "10", "2"]

    def test_a_click_on_a_heading_sorts_and_shows_by_what(self, table: Table, qtbot: QtBot) -> None:
        head = table.horizontalHeader()
        assert not head.isSortIndicatorShown()
        table.resize(400, 200)
        table.show()
        at = QPoint(head.sectionViewportPosition(1) + 8, head.height() // 2)
        qtbot.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=at)
        assert (head.isSortIndicatorShown(), head.sortIndicatorSection()) == (True, 1)
        assert shown(table) in (["2", "10", "1,200"], ["1,200", "10", "2"])

    def test_figures_and_their_headings_are_at_the_right(self, table: Table) -> None:
        role, right = Qt.ItemDataRole.TextAlignmentRole, Qt.AlignmentFlag.AlignRight
        horizontal = Qt.Orientation.Horizontal
        sides = [table.shown.index(0, at).data(role) for at in (0, 1)]
        sides += [table.shown.headerData(at, horizontal, role) for at in (0, 1)]
        assert [bool(side & right) for side in sides] == [False, True] * 2

    def test_other_lines_leave_the_chosen_one_chosen(self, table: Table) -> None:
        table.show_number(1)
        said: list[object] = []
        table.chosen.connect(said.append)
        table.show_rows(lines(("Mail", 10), ("Editor", 3)))
        assert (present(table.current).cells, said) == (("Editor", "3"), [])

    def test_a_line_that_says_something_else_is_not_moved(self, table: Table) -> None:
        resets: list[int] = []
        table.shown.modelReset.connect(lambda: resets.append(1))
        table.replace([SHEET.line(1, ("Editor", 7), kind="Editor")])
        assert (shown(table), resets) == (["1,200", "7", "10"], [])

    def test_a_line_that_has_to_be_elsewhere_is(self, table: Table) -> None:
        table.sort_by(1)
        table.show_number(1)
        table.replace([SHEET.line(1, ("Editor", 70), kind="Editor")])
        assert shown(table) == ["10", "70", "1,200"]
        assert present(table.current).number == 1

    def test_a_line_of_another_kind_is_counted_and_shown_as_one(self, table: Table) -> None:
        table.narrow(TableFilter(kinds=frozenset({"Mail"})))
        assert shown(table) == ["1,200", "10"]
        table.replace([SHEET.line(1, ("Mail", 2), kind="Mail")])
        assert shown(table) == ["1,200", "2", "10"]
        assert (table.rows.kinds["Mail"].count, "Editor" in table.rows.kinds) == (3, False)

    def test_what_is_copied_has_its_headings(self, table: Table) -> None:
        assert table.copy_csv() == 3
        assert QGuiApplication.clipboard().text().splitlines() == [
            "Client,Requests",
            'Mail,"1,200"',
            "Editor,2",
            "Mail,10",
        ]
